// Tests the scrim between the photographs and the text at the top of the home page: both stay recognisable.

import type { FrameLocator, Page } from '@playwright/test'
import { italian } from './italian'
import { answerCookies, expect, test } from './test'

/** Publishes one picture, drawn by `draw` in the page, in both fields of the opening. */
async function open(page: Page, origin: string, draw: () => string) {
  const jpeg = Buffer.from(await page.evaluate(draw), 'base64')
  const headers = { origin }
  const path = `${origin}/api/admin/upload`
  const { uploadURL } = await (await page.request.post(path, { headers })).json()
  const stored = await page.request.put(uploadURL, {
    data: jpeg,
    headers: { ...headers, 'content-type': 'image/jpeg' },
  })
  const { imageUrl } = await stored.json()
  const answer = await page.request.put(`${origin}/api/admin/settings`, {
    data: { heroImageOne: imageUrl, heroImageTwo: imageUrl },
    headers,
  })
  expect(answer.ok()).toBe(true)
}

/** Returns the luminances behind the text of the selected elements, in ascending order. */
async function groundsUnder(page: Page, selector: string, every = 17): Promise<readonly number[]> {
  // The layout is final after hydration.
  await page.locator('html[data-hydrated]').waitFor({ state: 'attached' })
  const boxes = await page.evaluate(async (wanted) => {
    const opening = document.querySelector('main section:has(h1)')
    const pictures = [...(opening?.querySelectorAll('img') ?? [])]
    await Promise.all(pictures.map((one) => one.decode()))
    // Waits for the fonts: text that moved between measurement and screenshot ended on the white button.
    await document.fonts.ready
    await new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))
    for (const one of document.querySelectorAll<HTMLElement>('header *, main section:has(h1) *')) {
      one.style.setProperty('-webkit-text-fill-color', 'transparent')
      one.style.setProperty('text-shadow', 'none')
    }
    const range = document.createRange()
    return [...document.querySelectorAll(wanted)].flatMap((one) => {
      range.selectNodeContents(one)
      return [...range.getClientRects()].map(({ x, y, width, height }) => ({ x, y, width, height }))
    })
  }, selector)
  expect(boxes.length).toBeGreaterThan(0)
  const png = (await page.screenshot()).toString('base64')
  // The Content Security Policy of the page does not allow scripts to read the screenshot.
  const blank = await page.context().newPage()
  const all = await blank.evaluate(
    async ({ png, boxes, every }) => {
      const bitmap = await createImageBitmap(
        await (await fetch(`data:image/png;base64,${png}`)).blob(),
      )
      const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
      const context = canvas.getContext('2d', { willReadFrequently: true })
      if (context === null) throw new Error('no canvas')
      context.drawImage(bitmap, 0, 0)
      const linear = (byte = 0) => {
        const part = byte / 255
        return part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      }
      return boxes.flatMap(({ x, y, width, height }) => {
        const shown = Math.min(height, canvas.height - y)
        if (width < 1 || shown < 1) return []
        const { data } = context.getImageData(x, y, width, shown)
        const grounds: number[] = []
        for (let at = 0; at < data.length; at += 4 * every)
          grounds.push(
            0.2126 * linear(data[at]) +
              0.7152 * linear(data[at + 1]) +
              0.0722 * linear(data[at + 2]),
          )
        return grounds
      })
    },
    { png, boxes, every },
  )
  await blank.close()
  expect(all.length, selector).toBeGreaterThan(0)
  return all.sort((one, other) => one - other)
}

/** In the browser: a white picture. */
function snow(): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: 1920, height: 1200 })
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('no canvas')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg').split(',')[1] ?? ''
}

/** In the browser: the first illustration of the opening, as a photograph. */
function landscape(): string {
  const image = document.querySelector<HTMLImageElement>('main section:has(h1) img')
  const canvas = Object.assign(document.createElement('canvas'), { width: 1920, height: 1200 })
  const context = canvas.getContext('2d')
  if (image === null || context === null) throw new Error('nothing is drawn')
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  return canvas.toDataURL('image/jpeg', 0.95).split(',')[1] ?? ''
}

const inOpening = 'main section:has(h1) :is(h1, p)'

test('words are read over the brightest photograph', async ({ admin: page, fresh }) => {
  test.slow()
  // On the smallest screen the white cookie banner would cover the second button.
  await answerCookies(page)
  await page.goto(fresh.origin)
  await open(page, fresh.origin, snow)
  for (const [width, height] of [
    [1440, 900],
    [1024, 700],
    [768, 900],
    [375, 812],
    // Here the text begins close below the menu.
    [375, 640],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(fresh.origin)
    for (const selector of [inOpening, 'header a', 'main section:has(h1) a + a']) {
      const brightest = (await groundsUnder(page, selector)).at(-1) ?? 1
      const contrast = 1.05 / (brightest + 0.05)
      expect(contrast, `${selector} at ${width}x${height}`).toBeGreaterThanOrEqual(4.5)
    }
    const dots = await groundsUnder(page, 'main section:has(h1) fieldset', 1)
    const around = (dots.at(-1) ?? 0) + 0.05
    expect(around / ((dots[0] ?? 1) + 0.05), `${width}x${height}`).toBeGreaterThanOrEqual(3)
  }
})

/** Luminances along a line of the window, from a screenshot without the text. */
async function lineOf(page: Page, along: 'x' | 'y', at: number): Promise<readonly number[]> {
  await groundsUnder(page, inOpening)
  await page.evaluate(() => {
    for (const one of document.querySelectorAll<HTMLElement>('a, button, aside'))
      one.style.setProperty('visibility', 'hidden')
  })
  const png = (await page.screenshot()).toString('base64')
  const blank = await page.context().newPage()
  const line = await blank.evaluate(
    async ({ png, along, at }) => {
      const answer = await fetch(`data:image/png;base64,${png}`)
      const bitmap = await createImageBitmap(await answer.blob())
      const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d', {
        willReadFrequently: true,
      })
      if (context === null) throw new Error('no canvas')
      context.drawImage(bitmap, 0, 0)
      const { width, height } = bitmap
      const { data } =
        along === 'x'
          ? context.getImageData(0, at, width, 1)
          : context.getImageData(at, 0, 1, height)
      const grounds: number[] = []
      for (let index = 0; index < data.length; index += 4)
        grounds.push(
          (0.2126 * (data[index] ?? 0) +
            0.7152 * (data[index + 1] ?? 0) +
            0.0722 * (data[index + 2] ?? 0)) /
            255,
        )
      return grounds
    },
    { png, along, at },
  )
  await blank.close()
  return line
}

