// Tests that the sun in the landscapes of the home page and of the sign-in screen is behind an
// opaque ridge.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

const landscapes = ['dawn.svg', 'dusk.svg', '../../admin/auth/dawn.svg']

/** Returns the drawn elements in paint order. */
function drawn(file: string): readonly string[] {
  const svg = readFileSync(resolve(import.meta.dirname, file), 'utf8')
  return (svg.split('</defs>')[1] ?? '').match(/<(circle|path|rect)[^>]*>/g) ?? []
}

// Regression: the sun shone through the ridge in front of it.
it('draws the sun behind an opaque ridge', () => {
  for (const file of landscapes) {
    const all = drawn(file)
    const sun = all.findLastIndex((one) => one.startsWith('<circle'))
    const middle = Number(/cy="(\d+)"/.exec(all[sun] ?? '')?.[1])
    const radius = Number(/ r="(\d+)"/.exec(all[sun] ?? '')?.[1])
    expect(sun, file).toBeGreaterThan(0)
    const ridge = all[sun + 1] ?? ''
    expect(ridge, file).toMatch(/^<path d="M0 /)
    expect(ridge, file).not.toContain('opacity')
    const top = Math.min(...[...ridge.matchAll(/(\d+)C/g)].map(([, y]) => Number(y)))
    expect(top, file).toBeLessThan(middle + radius)
    const svg = readFileSync(resolve(import.meta.dirname, file), 'utf8')
    const ground = /fill="url\(#(\w+)\)"/.exec(ridge)?.[1]
    const stops = new RegExp(`id="${ground}".*?</linearGradient>`).exec(svg)?.[0]
    expect(stops, file).toContain('stop-color')
    expect(stops, file).not.toContain('opacity')
  }
})
