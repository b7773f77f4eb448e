import { describe, expect, it } from 'vitest'
import {
  beside,
  changedFields,
  DRAFTS_MAX,
  draftKey,
  forgetDraft,
  keepDraft,
  readDraft,
  type Shelf,
} from './drafts'

function shelf(): Shelf & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  }
}

const refusing: Shelf = {
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
const soon = new Date('2026-03-01T10:05:00Z')

describe('drafts', () => {
  it('come back as they were kept', () => {
    const own = shelf()
    expect(keepDraft(own, 'events/new', draft)).toBe(true)
    expect(readDraft(own, 'events/new', soon)).toEqual(draft)
    expect(readDraft(own, 'events/1', soon)).toBeNull()
  })

  it('are gone once forgotten', () => {
    const own = shelf()
    keepDraft(own, 'events/new', draft)
    forgetDraft(own, 'events/new')
    expect(readDraft(own, 'events/new', soon)).toBeNull()
  })

  it('are dropped when they are too old to be wanted', () => {
    const own = shelf()
    keepDraft(own, 'events/new', draft)
    expect(readDraft(own, 'events/new', new Date('2026-06-01T10:00:00Z'))).toBeNull()
    expect(own.kept.size).toBe(0)
  })

  it('are dropped one by one behind a newer one, which once kept them for ever', () => {
    const own = shelf()
    const old = { ...draft, savedAt: '2025-11-01T10:00:00Z' }
    keepDraft(own, 'events/new', beside(draft, old))
    expect(readDraft(own, 'events/new', soon)).toEqual(draft)
  })

  it('wait behind each other for an answer, but no more than a few whole texts', () => {
    const own = shelf()
    for (let visit = 0; visit < 9; visit += 1) {
      const waiting = readDraft(own, 'events/new', soon)
      keepDraft(own, 'events/new', beside({ ...draft, fields: { visit } }, waiting))
    }
    const visits: unknown[] = []
    for (let one = readDraft(own, 'events/new', soon); one; one = one.earlier ?? null)
      visits.push(one.fields.visit)
    expect(visits).toEqual([8, 7, 6])
    expect(visits).toHaveLength(DRAFTS_MAX)
  })

  it('say that nothing was kept when the browser refuses', () => {
    expect(keepDraft(refusing, 'events/new', draft)).toBe(false)
    expect(keepDraft(null, 'events/new', draft)).toBe(false)
    expect(readDraft(refusing, 'events/new', soon)).toBeNull()
    expect(() => forgetDraft(refusing, 'events/new')).not.toThrow()
  })

  it('ignore what another program left under their key', () => {
    const own = shelf()
    own.kept.set(draftKey('events/new'), '{"fields":3}')
    expect(readDraft(own, 'events/new', soon)).toBeNull()
    own.kept.set(draftKey('events/new'), 'not json')
    expect(readDraft(own, 'events/new', soon)).toBeNull()
  })

  it('count as changed only when a value really differs', () => {
    expect(changedFields({ title: null, rating: 5 }, { title: '', rating: 5 })).toEqual([])
    expect(changedFields({ title: 'a', rating: 5 }, { title: 'b', rating: 5 })).toEqual(['title'])
    expect(changedFields({}, { published: false })).toEqual(['published'])
  })
})
