import { expect, test } from 'vitest'
import { changedFields } from './changed-fields'
import type { Change } from './history-api'

const state = {
  title: 'Cerchio',
  date: '12 marzo 2099',
  cancelled: false,
  imageDecorative: false,
  imageFocusX: 50,
  imageFocusY: 30,
  published: false,
  createdAt: '2026-11-28T04:01:00Z',
}
const keysOf = (change: Pick<Change, 'before' | 'after'>) => {
  const event = { thing: 'events:a', kind: 'events', title: 'Cerchio', isCut: false } as const
  const none = {} as Parameters<typeof changedFields>[2]
  return changedFields({ ...event, action: 'changed', ...change }, [], none).map(({ key }) => key)
}

// Regression: a new event showed its creation as a second date, and every switch that is off.
test('a new or deleted item shows what was chosen, without defaults', () => {
  const chosen = ['title', 'date', 'imageFocusY', 'published']
  expect(keysOf({ before: null, after: state })).toEqual(chosen)
  expect(keysOf({ before: state, after: null })).toEqual(chosen)
})

test('a change back to a default is shown', () => {
  expect(keysOf({ before: { cancelled: true }, after: { cancelled: false } })).toEqual([
    'cancelled',
  ])
})
