// What comes from the settings: shown as readers see it, and one press from where it is changed.

import type { Page } from '@playwright/test'
import { ask, expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, reset, test } from './pages-kit'

const BLOCK = '/api/admin/words/chi-sono.biography'
const FIRST = '[data-words="chi-sono.biography:text#0"]'

async function withChips(panel: Page) {
  const { value } = await ask<{ value: object }>(panel, 'GET', BLOCK)
  const text = { text: ['Mi chiamo ', { setting: 'brand' }, '.\n\nPoi altro.'] }
  await ask(panel, 'PUT', BLOCK, { value: { ...value, text } })
  const { brand } = await ask<{ brand: string }>(panel, 'GET', '/api/admin/settings')
  return brand
}

// The list named the setting as the program does: '[brand]'.
test('the list of changes shows what readers see of a setting', async ({ panel }) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  await frame.locator(FIRST).click()
  await panel.keyboard.press('End')
  await panel.keyboard.type(' Qui.')
  await panel.getByRole('button', { name: /guardale$|guardala$/ }).click()
  const dialog = panel.getByRole('dialog')
  await expect(dialog.locator('del')).toContainText(`Mi chiamo ${brand}.`)
  await expect(dialog.locator('ins')).toContainText(`Mi chiamo ${brand}. Qui.`)
  await reset(panel, 'chi-sono.biography')
})

test('a chip leads to its setting', async ({ panel }) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  await frame.locator(`${FIRST} [data-words-chip]`).click()
  await frame.getByRole('button', { name: italian.apriInImpostazioni }).click()
  const field = panel.locator('#brand')
  await expect(field).toBeFocused({ timeout: drawnMs })
  await expect(field).toHaveValue(brand)
  await panel.goBack()
  await expect(frame.locator(FIRST)).toContainText(brand, { timeout: drawnMs })
  await reset(panel, 'chi-sono.biography')
})

// It led to the top of the settings, whichever it was.
test('a link that stands on a setting leads to it', async ({ panel }) => {
  await panel.goto(
    `${originOf(panel)}/admin#/pagine/home/${encodeURIComponent('footer.links:contacts[1].labelLink')}`,
  )
  const side = panel.getByRole('complementary', { name: 'Link in fondo' })
  const links = side.getByRole('link', { name: italian.apriInImpostazioni })
  await links.locator('visible=true').first().click({ timeout: drawnMs })
  await expect(panel.locator('#email')).toBeFocused({ timeout: drawnMs })
})

test('a hit in the settings leads to the field', async ({ panel }) => {
  const { email } = await ask<{ email: string }>(panel, 'GET', '/api/admin/settings')
  await panel.goto(`${originOf(panel)}/admin#/pagine`)
  await panel.getByRole('searchbox', { name: 'Trova nel sito' }).fill(email)
  await panel.getByRole('link', { name: /^Impostazioni · / }).click()
  const field = panel.locator('#email')
  await expect(field).toBeFocused({ timeout: drawnMs })
  await expect(field).toHaveValue(email)
})
