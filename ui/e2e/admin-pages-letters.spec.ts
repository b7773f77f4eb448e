// Tests of typing without a pause on the page: the device stores
// each character, the form receives them after the pause.

import { expect } from './admin-kit'
import { originOf } from './admin-screen'
import { drawnMs, openPage, test } from './pages-kit'

const PLACES = [
  { page: 'servizi', path: 'servizi.hero:title', field: 'w-servizi.hero-title' },
  {
    page: 'cookie',
    path: 'legal.cookies:sections[0].text',
    field: 'w-legal.cookies-sections-0-text',
  },
] as const
/** Delay between keys: shorter than the flush pause, for longer than text may stay unstored. */
const BETWEEN_MS = 100
const LETTERS = 40
/** Delay between keys: longer than the storage interval, shorter than the flush pause. */
const SLOW_MS = 300
const SLOW_LETTERS = 5

for (const { page, path, field } of PLACES) {
  // Regression: the form polled its text four times a second and flushed it each time: every second character
  // re-rendered the whole panel and requested the page.
  test(`who types on without a pause is kept, and the form follows in it (${page})`, async ({
    panel,
  }) => {
    await panel.clock.install()
    const frame = await openPage(panel, page)
    const text = frame.locator(`[data-words="${path}"]`)
    await text.click()
    const form = panel.locator(`[id="${field}"]`)
    const shown = () =>
      form.evaluate((element) =>
        'value' in element ? String(element.value) : (element.textContent ?? ''),
      )
    await expect.poll(shown).not.toBe('')
    await expect(text).toHaveAttribute('contenteditable', /true|plaintext-only/)
    await panel.keyboard.press('End')
    await panel.clock.pauseAt(new Date(Date.now() + 60_000))
    await panel.keyboard.press('x')
    await panel.clock.runFor(1_000)
    await expect.poll(shown).toContain('x')
    for (let letter = 0; letter < LETTERS; letter += 1) {
      await panel.keyboard.press('y')
      await panel.clock.runFor(BETWEEN_MS)
    }
    expect(await shown()).not.toContain('xy')
    const kept = () => panel.evaluate(() => JSON.stringify({ ...localStorage }))
    expect(await kept()).toMatch(/xy{20,}/)
    for (let letter = 0; letter < SLOW_LETTERS; letter += 1) {
      await panel.keyboard.press('z')
      await panel.clock.runFor(SLOW_MS)
    }
    expect(await shown()).not.toContain('xy')
    const typed = `x${'y'.repeat(LETTERS)}${'z'.repeat(SLOW_LETTERS)}`
    expect(await kept()).toContain(typed)
    await panel.clock.runFor(1_000)
    await expect.poll(shown).toContain(typed)
  })
}

// Regression: each character re-rendered the whole panel, which was slowest on the slowest machines.
test('a field of the sheet keeps its letters, and the page follows each', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.clock.install()
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi`)
  const title = panel.frameLocator('iframe').locator('[data-words="servizi.hero:title"]')
  await title.click({ timeout: drawnMs })
  const field = panel.locator('[id="w-servizi.hero-title"]')
  await expect(field).toBeFocused()
  await panel.keyboard.press('End')
  await panel.clock.pauseAt(new Date(Date.now() + 60_000))
  // The texts load as the page opens; pending characters are flushed when they arrive.
  await panel.waitForLoadState('networkidle')
  for (const letter of 'xyz') {
    await panel.keyboard.press(letter)
    await expect(title).toHaveText(new RegExp(`${letter}$`))
    await panel.clock.runFor(SLOW_MS)
  }
  const none = { name: 'Niente da annullare', includeHidden: true } as const
  await expect(panel.getByRole('button', none)).not.toHaveCount(0)
  expect(await panel.evaluate(() => JSON.stringify({ ...localStorage }))).toContain('xyz')
  // The typed text is one undo step; the undo key flushes it first.
  await panel.keyboard.press('q')
  await panel.keyboard.press('ControlOrMeta+z')
  await panel.clock.runFor(SLOW_MS)
  await expect(field).not.toHaveValue(/x/)
  await expect(title).not.toHaveText(/x/)
  await panel.keyboard.press('ControlOrMeta+Shift+z')
  await panel.clock.runFor(SLOW_MS)
  await expect(field).toHaveValue(/xyzq$/)
  await expect(title).toHaveText(/xyzq$/)
})

/** Longer than the least time between two requests. */
const REST_MS = 300
/** The frames in which the panel renders: together shorter than any pause. */
const FRAMES = 12
const FRAME_MS = 17

// Regression: the page followed a price, an icon or a colour of the form after more than a second.
test('the page follows a price at once, and asks for what only the server can draw', async ({
  panel,
}) => {
  await panel.clock.install()
  const frame = await openPage(panel, 'servizi')
  const price = frame.locator('[data-words="servizi.offers:offers[0].price"]').first()
  await price.click()
  const of = (name: string) => panel.locator(`[id="w-servizi.offers-offers-0-${name}"]`)
  await expect(of('price')).toBeVisible()
  // The time of the panel stands still: what waits for a pause in typing never happens.
  await panel.clock.pauseAt(await panel.evaluate(() => Date.now() + 1_000))
  for (const [name, choice] of [
    ['icon', 3],
    ['color', 2],
  ] as const) {
    await panel.clock.runFor(REST_MS)
    let isAsked = false
    void panel.waitForRequest('**/words/preview').then(() => {
      isAsked = true
    })
    await of(name).selectOption({ index: choice })
    for (let frame = 0; frame < FRAMES && !isAsked; frame += 1) await panel.clock.runFor(FRAME_MS)
    expect(isAsked, name).toBe(true)
  }
  // No rendering comes: what is shown then is the panel's own.
  await panel.route('**/words/preview', () => undefined)
  await of('price').fill('123,50')
  await expect(price).toHaveText('123,50\u00a0€')
  await of('price-currency').selectOption({ index: 1 })
  await expect(price).toHaveText('123,50\u00a0CHF')
})
