import { describe, expect, it } from 'vitest'
import {
  changedFields,
  DRAFTS_MAX,
  type Draft,
  type DraftStorage,
  discardStoredDraft,
  draftKey,
  draftsOfAccount,
  loadDrafts,
  newDraftKey,
  persistDraft,
  removeDraft,
} from './draft-storage'

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

const refusing: DraftStorage = {
  length: 1,
  key: () => {
    throw new Error('refused')
  },
  getItem: () => {
    throw new Error('refused')
  },
  setItem: () => {
    throw new Error('full')
  },
  removeItem: () => {
    throw new Error('refused')
  },
}

const draft = { fields: { title: 'Ciao' }, savedAt: '2026-03-01T10:00:00Z', basedOn: null }

const form = 'events/new'
const read = (own: DraftStorage | null) => loadDrafts(own, form).map(({ draft }) => draft)

describe('drafts', () => {
  it('come back as they were kept, for their form alone', () => {
    const own = shelf()
    expect(persistDraft(own, newDraftKey(form), draft)).toBe(true)
    expect(read(own)).toEqual([draft])
    expect(loadDrafts(own, 'events/ne')).toEqual([])
  })

  // The tab that kept last took the place of the other's words, and one that saved took them away.
  it('of two tabs stand side by side, and each takes away its own', () => {
    const own = shelf()
    const [here, there] = [newDraftKey(form), newDraftKey(form)]
    const later = { ...draft, fields: { title: 'Altro' }, savedAt: '2026-03-01T10:01:00Z' }
    persistDraft(own, here, draft)
    persistDraft(own, there, later)
    expect(read(own)).toEqual([later, draft])
    removeDraft(own, here)
    expect(read(own)).toEqual([later])
  })

  it('stay where another tab has gone on writing since they were found', () => {
    const own = shelf()
    const key = newDraftKey(form)
    persistDraft(own, key, draft)
    const [found] = loadDrafts(own, form)
    if (found === undefined) throw new Error('nothing was found')
    const more = { ...draft, fields: { title: 'Ciao a tutti' } }
    persistDraft(own, key, more)
    expect(discardStoredDraft(own, found)).toBe(false)
    expect(read(own)).toEqual([more])
    const [again] = loadDrafts(own, form)
    expect(again && discardStoredDraft(own, again)).toBe(true)
    expect(own.kept.size).toBe(0)
  })

  // A device whose clock was wrong lost the words of an hour without a question.
  it('are offered however old they are, and by whichever clock', () => {
    const own = shelf()
    const moments = ['2020-01-01T00:00:00Z', draft.savedAt, '2096-01-01T00:00:00Z']
    for (const savedAt of moments) persistDraft(own, newDraftKey(form), { ...draft, savedAt })
    expect(read(own).map(({ savedAt }) => savedAt)).toEqual([...moments].reverse())
    expect(own.kept.size).toBe(3)
  })

  it('of a former release come out of one place into their own', () => {
    const own = shelf()
    const old = { ...draft, savedAt: '2025-11-01T10:00:00Z' }
    const before = { ...draft, fields: { title: 'Prima' }, savedAt: '2026-02-01T10:00:00Z' }
    const chain = { ...draft, earlier: { ...before, earlier: old } }
    own.setItem(draftKey(form), JSON.stringify(chain))
    expect(read(own)).toEqual([draft, before, old])
    expect(read(own)).toEqual([draft, before, old])
  })

  it('are no more than the storage holds for one form, the newest', () => {
    const own = shelf()
    for (let visit = 10; visit <= 10 + DRAFTS_MAX; visit += 1) {
      const kept: Draft = { ...draft, fields: { visit }, savedAt: `2026-03-01T10:00:${visit}Z` }
      persistDraft(own, newDraftKey(form), kept)
    }
    expect(read(own).at(0)?.fields.visit).toBe(10 + DRAFTS_MAX)
    expect(read(own).at(-1)?.fields.visit).toBe(11)
    expect(own.kept.size).toBe(DRAFTS_MAX)
  })

  it('say that nothing was kept when the browser refuses', () => {
    expect(persistDraft(refusing, newDraftKey(form), draft)).toBe(false)
    expect(persistDraft(null, newDraftKey(form), draft)).toBe(false)
    expect(read(refusing)).toEqual([])
    expect(read(null)).toEqual([])
    expect(() => removeDraft(refusing, form)).not.toThrow()
    expect(discardStoredDraft(refusing, { draft, key: form, text: '' })).toBe(false)
  })

  // Regression: the next account that signed in to the panel in the browser was offered them, and stored them as its own.
  it('of an account are not those of another one in the same browser', () => {
    const whole = shelf()
    const [anna, bruno] = ['anna@example.com', 'bruno@example.com'].map((account) =>
      draftsOfAccount(whole, account),
    ) as [DraftStorage, DraftStorage]
    const key = newDraftKey(form)
    persistDraft(anna, key, draft)
    expect(read(bruno)).toEqual([])
    removeDraft(bruno, key)
    expect(loadDrafts(anna, form).map((found) => found.key)).toEqual([key])
    persistDraft(bruno, newDraftKey(form), { ...draft, fields: { title: 'Di Bruno' } })
    expect(read(anna)).toEqual([draft])
    expect(read(draftsOfAccount(whole, 'anna@example.co'))).toEqual([])
  })

  it('of a former release go to the account that signs in first, once', () => {
    const whole = shelf()
    persistDraft(whole, newDraftKey(form), draft)
    expect(read(draftsOfAccount(whole, 'anna@example.com'))).toEqual([draft])
    expect(read(draftsOfAccount(whole, 'bruno@example.com'))).toEqual([])
    expect(read(draftsOfAccount(whole, 'anna@example.com'))).toEqual([draft])
    expect(whole.kept.size).toBe(1)
  })

  it('ignore what another program left under their key', () => {
    const own = shelf()
    own.kept.set(draftKey(form), '{"fields":3}')
    expect(read(own)).toEqual([])
    own.kept.set(draftKey(form), 'not json')
    expect(read(own)).toEqual([])
  })

  it('count as changed only when a value really differs', () => {
    expect(changedFields({ title: null, rating: 5 }, { title: '', rating: 5 })).toEqual([])
    expect(changedFields({ title: 'a', rating: 5 }, { title: 'b', rating: 5 })).toEqual(['title'])
    expect(changedFields({}, { published: false })).toEqual(['published'])
  })
})
