import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type DraftStorage, loadDrafts, newDraftKey, persistDraft } from './draft-storage'
import { createDraftSync, type DraftServer, placeOf, useDraftSync } from './draft-sync'

function shelf(): DraftStorage & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    get length() {
      return kept.size
    },
    key: (index) => [...kept.keys()][index] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

/** A server that keeps what it is sent, or answers with `status`. */
function fakeServer() {
  const stored = new Map<string, { content: object; savedAt: string }>()
  const puts: string[] = []
  let status = 200
  const answer = (body: object | null, headers = {}) =>
    Promise.resolve(new Response(body === null ? null : JSON.stringify(body), { status, headers }))
  const server: DraftServer = {
    put: (place, body) => {
      puts.push(place)
      if (status === 0) return Promise.reject(new TypeError('offline'))
      if (status === 200) {
        const { content } = JSON.parse(body) as { content: { savedAt: string } }
        stored.set(place, { content, savedAt: content.savedAt })
      }
      return answer({}, status === 429 ? { 'Retry-After': '2' } : { ETag: '"t"' })
    },
    remove: (place) => {
      stored.delete(place)
      return answer({})
    },
    list: () => {
      const drafts = [...stored].map(([place, { savedAt }]) => ({
        ...{ place, savedAt, begunAt: savedAt, device: 'Safari su iPhone' },
        ...{ isThisDevice: false, restoredAt: null, publishAt: null },
      }))
      return answer({ drafts, others: [] })
    },
    read: (place) => answer(stored.get(place) ?? null, { ETag: '"t"' }),
  }
  const fail = (next: number) => {
    status = next
  }
  return { server, stored, puts, fail }
}

const form = 'events/new'
const account = 'anna@example.com'
const draft = (title: string) => ({
  fields: { title },
  savedAt: new Date().toISOString(),
  basedOn: null,
})

