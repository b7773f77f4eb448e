import { describe, expect, it } from 'vitest'
import {
  addMonths,
  datesInWords,
  durationWords,
  type Span,
  shortDay,
  timeWords,
  weeksOf,
} from './italian-dates'

const days = (...texts: string[]): Span[] =>
  texts.map((text) => {
    const [first = '', last = first] = text.split('..')
    return { first, last }
  })

describe('dates in words', () => {
  // Each text is in tests/data/italian_dates.txt, where the server parses it to the same days.
  it.each([
    [days(), ''],
    [days('2026-12-12'), 'sabato 12 dicembre 2026'],
    [days('2027-03-06', '2027-03-13', '2027-03-20'), '6, 13 e 20 marzo 2027'],
    [days('2026-12-12', '2026-12-13'), '12, 13 dicembre 2026'],
    [days('2027-03-06', '2027-04-03'), '6 marzo e 3 aprile 2027'],
    [days('2026-12-30', '2027-01-02'), '30 dicembre 2026 e 2 gennaio 2027'],
    [days('2027-04-30', '2027-05-01'), '30 aprile, 1 maggio 2027'],
    [days('2027-03-05..2027-03-07'), 'dal 5 al 7 marzo 2027'],
    [days('2027-04-08..2027-04-11'), 'dall’8 all’11 aprile 2027'],
    [days('2027-04-30..2027-05-02'), 'dal 30 aprile al 2 maggio 2027'],
    [days('2026-12-30..2027-01-02'), 'dal 30 dicembre 2026 al 2 gennaio 2027'],
    [
      days('2027-04-10..2027-04-11', '2027-04-17..2027-04-18'),
      'dal 10 all’11 aprile 2027, dal 17 al 18 aprile 2027',
    ],
    [days('2027-04-03', '2027-04-10..2027-04-11'), '3 aprile 2027, dal 10 all’11 aprile 2027'],
  ])('%j', (spans, expected) => expect(datesInWords(spans)).toBe(expected))

  it('have weeks that begin on Monday and months of any length', () => {
    const weeks = weeksOf('2026-12-12')
    expect(weeks[0]?.[0]).toBe('2026-11-30')
    expect(weeks.at(-1)?.[6]).toBe('2027-01-03')
    expect(weeksOf('2027-02-10')).toHaveLength(4)
    expect(addMonths('2027-01-31', 1)).toBe('2027-02-28')
    expect(addMonths('2027-01-15', -1)).toBe('2026-12-15')
    expect(shortDay('2027-03-06')).toBe('sab 6 marzo')
  })

  it('have times and durations', () => {
    expect(timeWords('20:30', null)).toBe('20:30')
    expect(timeWords('20:30', '22:00')).toBe('dalle 20:30 alle 22:00')
    expect([30, 60, 90, 120, 150].map(durationWords)).toEqual([
      'mezz’ora',
      'un’ora',
      'un’ora e mezza',
      'due ore',
      'due ore e mezza',
    ])
  })
})
