// Tests that the target of an address is visible: on the page, or in the form if the page does not show it.

import type { Page } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, test } from './pages-kit'

const DESCRIPTION = '[id="w-seo.contatti-description"]'

async function search(panel: Page, words: string) {
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.getByRole('searchbox', { name: italian.trovaNelSito }).fill(words)
  const hits = panel.getByRole('main').locator('a[href*="#/pagine/"]')
  await hits
    .filter({ has: panel.locator('mark') })
    .first()
    .click()
}

async function closePanel(panel: Page) {
  await openPage(panel, 'contatti')
  await panel.getByRole('complementary').getByRole('button', { name: italian.chiudi }).click()
  await expect(panel.getByRole('complementary')).toHaveCount(0)
}

for (const width of [360, 1440]) {
  test(`a hit that no page shows opens its form, and one that is read stays on the page (${width})`, async ({
    panel,
  }) => {
    await panel.setViewportSize({ width, height: 740 })
    // In the wide layout the panel remembers that the admin closed it.
    if (width === 1440) await closePanel(panel)
    await search(panel, 'Spiegato in parole semplici')
    const side = panel.getByRole('complementary')
    await expect(side.locator(':focus')).toHaveValue(/in parole semplici/, { timeout: drawnMs })
    await side.getByRole('button', { name: /^(Chiudi|Fatto)$/ }).click()

    await search(panel, italian.iNostriServizi)
    const frame = panel.frameLocator('iframe')
    await expect(frame.locator('h1')).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
    await expect(panel.getByText(/^Servizi: \d+ testi/)).toBeAttached()
    await expect(side).toHaveCount(0)

    // The page displays an amount; the form edits it.
    await search(panel, '75 €')
    await expect(side.locator(':focus')).toHaveValue('75', { timeout: drawnMs })
  })
}

test('on a phone a refusal leads to its field, as often as it is asked', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/contatti/seo.contatti%3Adescription`)
  const side = panel.getByRole('complementary')
  await side.locator(DESCRIPTION).fill('', { timeout: drawnMs })
  await side.getByRole('button', { name: 'Fatto' }).click()
  const lead = toast(panel).getByRole('link', { name: 'Vai al testo' })
  for (const name of ['home', 'contatti', 'contatti']) {
    if (!panel.url().includes(`/${name}/`)) {
      await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
      await expect(panel.frameLocator('iframe').locator('h1')).toBeVisible({ timeout: drawnMs })
    }
    await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
    await lead.last().click()
    await expect(side.locator(DESCRIPTION)).toBeFocused({ timeout: drawnMs })
    await expect(side.locator(DESCRIPTION)).toHaveAttribute('aria-invalid', 'true')
    await panel.keyboard.press('Escape')
    await expect(side).toHaveCount(0)
  }
})

test('on a phone a shared part that no page shows opens, and Back closes it', async ({ panel }) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.locator('a[href="#/pagine/home/cookies.banner%3A"]').click()
  const side = panel.getByRole('complementary', { name: /cookie/i })
  await expect(side).toBeVisible({ timeout: drawnMs })
  await expect.poll(() => panel.evaluate(() => history.state?.layer)).toBe(1)
  await panel.goBack()
  await expect(side).toHaveCount(0)
  await expect(panel).toHaveURL(/cookies\.banner/)
})

test('a step back of what no page shows leads to it, and on its own page it is said', async ({
  panel,
}) => {
  await panel.setViewportSize({ width: 360, height: 740 })
  await panel.goto(`${originOf(panel)}/admin#/pagine/contatti/seo.contatti%3Adescription`)
  const side = panel.getByRole('complementary')
  const field = side.locator(DESCRIPTION)
  const before = await field.inputValue({ timeout: drawnMs })
  await field.fill('Due parole.')
  await side.getByRole('button', { name: 'Fatto' }).click()
  const undo = panel.getByRole('button', { name: /^Annulla: / })
  await undo.click()
  await expect(toast(panel)).toContainText('Descrizione')
  await expect(side).toHaveCount(0)
  await panel.getByRole('button', { name: /^Ripeti: / }).click()
  await panel.goto(`${originOf(panel)}/admin#/pagine/home`)
  await expect(panel.frameLocator('iframe').locator('h1')).toBeVisible({ timeout: drawnMs })
  await undo.click()
  await expect(field).toBeFocused({ timeout: drawnMs })
  await expect(field).toHaveValue(before)
})

// Regression: each touch scroll that began on a card requested and rendered its whole page.
test('a finger on a card asks for no page: it may be about to scroll', async ({ panel }) => {
  const card = panel.getByRole('link', { name: italian.modificaServizi })
  await expect(card).toBeVisible({ timeout: drawnMs })
  const asked: string[] = []
  panel.on('request', (request) => {
    if (request.url().endsWith('/words/preview')) asked.push(request.url())
  })
  await card.dispatchEvent('pointerdown', { button: 0, pointerType: 'touch' })
  await card.dispatchEvent('pointerdown', { button: 0, pointerType: 'mouse' })
  await expect.poll(() => asked.length).toBe(1)
})

// Regression: the page was requested only after the editor had mounted, so the longest wait began last.
test('a page is asked for when its card is pressed, and that once, with what was typed in it', async ({
  panel,
}) => {
  const frame = await openPage(panel, 'servizi')
  await frame.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Di prima')
  await panel.getByRole('link', { name: 'Torna a Pagine' }).click()
  const card = panel.getByRole('link', { name: italian.modificaServizi })
  await expect(card).toBeVisible({ timeout: drawnMs })
  const asked: (string | null)[] = []
  panel.on('request', (request) => {
    if (request.url().endsWith('/words/preview')) asked.push(request.postData())
  })
  await card.hover()
  await panel.mouse.down()
  await expect.poll(() => asked.length).toBe(1)
  await panel.mouse.up()
  // The thumbnails of the list have been removed.
  await expect(panel.locator('iframe')).toHaveCount(1, { timeout: drawnMs })
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await expect(title).toHaveText('Di prima', { timeout: drawnMs })
  expect(asked).toHaveLength(1)
  expect(asked[0]).toContain('Di prima')
})
