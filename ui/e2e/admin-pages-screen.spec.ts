// Tests of a screen that changes while the admin types: the on-screen keyboard opens, the device is rotated.

import type { Locator, Page } from '@playwright/test'
import { ask, expect, removeDrafts } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, reset, test } from './pages-kit'

const FIELD = '[id="w-servizi.offers-offers-3-description"]'
const WORDS = '[data-words="servizi.offers:offers[3].description"]'

/** Opens the sheet of a text far down its form, and focuses its field. */
async function openSheet(panel: Page) {
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const words = panel.frameLocator('iframe').locator(WORDS).first()
  await words.click({ timeout: drawnMs })
  const field = panel.getByRole('complementary').locator(FIELD)
  await expect(field).toBeFocused()
  return { words, field }
}

/** Whether the element lies between two heights of the screen, with at least 40 px (two lines) of it. */
async function isBetween(one: Locator, from: number, to: number) {
  const box = await one.boundingBox()
  return box !== null && box.y >= from && box.y + Math.min(box.height, 40) <= to
}

// Headless browsers show no on-screen keyboard; this imitates the visualViewport that a phone reports.
function keyboard(panel: Page, height: number, offsetTop: number) {
  return panel.evaluate(
    (told) => {
      const viewport = window.visualViewport
      if (viewport === null) return
      for (const [name, value] of Object.entries(told)) {
        Object.defineProperty(viewport, name, { value, configurable: true })
      }
      viewport.dispatchEvent(new Event('resize'))
    },
    { height, offsetTop },
  )
}

test('the sheet and the words over it stand over the keyboard of a phone', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  const { words, field } = await openSheet(panel)
  const sheet = panel.getByRole('complementary')
  for (const top of [0, 120]) {
    await keyboard(panel, 430, top)
    const edges = () =>
      sheet.evaluate((side) => {
        const { top, bottom } = side.getBoundingClientRect()
        return [Math.round(top), Math.round(bottom)]
      })
    await expect.poll(async () => (await edges())[1]).toBe(430 + top)
    // The sheet is as high as its form, which may still grow: its upper edge is measured each time.
    const start = async () => (await edges())[0] ?? 0
    const most = Math.ceil(430 * 0.62)
    await expect.poll(async () => 430 + top - (await start()) <= most).toBe(true)
    await expect.poll(async () => isBetween(field, await start(), 430 + top)).toBe(true)
    await expect.poll(async () => isBetween(words, top, await start())).toBe(true)
  }
  await keyboard(panel, 740, 0)
  const { bottom } = await sheet.evaluate((side) => side.getBoundingClientRect())
  expect(Math.round(bottom)).toBe(740)
})

test('a phone that is turned keeps the words and their field in sight', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  const { words, field } = await openSheet(panel)
  const sheet = panel.getByRole('complementary')
  for (const [width, height] of [
    [740, 360],
    [360, 740],
  ] as const) {
    await panel.setViewportSize({ width, height })
    const seen = async () => {
      const box = await sheet.boundingBox()
      const head = await sheet.getByRole('heading').first().boundingBox()
      if (box === null || head === null) return null
      return [
        await isBetween(field, head.y + head.height, height),
        await isBetween(words, 0, box.y + 1),
      ]
    }
    await expect.poll(seen, `${width}x${height}`).toEqual([true, true])
    await expect(field).toBeFocused()
  }
})

// The panel beside the page is another component than the sheet over it.
test('a tablet that is turned keeps the panel that is typed in', async ({ panel }) => {
  await panel.setViewportSize({ width: 1024, height: 768 })
  await openPage(panel, 'servizi')
  const aside = panel.getByRole('complementary')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/servizi.hero%3Atitle`)
  const field = aside.getByLabel(italian.titolo, { exact: true })
  await field.fill('A metà')
  await panel.setViewportSize({ width: 768, height: 1024 })
  await expect(field).toBeFocused()
  await expect(field).toBeInViewport()
  await aside.getByRole('button', { name: 'Fatto' }).click()
  await expect(aside).toHaveCount(0)
  await reset(panel, 'servizi.hero')
})

for (const width of [360, 1440]) {
  test(`a price stands beside its currency, not in it (${width})`, async ({ panel }) => {
    await panel.setViewportSize({ width, height: 800 })
    await panel.goto(
      `${originOf(panel)}/admin#/pagine/servizi/servizi.offers%3Aoffers%5B0%5D.price`,
    )
    const price = panel.locator('[id="w-servizi.offers-offers-0-price"]')
    await expect(price).toBeVisible({ timeout: drawnMs })
    const currency = panel.locator('[id="w-servizi.offers-offers-0-price-currency"]')
    const [one, other] = [await price.boundingBox(), await currency.boundingBox()]
    expect((other?.x ?? 0) - (one?.x ?? 0) - (one?.width ?? 0)).toBeGreaterThanOrEqual(8)
    const label = panel.locator('label[for="w-servizi.offers-offers-0-price"]').locator('..')
    const over = await label.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
    expect(over).toBe(0)
    await expect(price).toHaveAttribute('aria-required', 'true')
  })
}

