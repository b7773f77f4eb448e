import { describe, expect, it } from 'vitest'
import { buttonScale, scrolledShare } from './scroll-progress'

describe('buttonScale', () => {
  it('shows nothing up to half of the page', () => {
    expect(buttonScale(0)).toBeNull()
    expect(buttonScale(0.5)).toBeNull()
  })

  it('grows to the end of the page', () => {
    expect(buttonScale(0.51)).toBe(0.81)
    expect(buttonScale(0.75)).toBe(1)
    expect(buttonScale(1)).toBe(1.2)
  })
})

describe('scrolledShare', () => {
  it('is 0 for a page that does not scroll and never leaves 0 to 1', () => {
    expect(scrolledShare(0, 0)).toBe(0)
    expect(scrolledShare(-40, 100)).toBe(0)
    expect(scrolledShare(140, 100)).toBe(1)
  })
})
