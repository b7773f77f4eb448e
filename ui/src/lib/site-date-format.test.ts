import { describe, expect, it } from 'vitest'
import { italianDate, secondAfter } from './site-date-format'

describe('italianDate', () => {
  it('says day, long month and year', () => {
    expect(italianDate('2025-02-11T09:30:00Z')).toBe('11 febbraio 2025')
  })

  it('says the day it is in Rome, in winter and in summer', () => {
    expect(italianDate('2025-01-31T23:30:00Z')).toBe('1 febbraio 2025')
    expect(italianDate('2025-07-31T22:30:00Z')).toBe('1 agosto 2025')
    expect(italianDate('2025-01-31T22:30:00Z')).toBe('31 gennaio 2025')
  })

  it('agrees with Intl hour by hour around every change of the clocks', () => {
    const format = new Intl.DateTimeFormat('it-IT', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
      timeZone: 'Europe/Rome',
    })
    const differing: string[] = []
    for (let year = 2000; year < 2044; year += 1) {
      for (const month of [2, 9]) {
        for (let hour = 0; hour < 24 * 10; hour += 1) {
          const instant = new Date(Date.UTC(year, month, 23, hour))
          if (italianDate(instant.toISOString()) !== format.format(instant))
            differing.push(instant.toISOString())
        }
      }
    }
    expect(differing).toEqual([])
  })

  it('says nothing for a text that is no instant', () => {
    expect(italianDate('domani')).toBe('')
  })
})

describe('secondAfter', () => {
  it('keeps fractions and gives UTC', () => {
    expect(secondAfter('2025-06-01T10:00:00.250+02:00')).toBe('2025-06-01T08:00:01.250Z')
  })
})
