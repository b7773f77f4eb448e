// Tests the choice of picture files: no more bytes than the layout needs, the first picture with priority.

import { expect, pathOf, publicPages, test } from './test'

/** Maximum ratio of requested to displayed width: layouts change between breakpoints. */
const slotMax = 1.4
/** Minimum ratio: the loss of sharpness is not visible. */
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
          // With object-fit: cover, a picture is wider than its box when the box is taller.
          const covers = getComputedStyle(image).objectFit === 'cover'
          const needed = covers ? Math.max(width, height * aspect) : width
          // With widths in `srcset`, the natural width is the one that `sizes` selects.
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

test('the largest picture of a first view is fetched at once, what lies below when it comes near', async ({
  page,
  site,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  let largest = 0
  let below = 0
  for (const name of publicPages) {
    await page.goto(site.origin + (await pathOf(name, site)), { waitUntil: 'load' })
    const found = await page.evaluate(async () => {
      const entry = await new Promise<PerformanceEntry | undefined>((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1))).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        })
      })
      const { element } = entry as PerformanceEntry & { element: Element | null }
      const pictures = [...document.querySelectorAll<HTMLImageElement>('main img[sizes]')]
      const isBelow = (image: HTMLImageElement) =>
        image.getBoundingClientRect().top > 2 * window.innerHeight
      return {
        largest: element instanceof HTMLImageElement ? element.loading : null,
        below: pictures.filter(isBelow).map((image) => image.loading),
      }
    })
    if (found.largest) expect(found.largest, name).not.toBe('lazy')
    for (const loading of found.below) expect(loading, name).toBe('lazy')
    largest += found.largest ? 1 : 0
    below += found.below.length
  }
  expect(largest).toBeGreaterThan(1)
  expect(below).toBeGreaterThan(3)
})

test('every crop keeps the focal point: card, head of the page, preview for messengers', async ({
  admin,
  fresh,
}) => {
  const [event] = await (await admin.request.get(`${fresh.origin}/api/admin/events`)).json()
  const social = async () => {
    await admin.goto(`${fresh.origin}/evento/${event.id}`)
    const address = await admin.locator('meta[property="og:image"]').getAttribute('content')
    const path = new URL(address ?? '').pathname
    return (await admin.request.get(fresh.origin + path)).body()
  }
  const before = await social()
  const answer = await admin.request.put(`${fresh.origin}/api/admin/events/${event.id}`, {
    data: { ...event, imageFocusX: 0, imageFocusY: 100 },
    headers: { origin: fresh.origin },
  })
  expect(answer.status()).toBe(200)
  expect((await social()).equals(before)).toBe(false)
  const head = admin.getByRole('main').locator('img[sizes]').first()
  // The frames of this picture cut it at the sides only.
  await expect(head).toHaveCSS('object-position', /^0% /)
  await admin.goto(`${fresh.origin}/eventi`)
  const card = admin.getByRole('article').filter({ hasText: event.title }).locator('img[sizes]')
  await expect(card).toHaveCSS('object-position', /^0% /)
})
