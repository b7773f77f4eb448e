import { expect, test } from 'vitest'
import { scrimStrength, strengthMax, strengthMin } from './scrim'

const contrastOn = ([red, green, blue]: readonly [number, number, number], strength: number) => {
  const linear = (byte: number, tone: number) => {
    const part = (byte * (1 - strength) + tone * strength) / 255
    return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
  }
  const ground = 0.2126 * linear(red, 10) + 0.7152 * linear(green, 40) + 0.0722 * linear(blue, 42)
  return 1.05 / (ground + 0.05)
}

test('the scrim is as weak as white text allows on the brightest pixel', () => {
  const dark = [40, 60, 70, 255]
  for (const pixel of [
    [255, 255, 255],
    [250, 220, 120],
    [150, 170, 190],
    [200, 90, 40],
  ] as const) {
    const strength = scrimStrength([...dark, ...pixel, 255, ...dark])
    expect(contrastOn(pixel, strength), `${pixel}`).toBeGreaterThanOrEqual(4.7)
    if (strength > strengthMin && strength < strengthMax)
      expect(contrastOn(pixel, strength - 0.04), `${pixel}`).toBeLessThan(4.8)
  }
})

test('a dark photograph has the weakest scrim', () => {
  expect(scrimStrength([40, 60, 70, 255])).toBe(strengthMin)
})
