import { expect, it } from 'vitest'
import { weekOf } from './weekly-visits'

const parts = Array.from({ length: 30 }, (_, index) => ({
  // The last is Thursday, 26 November 2026.
  from: new Date(Date.UTC(2026, 9, 28 + index)).toISOString().slice(0, 10),
  visitors: index,
}))

it('a week begins on Monday, and its coming days are empty', () => {
  const { days, sum } = weekOf(parts, '2026-11-26')
  expect(days.map(({ day }) => day)).toEqual([
    '2026-11-23',
    '2026-11-24',
    '2026-11-25',
    '2026-11-26',
    '2026-11-27',
    '2026-11-28',
    '2026-11-29',
  ])
  expect(days.map(({ count }) => count)).toEqual([26, 27, 28, 29, null, null, null])
  expect(days.map(({ before }) => before)).toEqual([19, 20, 21, 22, 23, 24, 25])
  expect(days.findIndex(({ isToday }) => isToday)).toBe(3)
  expect(sum).toBe(26 + 27 + 28 + 29)
})

it('whole days are compared, because today is not over', () => {
  expect(weekOf(parts, '2026-11-26').change).toBe(21)
  expect(weekOf(parts, '2026-11-23').change).toBeNull()
  expect(weekOf([], '2026-11-24')).toMatchObject({ sum: 0, change: 0 })
})
