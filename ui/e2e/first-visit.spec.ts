// Tests which resources a page requests before its first paint, and which later.

import type { Browser, Request } from '@playwright/test'

import { expect, pathOf, publicPages, test } from './test'

const faces = ['figtree', 'fraunces', 'fraunces-italic']

/** The name of a font file without its hash. */
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
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  for (const [family, style, face] of [
    ['Fraunces', 'normal', 'fraunces-2'],
    ['Fraunces', 'italic', 'fraunces-italic-2'],
    ['Figtree', 'normal', 'figtree-2'],
  ] as const) {
    const asked = page.waitForRequest((request) => faceOf(request.url()) === face)
    const loaded = await page.evaluate(async (font) => {
      const faces = await document.fonts.load(font, 'Zürich, garçon, España')
      return new Set(faces.map(({ unicodeRange }) => unicodeRange)).size
    }, `${style} 400 20px ${family}`)
    expect((await (await asked).response())?.status()).toBe(200)
    expect(loaded, family).toBe(2)
  }
})

/**
 * Returns position and style of every element without scripts:
 * with the inlined rules alone, or with the whole style sheet.
 */
async function looks(browser: Browser, address: string, width: number, isWhole: boolean) {
  const context = await browser.newContext({ viewport: { width, height: 800 } })
  const page = await context.newPage()
  // Empty scripts: where they fail, the page shows what otherwise waits for a press.
  await page.route(/\.js$/, (route) => route.fulfill({ contentType: 'text/javascript', body: '' }))
  if (!isWhole) await page.route(/\/style-.*\.css$/, (route) => route.abort())
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const sheet = (request: Request) => /\/style-.*\.css$/.test(request.url())
  const ended = isWhole
    ? page.waitForEvent('requestfinished', sheet)
    : page.waitForEvent('requestfailed', sheet)
  await page.goto(address)
  await ended
  const rules = () => page.evaluate(() => document.styleSheets[1]?.cssRules.length ?? 0)
  if (isWhole) await expect.poll(rules).toBeGreaterThan(100)
  const found = await page.evaluate(async () => {
    await document.fonts.ready
    return [...document.querySelectorAll('body, #app *')].map((element) => {
      const { x, y, width, height } = element.getBoundingClientRect()
      const style = getComputedStyle(element)
      const seen = [style.color, style.backgroundColor, style.fontFamily, style.fontSize]
      return [element.localName, x, y, width, height, style.display, ...seen].join(' ')
    })
  })
  await context.close()
  return found
}

for (const width of [375, 1440]) {
  test(`with the rules that it brings along a page looks as with the whole sheet, ${width}`, async ({
    browser,
    site,
  }) => {
    for (const name of publicPages) {
      const address = site.origin + (await pathOf(name, site))
      const whole = await looks(browser, address, width, true)
      expect(whole.length, address).toBeGreaterThan(50)
      expect(await looks(browser, address, width, false), address).toEqual(whole)
    }
  })
}

test('sheet and scripts are asked for when the page has been painted', async ({ page, site }) => {
  await page.goto(site.origin)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  const { painted, late } = await page.evaluate(() => {
    const entries = performance.getEntriesByType('resource')
    const later = entries.filter(({ name }) => /\.(js|css|webmanifest)$/.test(name))
    const paint = performance.getEntriesByName('first-contentful-paint')[0]
    return {
      painted: paint?.startTime ?? Number.POSITIVE_INFINITY,
      late: later.map((one) => one.startTime),
    }
  })
  expect(late.length).toBeGreaterThan(3)
  expect(Math.min(...late)).toBeGreaterThan(painted)
})

test('a sheet that does not come keeps no page from answering', async ({ page, site }) => {
  await page.route(/\/style-.*\.css$/, (route) => route.abort())
  await page.goto(site.origin)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
})

// Regression: the next page was rendered with the rules of the former page, and a list of two screens was twenty high.
test('without the sheet the browser itself goes to the next page, which brings its rules', async ({
  page,
  site,
}) => {
  await page.route(/\/style-.*\.css$/, (route) => route.abort())
  const height = () => page.evaluate(() => document.documentElement.scrollHeight)
  await page.goto(`${site.origin}/testimonianze`)
  const whole = await height()
  await page.goto(`${site.origin}/contatti`)
  await page.locator('a[href="/testimonianze"]').first().click()
  await expect(page).toHaveURL(/\/testimonianze$/)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await expect.poll(height).toBe(whole)
  await page.goBack()
  await expect(page).toHaveURL(/\/contatti$/)
  await expect(page.locator('main h1')).toHaveCount(1)
})

test('without scripts the whole sheet is there too', async ({ browser, site }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  const asked = page.waitForRequest(/\/style-.*\.css$/)
  await page.goto(site.origin)
  expect((await (await asked).response())?.status()).toBe(200)
  await context.close()
})