beforeEach(() => {
  vi.stubGlobal('document', { hidden: false })
  vi.useFakeTimers()
  useDraftSync.setState({ drafts: [], others: [], refusal: null })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('the drafts on the server', () => {
  it('get what was typed after a pause, and another device finds it once', async () => {
    const { server, stored, puts } = fakeServer()
    const phone = createDraftSync(shelf(), server, account)
    const key = newDraftKey(form)
    for (const title of ['C', 'Ci', 'Ciao']) persistDraft(phone.storage, key, draft(title))
    expect(puts).toEqual([])
    await vi.advanceTimersByTimeAsync(3_000)
    expect(puts).toEqual([placeOf(key)])

    const laptop = createDraftSync(shelf(), server, account)
    await laptop.refresh(form)
    const [offered] = loadDrafts(laptop.storage, form)
    expect(offered?.draft.fields).toEqual({ title: 'Ciao' })
    expect(offered?.draft.device).toBe('Safari su iPhone')
    laptop.storage.removeItem(key)
    await vi.advanceTimersByTimeAsync(1)
    expect(stored.size).toBe(0)
    await laptop.refresh(form)
    expect(loadDrafts(laptop.storage, form)).toEqual([])
  })

  it('take one draft in two seconds, and wait as long as a 429 says', async () => {
    const { server, puts, fail } = fakeServer()
    const { storage } = createDraftSync(shelf(), server, account)
    const keys = [newDraftKey(form), newDraftKey(form)]
    for (const key of keys) persistDraft(storage, key, draft('Ciao'))
    await vi.advanceTimersByTimeAsync(2_300)
    expect(puts).toHaveLength(1)
    fail(429)
    await vi.advanceTimersByTimeAsync(2_200)
    expect(puts).toHaveLength(2)
    expect(useDraftSync.getState().refusal).toBeNull()
    fail(200)
    await vi.advanceTimersByTimeAsync(1_800)
    expect(puts).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(300)
    expect(puts).toHaveLength(3)
  })

  for (const [status, refusal] of [
    [0, 'offline'],
    [401, 'signedOut'],
    [507, 'full'],
    [503, 'offline'],
  ] as const) {
    it(`refused with ${status} stay in the browser, say so and are sent later`, async () => {
      const { server, stored, fail } = fakeServer()
      const local = shelf()
      const { storage, hide, resume } = createDraftSync(local, server, account)
      fail(status)
      const key = newDraftKey(form)
      persistDraft(storage, key, draft('Ciao'))
      await vi.advanceTimersByTimeAsync(3_000)
      expect(useDraftSync.getState().refusal).toBe(refusal)
      hide()
      expect(local.kept.get(key)).toContain('Ciao')
      resume()
      fail(200)
      await vi.advanceTimersByTimeAsync(15_000)
      expect(stored.has(placeOf(key))).toBe(true)
      expect(useDraftSync.getState().refusal).toBeNull()
    })
  }

  it('too large for the server stay in the browser until they change', async () => {
    const { server, stored, puts, fail } = fakeServer()
    const local = shelf()
    const { storage } = createDraftSync(local, server, account)
    fail(413)
    const key = newDraftKey(form)
    persistDraft(storage, key, draft('Troppo'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(puts).toHaveLength(1)
    expect(useDraftSync.getState().refusal).toBe('tooLarge')
    expect(local.kept.get(key)).toContain('Troppo')
    fail(200)
    persistDraft(storage, key, draft('Meno'))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stored.has(placeOf(key))).toBe(true)
  })

  it('leave the browser when their page is closed', async () => {
    const { server } = fakeServer()
    const local = shelf()
    const { storage, hide } = createDraftSync(local, server, account)
    const key = newDraftKey(form)
    persistDraft(storage, key, draft('Ciao'))
    await vi.advanceTimersByTimeAsync(3_000)
    expect(local.kept.has(key)).toBe(true)
    hide()
    // The form writes its draft again when the page is hidden.
    persistDraft(storage, key, draft('Ciao'))
    expect(local.kept.has(key)).toBe(false)
  })

  // Regression: the acknowledgement from before the removal counted for what was stored again, and the browser was emptied.
  for (const isSeen of [true, false])
    it(`stay in the browser after another tab removed them (${isSeen ? '' : 'un'}noticed)`, async () => {
      const { server, stored } = fakeServer()
      const local = shelf()
      const here = createDraftSync(local, server, account)
      const key = newDraftKey(form)
      persistDraft(here.storage, key, draft('Ciao'))
      await vi.advanceTimersByTimeAsync(3_000)
      createDraftSync(local, server, account).storage.removeItem(key)
      await vi.advanceTimersByTimeAsync(1)
      expect(stored.size).toBe(0)
      if (isSeen) persistDraft(here.storage, key, draft('Ciao'))
      here.hide()
      persistDraft(here.storage, key, draft('Ciao'))
      expect(local.kept.get(key)).toContain('Ciao')
    })

  it('stay on the server when the tab that has them open stored them again meanwhile', async () => {
    const { server, stored, fail } = fakeServer()
    const local = shelf()
    const here = createDraftSync(local, server, account)
    const key = newDraftKey(form)
    persistDraft(here.storage, key, draft('Ciao'))
    await vi.advanceTimersByTimeAsync(3_000)
    const other = createDraftSync(local, server, account)
    fail(503)
    other.storage.removeItem(key)
    await vi.advanceTimersByTimeAsync(1)
    fail(200)
    persistDraft(here.storage, key, draft('Ciao'))
    await vi.advanceTimersByTimeAsync(30_000)
    expect(stored.has(placeOf(key))).toBe(true)
  })

  it('get the drafts of earlier releases, which then leave the browser', async () => {
    const { server, stored } = fakeServer()
    const local = shelf()
    const old = { ...draft('Di una volta'), savedAt: '2026-01-02T10:00:00Z' }
    local.setItem('respiro-draft:events/new', JSON.stringify(old))
    const { storage, refresh } = createDraftSync(local, server, account)
    await refresh('words/')
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stored.has('events:new')).toBe(true)
    expect(local.kept.size).toBe(0)
    expect(loadDrafts(storage, form).map((one) => one.draft.fields)).toEqual([old.fields])
  })

  it('lose one that was saved while it was on its way', async () => {
    const { server, stored } = fakeServer()
    let go: () => void = () => undefined
    const slow: DraftServer = {
      ...server,
      put: async (place, body, keepalive) => {
        await new Promise<void>((done) => {
          go = done
        })
        return server.put(place, body, keepalive)
      },
    }
    const { storage } = createDraftSync(shelf(), slow, account)
    const key = newDraftKey(form)
    persistDraft(storage, key, draft('Ciao'))
    await vi.advanceTimersByTimeAsync(3_000)
    storage.removeItem(key)
    go()
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stored.size).toBe(0)
  })

  it('are taken when the storage of the browser is full', async () => {
    const { server, stored } = fakeServer()
    const local = shelf()
    local.setItem = () => {
      throw new Error('full')
    }
    const { storage } = createDraftSync(local, server, account)
    const key = newDraftKey(form)
    expect(persistDraft(storage, key, draft('Ciao'))).toBe(false)
    await vi.advanceTimersByTimeAsync(3_000)
    expect(stored.has(placeOf(key))).toBe(true)
  })
})