// Regression: at 1366 px the scrim was a grey box with an edge at its right, over a white stripe.
test('the scrim over a bright photograph has no edge and leaves no stripe', async ({
  admin: page,
  fresh,
}) => {
  test.slow()
  await answerCookies(page)
  await page.goto(fresh.origin)
  await open(page, fresh.origin, snow)
  for (const [width, height] of [
    [1440, 900],
    [1366, 768],
    [768, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    await page.goto(fresh.origin)
    const tall = (await page.locator('main section:has(h1)').boundingBox())?.height ?? 0
    const down = (await lineOf(page, 'y', 40)).slice(0, Math.min(tall, height))
    const across = await lineOf(page, 'x', Math.round(height * 0.55))
    for (const [name, line] of Object.entries({ down, across })) {
      const step = Math.max(
        ...line.slice(2).map((one, index) => Math.abs(one - (line[index] ?? 0))),
      )
      expect(step, `${name} at ${width}`).toBeLessThan(0.02)
    }
    // Behind the text it ends at no height: on a wide screen the photograph came back below the buttons.
    if (width >= 960) expect(Math.max(...down), `${width}`).toBeLessThan(0.55)
  }
})

test('the scrim is as strong as its photograph is bright, in the editor too', async ({
  admin: page,
  fresh,
}) => {
  test.slow()
  await answerCookies(page)
  const strength = (shown: Page | FrameLocator = page) =>
    shown
      .locator('[data-scrim]')
      .evaluate((opening) => Number((opening as HTMLElement).style.getPropertyValue('--veil')))
  await page.goto(fresh.origin)
  for (const [draw, least, most] of [
    [landscape, 0.2, 0.56],
    [snow, 0.6, 0.64],
  ] as const) {
    await open(page, fresh.origin, draw)
    await page.goto(fresh.origin)
    await expect.poll(() => strength()).toBeGreaterThanOrEqual(least)
    expect(await strength()).toBeLessThanOrEqual(most)
    // Regression: no script runs in the editor's preview, and the scrim stayed at its maximum.
    await page.goto(`${fresh.origin}/admin#/pagine/home`)
    const frame = page.frameLocator('iframe')
    await expect.poll(() => strength(frame)).toBeGreaterThanOrEqual(least)
    expect(await strength(frame)).toBeLessThanOrEqual(most)
    await page.goto(fresh.origin)
    await expect.poll(() => strength()).toBeGreaterThanOrEqual(least)
    const brightest = (await groundsUnder(page, inOpening)).at(-1) ?? 1
    expect(1.05 / (brightest + 0.05)).toBeGreaterThanOrEqual(4.5)
  }
})

test('the practitioner can make the scrim darker than the text needs', async ({
  admin: page,
  fresh,
}) => {
  await answerCookies(page)
  const strength = (shown: Page | FrameLocator = page) =>
    shown
      .locator('[data-scrim]')
      .evaluate((opening) => Number((opening as HTMLElement).style.getPropertyValue('--veil')))
  await page.goto(fresh.origin)
  await open(page, fresh.origin, landscape)
  await page.goto(fresh.origin)
  await expect.poll(() => strength()).toBeGreaterThan(0)
  const measured = await strength()
  await page.goto(`${fresh.origin}/admin#/pagine/home`)
  const frame = page.frameLocator('iframe')
  await frame.getByRole('heading', { level: 1 }).click()
  const darker = page.getByRole('combobox', { name: 'Velo sulle fotografie' })
  await expect(darker.locator('option:checked')).toHaveText('Quanto serve per leggere')
  await darker.selectOption({ label: 'Molto più scuro' })
  await expect.poll(() => strength(frame)).toBeGreaterThan(measured + 0.2)
  await page.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(page.getByText(/aggiorna(ta|te) in \d+ ms/)).toBeVisible()
  await page.goto(fresh.origin)
  await expect.poll(() => strength()).toBeGreaterThan(measured + 0.2)
})

// Regression: photographs had a scrim as strong as that of the illustrations.
test('a photograph is seen through its scrim more clearly than a drawing', async ({
  admin: page,
  fresh,
}) => {
  const mean = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length
  await answerCookies(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(fresh.origin)
  const picture = await page.evaluate(landscape)
  const drawn = mean(await groundsUnder(page, 'main h1'))
  await page.goto(fresh.origin)
  await open(page, fresh.origin, landscape)
  expect(picture.length).toBeGreaterThan(10_000)
  await page.goto(fresh.origin)
  await expect(page.locator('[data-scrim][style*="--veil"]')).toHaveCount(1)
  const photographed = mean(await groundsUnder(page, 'main h1'))
  expect(photographed / drawn).toBeGreaterThan(1.25)
})
