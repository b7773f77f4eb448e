import { describe, expect, it } from 'vitest'
import { growthStep, scrolledShare } from './scrolled'

describe('growthStep', () => {
  it('shows nothing up to half of the page', () => {
    expect(growthStep(0)).toBeNull()
    expect(growthStep(0.5)).toBeNull()
  })

  it('grows from the smallest step to the largest', () => {
    expect(growthStep(0.51)).toBe(0)
    expect(growthStep(0.75)).toBe(5)
    expect(growthStep(1)).toBe(10)
  })
})

describe('scrolledShare', () => {
  it('is 0 for a page that does not scroll and never leaves 0 to 1', () => {
    expect(scrolledShare(0, 0)).toBe(0)
    expect(scrolledShare(-40, 100)).toBe(0)
    expect(scrolledShare(140, 100)).toBe(1)
  })
})
