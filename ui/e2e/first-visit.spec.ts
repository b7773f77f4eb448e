// What a page asks for before it is first seen, and what waits.

import { expect, pathOf, publicPages, test } from './test'

const faces = ['figtree', 'fraunces', 'fraunces-italic']

/** A face's file without its hash. */
function faceOf(url: string) {
  return /\/assets\/(.+)-[\w-]{8}\.woff2$/.exec(url)?.[1] ?? ''
}

test('an Italian page asks for its three faces alone, each once', async ({ page, site }) => {
  for (const name of publicPages) {
    const path = await pathOf(name, site)
    await page.goto(site.origin + path)
    const asked = await page.evaluate(async () => {
      await document.fonts.ready
      return performance.getEntriesByType('resource').map((entry) => entry.name)
    })
    const fonts = asked.filter((url) => url.endsWith('.woff2'))
    expect(fonts.map(faceOf).toSorted(), path).toEqual(faces)
  }
})

test('letters of other languages bring their part of a face', async ({ page, site }) => {
  await page.goto(site.origin)
  for (const [family, style, face] of [
    ['Fraunces', 'normal', 'fraunces-2'],
    ['Fraunces', 'italic', 'fraunces-italic-2'],
    ['Figtree', 'normal', 'figtree-2'],
  ] as const) {
    const asked = page.waitForRequest((request) => faceOf(request.url()) === face)
    const loaded = await page.evaluate(
      async (font) => (await document.fonts.load(font, 'Zürich, garçon, España')).length,
      `${style} 400 20px ${family}`,
    )
    expect((await (await asked).response())?.status()).toBe(200)
    expect(loaded, family).toBe(2)
  }
})
