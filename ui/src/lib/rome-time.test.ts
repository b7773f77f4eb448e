import { describe, expect, it } from 'vitest'
import { fromLocalInput, localInput, romeDay, romeFields, romeMoment, whenText } from './rome-time'

describe('moments in Rome', () => {
  it('are the same wherever she is', () => {
    expect(romeMoment('2027-03-24', '09:00')).toBe('2027-03-24T08:00:00.000Z')
    expect(romeMoment('2027-07-24', '09:00')).toBe('2027-07-24T07:00:00.000Z')
    expect(romeFields(Date.parse('2027-07-24T07:00:00Z'))).toEqual({
      day: '2027-07-24',
      time: '09:00',
    })
  })

  it('that a spring night leaves out come an hour later', () => {
    const moment = romeMoment('2027-03-28', '02:30')
    expect(moment).toBe('2027-03-28T01:30:00.000Z')
    expect(whenText(moment ?? '')).toContain('3:30')
  })

  it('that an autumn night has twice are the first of the two', () => {
    expect(romeMoment('2027-10-31', '02:30')).toBe('2027-10-31T00:30:00.000Z')
  })

  it('count days by the calendar, also over a night of 23 or 25 hours', () => {
    expect(romeDay(Date.parse('2027-03-27T23:30:00Z'), 1)).toBe('2027-03-29')
    expect(romeDay(Date.parse('2027-10-30T21:30:00Z'), 1)).toBe('2027-10-31')
  })

  it('go into a field and back as they are in Rome, wherever the device is', () => {
    expect(localInput('2026-07-31T22:30:00Z')).toBe('2026-08-01T00:30')
    expect(fromLocalInput('2026-08-01T00:30')).toBe('2026-07-31T22:30:00Z')
    expect(localInput('')).toBe('')
    expect(fromLocalInput('')).toBe('')
  })

  it('are none for what is no day', () => {
    expect(romeMoment('', '09:00')).toBeNull()
    expect(romeMoment('2027-03-24', '')).toBeNull()
  })
})
