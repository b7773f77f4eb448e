import { describe, expect, it } from 'vitest'
import { blockOf, namesField } from './block.fixture'
import { changesOf, type Draft, withoutChange } from './draft-diff'
import { EMPTY_HISTORY, type HistoryEntry, pushEntry, redoEntry, undoEntry } from './undo-history'

const entries = [
  { id: 'a', name: 'Uno' },
  { id: 'b', name: 'Due' },
  { id: 'c', name: 'Tre' },
]
const value = { title: 'Servizi', entries }
const block = blockOf(
  [{ name: 'title', label: 'Titolo', type: 'line' }, namesField('entries')],
  value,
)
const [a, b, c] = entries as [(typeof entries)[0], (typeof entries)[0], (typeof entries)[0]]

describe('what a draft changes', () => {
  it('is nothing where nothing differs', () => {
    expect(changesOf(block, { value: structuredClone(value), hidden: false })).toEqual([])
  })

  it('is told place by place', () => {
    const draft = { title: 'Proposte', entries: [a, { ...b, name: 'Altro' }, c] }
    const kinds = changesOf(block, { value: draft, hidden: true }).map(({ kind, path }) => [
      kind,
      path,
    ])
    expect(kinds).toEqual([
      ['hidden', ''],
      ['replaced', 'title'],
      ['replaced', 'entries[1].name'],
    ])
  })

  it('in a list is an entry more, one less, one elsewhere', () => {
    const of = (list: readonly object[]) =>
      changesOf(block, { value: { ...value, entries: list as never }, hidden: false })
    expect(of([a, { name: '' }, b, c])).toMatchObject([{ kind: 'added', path: 'entries[1]' }])
    expect(of([a, c])).toMatchObject([{ kind: 'removed', entry: b }])
    expect(of([b, c, a])).toMatchObject([{ kind: 'moved', from: 0, to: 2 }])
  })
})

// Regression: reverting one change of a list reverted the whole list.
describe('one change taken back', () => {
  const fresh = { name: 'Nuova' }
  const without = (list: readonly object[], kind: string): unknown => {
    const draft = { value: { ...value, entries: list }, hidden: false } as unknown as Draft
    const change = changesOf(block, draft).find((one) => one.kind === kind)
    if (change === undefined) throw new Error(`no ${kind}`)
    return withoutChange(block, draft, change).value.entries
  }

  it('leaves the other changes of its list', () => {
    const other = { ...a, name: 'Altro' }
    expect(without([other, fresh, b, c], 'added')).toEqual([other, b, c])
    expect(without([other, c, fresh], 'removed')).toEqual([other, b, c, fresh])
    expect(without([b, c, other, fresh], 'moved')).toEqual([other, b, c, fresh])
    expect(without([c, fresh], 'removed')).toEqual([a, c, fresh])
  })
})

describe('undo', () => {
  const step = (path: string, text: string, at: number): HistoryEntry => ({
    number: at,
    block: 'x.y',
    path,
    what: 'Titolo',
    before: null,
    after: { value: { title: text }, hidden: false },
    at,
    open: false,
  })

  it('takes a run of typing as one step, to the pause, the place and the end of a sentence', () => {
    let past = pushEntry(EMPTY_HISTORY, step('title', 'C', 0), 'C')
    past = pushEntry(past, step('title', 'Ci', 200), 'Ci')
    expect(past.done).toHaveLength(1)
    past = pushEntry(past, step('title', 'Ciao. ', 400), 'Ciao. ')
    past = pushEntry(past, step('title', 'Ciao. E', 500), 'Ciao. E')
    expect(past.done).toHaveLength(2)
    past = pushEntry(past, step('title', 'Ciao. Ed', 1700), 'Ciao. Ed')
    past = pushEntry(past, step('entries', '', 1800), null)
    expect(past.done).toHaveLength(4)
  })

  it('goes back and forth, and typing anew forgets what was taken back', () => {
    const past = pushEntry(EMPTY_HISTORY, step('title', 'C', 0), 'C')
    const back = undoEntry(past)
    expect(back?.step.before).toBeNull()
    expect(redoEntry(back?.past ?? EMPTY_HISTORY)?.past.done).toHaveLength(1)
    expect(pushEntry(back?.past ?? EMPTY_HISTORY, step('title', 'D', 50), 'D').undone).toEqual([])
    expect(undoEntry(EMPTY_HISTORY)).toBeNull()
  })
})
