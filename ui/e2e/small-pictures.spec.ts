// Tests a picture of 90 × 60 px in every place: it stays small instead of being scaled up and blurred.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Page } from '@playwright/test'
import { italian } from './italian'
import { expect, test } from './test'

const tiny = readFileSync(resolve(import.meta.dirname, 'hard-content/coffee-tiny.jpg'))

const openings = ['contatti', 'eventi', 'testimonianze', 'blog', 'servizi', 'rebirthing']

/** Returns the scale factor of each picture, with the file that the browser chose. */
function scales(page: Page): Promise<{ source: string; times: number }[]> {
  return page.evaluate(async () => {
    const images = [...document.querySelectorAll<HTMLImageElement>('img[sizes]')]
    for (const image of images) image.loading = 'eager'
    await Promise.all(images.map((image) => image.decode().catch(() => null)))
    return images.map((image) => {
      // Layout size without transforms: the cover of the book is rotated a little.
      const { offsetWidth: width, offsetHeight: height } = image
      const [own, tall] = [image.getAttribute('width'), image.getAttribute('height')].map(Number)
      const times = Math.max(width / (own ?? 1), height / (tall ?? 1))
      return { source: image.currentSrc, times: Math.round(times * 100) / 100 }
    })
  })
}

test('a tiny picture is drawn at no more than twice its pixels, wherever it was put', async ({
  admin: page,
  fresh,
}) => {
  test.slow()
  const { origin } = fresh
  const headers = { origin }
  const put = async (path: string, data: object) => {
    const answer = await page.request.put(origin + path, { data, headers })
    expect(answer.ok(), path).toBe(true)
  }
  const asked = await page.request.post(`${origin}/api/admin/upload`, { headers })
  const { uploadURL } = await asked.json()
  const stored = await page.request.put(uploadURL, {
    data: tiny,
    headers: { ...headers, 'content-type': 'image/jpeg' },
  })
  const { imageUrl } = await stored.json()
  await put('/api/admin/settings', {
    heroImageOne: imageUrl,
    heroImageTwo: imageUrl,
    portraitImage: imageUrl,
    bookImage: imageUrl,
  })
  for (const name of openings) {
    const block = `/api/admin/words/${name}.hero`
    const { value } = await (await page.request.get(origin + block)).json()
    const picture = { path: imageUrl, alt: '', decorative: true, focusX: 50, focusY: 50 }
    await put(block, { value: { ...value, picture }, hidden: false })
  }
  const made: Record<string, string> = {}
  for (const [kind, fields] of [
    ['events', { title: 'Serata' }],
    ['blog', { title: 'Appunti', slug: 'appunti', content: 'Uno.' }],
    ['photo-gallery', { title: 'La pausa' }],
    ['special-thanks', { title: 'Lettera' }],
    ['media-features', { title: 'Articolo' }],
  ] as const) {
    const answer = await page.request.post(`${origin}/api/admin/${kind}`, {
      data: { ...fields, imageUrl, published: true },
      headers,
    })
    made[kind] = (await answer.json()).id
  }
  const places = ['/', '/chi-sono', `/evento/${made.events}`, '/blog/appunti']
  const pages = [...places, ...openings.map((name) => `/${name}`)]
  const own = (all: Awaited<ReturnType<typeof scales>>) =>
    all.filter(({ source }) => source.includes(imageUrl))
  for (const [width, height] of [
    [1920, 1080],
    [375, 812],
  ] as const) {
    await page.setViewportSize({ width, height })
    for (const path of pages) {
      await page.goto(origin + path)
      const seen = own(await scales(page))
      expect(seen.length, path).toBeGreaterThan(0)
      for (const { times } of seen) expect(times, `${path} at ${width}`).toBeLessThanOrEqual(2.01)
    }
    // Regression: the cards, or the message in their place, covered the picture.
    await page.goto(`${origin}/contatti`)
    const picture = await page.locator('main [data-small] img[sizes]').boundingBox()
    const below = await page.locator('main > section:first-child + *').boundingBox()
    expect((picture?.y ?? 0) + (picture?.height ?? 0)).toBeLessThan(below?.y ?? 0)
    await page.goto(`${origin}/testimonianze`)
    await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
    await page.getByRole('link', { name: 'La pausa' }).click()
    const dialog = page.getByRole('dialog', { name: italian.immagineIngrandita })
    await expect(dialog.locator('img[sizes]')).toBeVisible()
    for (const { times } of own(await scales(page))) expect(times).toBeLessThanOrEqual(2.01)
  }
})
