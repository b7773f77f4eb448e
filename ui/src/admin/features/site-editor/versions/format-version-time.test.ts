import { describe, expect, it } from 'vitest'
import { formatVersionTimes } from './format-version-time'

const now = Date.parse('2026-11-23T16:00:00Z')
const names = (...moments: string[]) => [...formatVersionTimes(moments, now).values()]

describe('the time of a version', () => {
  it('is said with the day, by the clocks of Rome', () => {
    expect(
      names(
        '2026-11-23T08:12:00Z',
        '2026-11-22T23:30:00Z',
        '2026-11-22T20:00:00Z',
        '2026-11-14T17:40:00Z',
        '2025-11-14T17:40:00Z',
      ),
    ).toEqual([
      'Oggi, 9:12',
      'Oggi, 0:30',
      'Ieri, 21:00',
      '14 novembre, 18:40',
      '14 novembre 2025, 18:40',
    ])
  })

  it('has seconds where two are of one minute', () => {
    expect(names('2026-11-23T08:12:09Z', '2026-11-23T08:12:01Z', '2026-11-23T08:11:00Z')).toEqual([
      'Oggi, 9:12:09',
      'Oggi, 9:12:01',
      'Oggi, 9:11',
    ])
  })
})
