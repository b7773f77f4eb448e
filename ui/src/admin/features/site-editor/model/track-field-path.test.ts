import { expect, it } from 'vitest'
import { setIn, withEntry, withMoved, withoutEntry } from './field-path'
import { trackFieldPath } from './track-field-path'

const list = [
  { id: 'a', picture: null },
  { id: 'b', picture: null },
  { name: 'Nuova', picture: null },
]
const value = { picture: null, list }

// Regression: an uploaded picture went to the entry that had the index when the upload finished.
it('goes with its entry', () => {
  const now = trackFieldPath(value, 'list[1].picture')
  expect(now(value)).toBe('list[1].picture')
  expect(now(withMoved(value, 'list', 1, 0))).toBe('list[0].picture')
  expect(now(withEntry(value, 'list', 0, { name: '' }))).toBe('list[2].picture')
})

it('is nowhere once its entry is gone', () => {
  const now = trackFieldPath(value, 'list[1].picture')
  expect(now(withoutEntry(value, 'list', 1))).toBe(null)
})

it('finds a new entry by its words, and where it stood while they are typed', () => {
  const now = trackFieldPath(value, 'list[2].picture')
  expect(now(withMoved(value, 'list', 2, 0))).toBe('list[0].picture')
  expect(now(setIn(value, 'list[2].name', 'Altra'))).toBe('list[2].picture')
  expect(now(withoutEntry(value, 'list', 2))).toBe(null)
})

it('stays where no list is around it', () => {
  expect(trackFieldPath(value, 'picture')(withoutEntry(value, 'list', 0))).toBe('picture')
})
