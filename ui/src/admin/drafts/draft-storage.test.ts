import { describe, expect, it } from 'vitest'
import {
  changedFields,
  DRAFTS_MAX,
  type Draft,
  draftKey,
  forget,
  forgetDraft,
  keepDraft,
  keptDrafts,
  newKey,
  type Shelf,
} from './draft-storage'

function shelf(): Shelf & { kept: Map<string, string> } {
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

const refusing: Shelf = {
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
const read = (own: Shelf | null) => keptDrafts(own, form).map(({ draft }) => draft)

describe('drafts', () => {
  it('come back as they were kept, for their form alone', () => {
    const own = shelf()
    expect(keepDraft(own, newKey(form), draft)).toBe(true)
    expect(read(own)).toEqual([draft])
    expect(keptDrafts(own, 'events/ne')).toEqual([])
  })

  // The tab that kept last took the place of the other's words, and one that saved took them away.
  it('of two tabs stand side by side, and each takes away its own', () => {
    const own = shelf()
    const [here, there] = [newKey(form), newKey(form)]
    const later = { ...draft, fields: { title: 'Altro' }, savedAt: '2026-03-01T10:01:00Z' }
    keepDraft(own, here, draft)
    keepDraft(own, there, later)
    expect(read(own)).toEqual([later, draft])
    forgetDraft(own, here)
    expect(read(own)).toEqual([later])
  })

  it('stay where another tab has gone on writing since they were found', () => {
    const own = shelf()
    const key = newKey(form)
    keepDraft(own, key, draft)
    const [found] = keptDrafts(own, form)
    if (found === undefined) throw new Error('nothing was found')
    const more = { ...draft, fields: { title: 'Ciao a tutti' } }
    keepDraft(own, key, more)
    expect(forget(own, found)).toBe(false)
    expect(read(own)).toEqual([more])
    const [again] = keptDrafts(own, form)
    expect(again && forget(own, again)).toBe(true)
    expect(own.kept.size).toBe(0)
  })

  // A device whose clock was wrong lost the words of an hour without a question.
  it('are offered however old they are, and by whichever clock', () => {
    const own = shelf()
    const moments = ['2020-01-01T00:00:00Z', draft.savedAt, '2096-01-01T00:00:00Z']
    for (const savedAt of moments) keepDraft(own, newKey(form), { ...draft, savedAt })
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
      keepDraft(own, newKey(form), kept)
    }
    expect(read(own).at(0)?.fields.visit).toBe(10 + DRAFTS_MAX)
    expect(read(own).at(-1)?.fields.visit).toBe(11)
    expect(own.kept.size).toBe(DRAFTS_MAX)
  })

  it('say that nothing was kept when the browser refuses', () => {
    expect(keepDraft(refusing, newKey(form), draft)).toBe(false)
    expect(keepDraft(null, newKey(form), draft)).toBe(false)
    expect(read(refusing)).toEqual([])
    expect(read(null)).toEqual([])
    expect(() => forgetDraft(refusing, form)).not.toThrow()
    expect(forget(refusing, { draft, key: form, text: '' })).toBe(false)
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
