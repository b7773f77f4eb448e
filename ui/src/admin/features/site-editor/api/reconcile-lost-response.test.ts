import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergeBlock } from '../model/merge-block'
import type { FieldValue, ObjectValue } from './content-api'
import { withIds } from './reconcile-lost-response'

type Edit = { readonly kind: 'add' | 'remove' | 'move' | 'name' | 'note'; at: number; to: number }

const edits = fc.array(
  fc.record({
    kind: fc.constantFrom<Edit['kind']>('add', 'remove', 'move', 'name', 'note'),
    at: fc.nat(9),
    to: fc.nat(9),
  }),
  { maxLength: 6 },
)

/** Each added entry has a mark that no edit overwrites; it identifies the entry through all changes. */
function edited(
  list: readonly ObjectValue[],
  all: readonly Edit[],
  who: string,
): readonly ObjectValue[] {
  return all.reduce<readonly ObjectValue[]>((now, { kind, at, to }, index) => {
    const place = now.length === 0 ? 0 : at % now.length
    const own = `${who}${index}`
    const rest = now.filter((_, one) => one !== place)
    const behind = to % (rest.length + 1)
    if (kind === 'add') return now.toSpliced(behind, 0, { name: own, note: '', mark: own })
    const entry = now[place]
    if (entry === undefined || kind === 'remove') return rest
    if (kind === 'move') return rest.toSpliced(behind, 0, entry)
    return now.with(place, { ...entry, [kind]: own })
  }, list)
}

const given = (list: readonly ObjectValue[]) =>
  list.map((entry): ObjectValue => ({ ...entry, id: entry.id ?? `i-${entry.mark}` }))
const began = ['a', 'b', 'c'].map((id): ObjectValue => ({ id, name: id, note: '', mark: id }))

type Sides = Readonly<Record<'sent' | 'kept' | 'mine' | 'other', readonly ObjectValue[]>>

const courses = fc.tuple(edits, edits, edits).map(([first, since, others]) => {
  const sent = edited(began, first, 'mia')
  const kept = given(sent)
  const mine = edited(sent, since, 'poi')
  return { sent, kept, mine, other: given(edited(kept, others, 'sua')) }
})
const marks = (list: readonly ObjectValue[]) => list.map(({ mark }) => mark)

/** Merges both sides over the version that arrived, with the ids it was given. */
function merged({ sent, kept, mine, other }: Sides) {
  const named = withIds(mine as FieldValue, sent as FieldValue, kept as FieldValue)
  const [began = {}, here = {}, there = {}] = [kept, named, other].map(
    (list): ObjectValue => ({ list: list as FieldValue }),
  )
  const { value } = mergeBlock(began, here, there)
  return value.list as readonly ObjectValue[]
}

describe('what was sent, changed again and written over by somebody else', () => {
  it('stands once, whatever both sides have done', () => {
    const check = (all: Sides) => {
      const list = merged(all)
      expect(new Set(marks(list)).size).toBe(list.length)
      const ids = list.flatMap(({ id }) => (id === undefined ? [] : [id]))
      expect(new Set(ids).size).toBe(ids.length)
      for (const mark of marks(all.mine)) {
        const isNew = !marks(all.kept).includes(mark)
        if (isNew || marks(all.other).includes(mark)) expect(marks(list)).toContain(mark)
      }
      for (const mark of marks(all.other)) {
        if (!marks(all.kept).includes(mark)) expect(marks(list)).toContain(mark)
      }
    }
    fc.assert(fc.property(courses, check), { numRuns: 500 })
  })

  it('is hers alone where nobody else wrote', () => {
    const check = (all: Sides) => {
      const list = merged({ ...all, other: all.kept })
      expect(list.map(({ id, ...words }) => words)).toEqual(
        all.mine.map(({ id, ...words }) => words),
      )
    }
    fc.assert(fc.property(courses, check), { numRuns: 500 })
  })

  it('is the same entry where only its words were changed again', () => {
    const check = (all: Sides, since: readonly Edit[]) => {
      const inWords = since.filter(({ kind }) => kind === 'name' || kind === 'note')
      const [mine, named] = [all.sent, all.kept].map((list) => edited(list, inWords, 'poi'))
      const list = merged({ ...all, mine: mine ?? [] })
      expect(list).toEqual(merged({ ...all, sent: all.kept, mine: named ?? [] }))
    }
    fc.assert(fc.property(courses, edits, check), { numRuns: 500 })
  })

  it('has its ids in entries of entries too', () => {
    const of = (...rows: readonly FieldValue[]) => ({ cards: [{ rows }] })
    const kept = { cards: [{ id: 'k', rows: [{ id: 'p', text: 'P' }] }] }
    const mine = of({ text: 'P, poi' }, { text: 'Q' })
    expect(withIds(mine, of({ text: 'P' }), kept)).toEqual({
      cards: [{ id: 'k', rows: [{ id: 'p', text: 'P, poi' }, { text: 'Q' }] }],
    })
  })
})
