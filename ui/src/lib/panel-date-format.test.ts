import { describe, expect, it } from 'vitest'
import { ageText, dayText, momentText, timeText } from './panel-date-format'

describe('moments', () => {
  it('are written in Italian', () => {
    expect(dayText('2025-02-11T12:00:00Z')).toBe('11 febbraio 2025')
    expect(momentText('2025-02-11T12:00:00Z')).toContain('11 febbraio 2025')
  })

  it('are those of Rome, wherever the device is', () => {
    expect(momentText('2026-11-23T23:44:00Z')).toContain('24 novembre 2026')
    expect(momentText('2026-11-23T23:44:00Z')).toContain('00:44')
    expect(dayText('2026-07-31T22:30:00Z')).toBe('1 agosto 2026')
    expect(timeText(new Date('2026-11-23T15:44:00Z'))).toBe('16:44')
  })

  it('tell how long ago they were', () => {
    const now = Date.parse('2026-03-03T10:00:00Z')
    const age = (moment: string) => ageText(moment, now)
    expect(age('2026-03-03T09:59:40Z')).toBe('meno di un minuto')
    expect(age('2026-03-03T09:59:00Z')).toBe('1 minuto')
    expect(age('2026-03-03T08:30:00Z')).toBe('1 ora')
    expect(age('2026-03-01T09:00:00Z')).toBe('2 giorni')
    expect(age('2026-03-04T09:00:00Z')).toBe('meno di un minuto')
    expect(age('')).toBe('')
  })

  it('are empty when there is none', () => {
    expect(dayText('domani')).toBe('')
  })
})
