import { describe, expect, it } from 'vitest'
import {
  addMonths,
  datesInWords,
  durationWords,
  formatEventDates,
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

const text = (start: string, end: string | null = null) => formatEventDates({ start, end })

describe('an understood date in words', () => {
  it('has its weekday and the hour of Italy', () => {
    expect(text('2027-05-15T20:30:00+02:00')).toBe('sabato 15 maggio 2027, ore 20:30')
    expect(text('2027-01-15')).toBe('venerdì 15 gennaio 2027')
  })

  it('has an end within the day', () => {
    expect(text('2027-03-06T09:30:00+01:00', '2027-03-06T17:30:00+01:00')).toBe(
      'sabato 6 marzo 2027, dalle 09:30 alle 17:30',
    )
  })

  it('has an end on another day', () => {
    expect(text('2027-04-10', '2027-04-11')).toBe(
      'da sabato 10 aprile 2027 a domenica 11 aprile 2027',
    )
    expect(text('2027-04-10T09:00:00+02:00', '2027-04-11T17:00:00+02:00')).toBe(
      'da sabato 10 aprile 2027, ore 09:00 a domenica 11 aprile 2027, ore 17:00',
    )
    expect(text('2027-04-10T09:00:00+02:00', '2027-04-11')).toBe(
      'da sabato 10 aprile 2027, ore 09:00 a domenica 11 aprile 2027',
    )
    expect(text('2026-12-31T21:00:00+01:00', '2027-01-01T02:00:00+01:00')).toBe(
      'da giovedì 31 dicembre 2026, ore 21:00 a venerdì 1 gennaio 2027, ore 02:00',
    )
  })
})
