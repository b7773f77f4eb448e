import { describe, expect, it } from 'vitest'
import { dayText, fromLocalInput, localInput, momentText } from './when'

describe('moments', () => {
  it('survive the way into a field and back', () => {
    const moment = '2026-03-01T10:05:00Z'
    expect(fromLocalInput(localInput(moment))).toBe(moment)
  })

  it('are written in Italian', () => {
    expect(dayText('2025-02-11T12:00:00Z')).toBe('11 febbraio 2025')
    expect(momentText('2025-02-11T12:00:00Z')).toContain('11 febbraio 2025')
  })

  it('are empty when there is none', () => {
    expect(localInput('')).toBe('')
    expect(fromLocalInput('')).toBe('')
    expect(dayText('domani')).toBe('')
  })
})