/** Expects that pressed or selected elements are painted differently from the others. */
async function expectTold(all: Locator, on: string) {
  const paints = (some: Locator) =>
    some.evaluateAll((elements) =>
      elements.map((element) => {
        const { backgroundColor, color } = getComputedStyle(element)
        return `${color} on ${backgroundColor}`
      }),
    )
  const chosen = all.and(all.page().locator(on))
  await expect(chosen.first()).toBeVisible({ timeout: drawnMs })
  const [pressed = ''] = await paints(chosen)
  const [ink, ground] = pressed.split(' on ')
  expect(ink).not.toBe(ground)
  expect(await paints(all.and(all.page().locator(`:not(${on})`)))).not.toContain(pressed)
}

test('forced colours tell what is pressed, chosen or open from the rest', async ({ panel }) => {
  await panel.emulateMedia({ forcedColors: 'active' })
  await panel.goto(`${originOf(panel)}/admin#/contenuti`)
  await expectTold(panel.locator('nav a'), '[aria-current]')
  await expectTold(panel.getByRole('tab'), '[aria-selected=true]')
  const hero = '/api/admin/words/servizi.hero'
  const { value } = await ask<{ value: object }>(panel, 'GET', hero)
  for (const title of ['Prima', 'Seconda']) {
    await ask(panel, 'PUT', hero, { value: { ...value, title } })
  }
  await openPage(panel, 'servizi')
  await expectTold(
    panel.getByRole('button', { name: /^(Computer|Telefono)$/ }),
    '[aria-pressed=true]',
  )
  await panel.locator('main details summary').first().click()
  await expectTold(panel.locator('main details li a'), '[aria-current]')
  const place = encodeURIComponent('servizi.hero:@versioni')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  const dialog = panel.getByRole('dialog', { name: 'Versioni' })
  await expectTold(dialog.locator('ol button'), '[aria-pressed=true]')
  await expectTold(dialog.locator('label'), ':has(:checked)')
  await reset(panel, 'servizi.hero')
})

// Regression: the header of the sheet wrapped its title to one letter a line and pushed the field below the screen;
// the list of pages, the answers and the bar overflowed sideways.
test('a phone with letters twice as large shows all of it', async ({
  playwright,
  launchOptions,
  house,
  atEnd,
}) => {
  const large = '--blink-settings=prefersReducedTransparency=true,defaultFontSize=32'
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [...(launchOptions.args ?? []), large],
  })
  atEnd(() => browser.close())
  // The offer of a draft of another test would lie over the words.
  await removeDrafts(house)
  const panel = await browser.newPage({ viewport: { width: 360, height: 740 } })
  await panel
    .context()
    .addCookies([{ name: 'respiro-session', value: house.cookie, url: house.origin }])
  await panel.goto(`${house.origin}/admin#/pagine`)
  const wideness = (selector: string) =>
    panel.locator(selector).evaluate((element) => element.scrollWidth - element.clientWidth)
  await panel.getByRole('button', { name: 'Leggi le frasi' }).click()
  await expect(panel.getByRole('button', { name: italian.eVero }).first()).toBeVisible()
  await expect.poll(() => wideness('html')).toBe(0)
  const { field } = await openSheet(panel)
  await expect.poll(() => wideness('aside')).toBe(0)
  await expect.poll(() => wideness('html')).toBe(0)
  const head = await panel.locator('aside > div').first().boundingBox()
  expect(head?.height).toBeLessThan(200)
  await expect(field).toBeInViewport({ ratio: 0.3 })
  await expect(panel.getByRole('button', { name: italian.pubblica, exact: true })).toBeInViewport({
    ratio: 1,
  })
})

// Regression: a phone shows little of the page above the sheet, and the green messaging button covered that.
test('over the words that are typed on a phone lies no button of the page', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  const frame = panel.frameLocator('iframe')
  const button = frame.locator('aside [data-words="header.messaging:label"]').last()
  await openSheet(panel)
  await expect(button).toBeHidden()
  await panel.getByRole('button', { name: 'Fatto' }).click()
  await expect(button).toBeVisible()
})
