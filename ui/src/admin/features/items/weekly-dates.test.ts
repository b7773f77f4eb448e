import { expect, it } from 'vitest'
import { REPETITIONS_MAX, weeklyDates } from './weekly-dates'

const days = (...firsts: string[]) => firsts.map((first) => ({ first, last: first }))
const firsts = (until: string, from = '2027-03-02') =>
  weeklyDates(days(from), until).map(([span]) => span?.first)

it('repeats every week, the last day included, over months, years and the change of the clocks', () => {
  expect(firsts('2027-03-30')).toEqual(['2027-03-09', '2027-03-16', '2027-03-23', '2027-03-30'])
  expect(firsts('2027-03-29')).toHaveLength(3)
  expect(firsts('2028-01-05', '2027-12-22')).toEqual(['2027-12-29', '2028-01-05'])
})

it('moves all days of a weekend or of an event with several dates', () => {
  const weekend = [{ first: '2027-04-30', last: '2027-05-02' }]
  expect(weeklyDates(weekend, '2027-05-10')).toEqual([
    [{ first: '2027-05-07', last: '2027-05-09' }],
  ])
  expect(weeklyDates(days('2027-03-02', '2027-03-04'), '2027-03-09')).toEqual([
    days('2027-03-09', '2027-03-11'),
  ])
})

it('gives no date before the next week, without a date or without an end, and at most a year of them', () => {
  expect(firsts('2027-03-08')).toEqual([])
  expect(firsts('2026-01-01')).toEqual([])
  expect(firsts('')).toEqual([])
  expect(weeklyDates([], '2027-03-30')).toEqual([])
  expect(firsts('9999-12-31')).toHaveLength(REPETITIONS_MAX)
})
