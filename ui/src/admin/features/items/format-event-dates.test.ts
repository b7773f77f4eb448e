import { describe, expect, it } from 'vitest'
import { formatEventDates } from './format-event-dates'

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
