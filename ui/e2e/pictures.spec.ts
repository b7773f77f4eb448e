// Pictures as the browser takes them: no more bytes than the layout shows, the first one first.

import { expect, pathOf, publicPages, test } from './test'

/** A picture may be asked for this much larger than it is shown: layouts change between breakpoints. */
const slotMax = 1.4
/** And this much smaller: nobody sees it. */
const slotMin = 0.9

test('pictures are asked for in the size that the layout gives them', async ({ page, site }) => {
  test.slow()
  const faults: string[] = []
  let seen = 0
  for (const width of [375, 768, 1100, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of publicPages) {
      await page.goto(site.origin + (await pathOf(name, site)), { waitUntil: 'load' })
      const pictures = await page.locator('main img[sizes]').evaluateAll(async (images) => {
        const found: { label: string; slot: number; needed: number }[] = []
        for (const image of images as HTMLImageElement[]) {
          image.loading = 'eager'
          await image.decode().catch(() => undefined)
          const { width, height } = image.getBoundingClientRect()
          if (width === 0) continue
          const aspect = Number(image.getAttribute('width')) / Number(image.getAttribute('height'))
          // What covers its box is wider than the box when the box is taller.
          const covers = getComputedStyle(image).objectFit === 'cover'
          const needed = covers ? Math.max(width, height * aspect) : width
          // With widths in `srcset`, the natural width is the one that `sizes` asks for.
          found.push({ label: image.currentSrc, slot: image.naturalWidth, needed })
        }
        return found
      })
      for (const { label, slot, needed } of pictures) {
        seen += 1
        if (slot > needed * slotMax || slot < needed * slotMin)
          faults.push(`${name} at ${width}: asks for ${slot}, needs ${Math.round(needed)} ${label}`)
      }
    }
  }
  expect(seen).toBeGreaterThan(40)
  expect(faults.join('\n')).toBe('')
})
