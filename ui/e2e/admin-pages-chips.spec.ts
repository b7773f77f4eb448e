// Tests of values that come from the settings: shown as readers see them, with a link to their setting.

import { ask, expect } from './admin-kit'
import { originOf } from './admin-screen'
import { italian } from './italian'
import { BIOGRAPHY, drawnMs, openPage, reset, settled, test, withChips } from './pages-kit'

const FIRST = '[data-words="chi-sono.biography:text"] > p:first-child'

// Regression: the list named the setting by its internal key, '[brand]'.
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

// Regression: the edited page showed the digits without groups, as the settings store them.
test('a telephone number stands on the edited page in the groups that visitors see', async ({
  panel,
}) => {
  const { phone } = await ask<{ phone: string | null }>(panel, 'GET', '/api/admin/settings')
  await ask(panel, 'PUT', '/api/admin/settings', { phone: '+39 3331234567' })
  const frame = await openPage(panel, 'contatti')
  const chip = frame.locator('main a[href^="tel:"] [data-words-chip]')
  await expect(chip).toHaveText(/^\+39 333 123 4567$/)
  await ask(panel, 'PUT', '/api/admin/settings', { phone })
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

// Regression: the rich-text editor replaces the chip's nodes on mount, and the button of a pressed chip disappeared.
test('a pressed chip keeps its button when the editor arrives later', async ({ panel }) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  // The editor mounts on pointer arrival; here it replaces the nodes after the press.
  const button = frame.getByRole('button', { name: italian.apriInImpostazioni })
  // Pressed again while the overlay of the page is not mounted yet: nothing hears that press.
  await expect(async () => {
    await frame.locator(`${FIRST} [data-words-chip]`).evaluate((chip: HTMLElement) => {
      chip.click()
      chip.replaceWith(chip.cloneNode(true))
    })
    // Each pointer movement renders the overlay again.
    await frame.locator('h1').hover()
    await expect(button).toBeVisible({ timeout: 1_000 })
  }).toPass({ timeout: drawnMs })
  await button.click()
  await expect(panel.locator('#brand')).toHaveValue(brand, { timeout: drawnMs })
  await panel.goBack()
  await reset(panel, 'chi-sono.biography')
})

// Regression: a setting changed in another tab stayed stale in the page until the page was opened again.
test('a chip follows its setting once one is back from another tab', async ({ panel }) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  const chip = frame.locator(`${FIRST} [data-words-chip]`)
  await expect(chip).toHaveText(brand)
  const settings = await ask<object>(panel, 'GET', '/api/admin/settings')
  await ask(panel, 'PUT', '/api/admin/settings', { ...settings, brand: 'Un altro nome' })
  await panel.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
  await expect(chip).toHaveText('Un altro nome')
  await ask(panel, 'PUT', '/api/admin/settings', settings)
  await reset(panel, 'chi-sono.biography')
})

// Regression: the link led to the top of the settings instead of to its setting.
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
  await panel.getByRole('searchbox', { name: italian.trovaNelSito }).fill(email)
  await panel.getByRole('link', { name: /^Impostazioni · / }).click()
  const field = panel.locator('#email')
  await expect(field).toBeFocused({ timeout: drawnMs })
  await expect(field).toHaveValue(email)
})

test('in the form a text with a chip is typed around it, and the chip goes as one sign', async ({
  panel,
}) => {
  const brand = await withChips(panel)
  const frame = await openPage(panel, 'chi-sono')
  const first = frame.locator(FIRST)
  await first.click()
  const field = panel.locator('[id="w-chi-sono.biography-text"]')
  await expect(field).toHaveAttribute('role', 'textbox')
  await expect(field).toHaveText(`Mi chiamo ${brand}.\n\nPoi altro.`, { useInnerText: true })
  const chip = field.locator('[data-words-chip]')
  // The accessible description names the source, as the visible hint does.
  await expect(field).toHaveAccessibleDescription(/viene da Impostazioni$/)
  await field.focus()
  await settled(field)
  await panel.keyboard.press('ControlOrMeta+Home')
  await panel.keyboard.type('Ciao! ')
  for (let letter = 0; letter < 'Mi chiamo '.length; letter += 1) {
    await panel.keyboard.press('ArrowRight')
  }
  await panel.keyboard.type('proprio ')
  await expect(chip).toHaveText(brand)
  await expect(first).toHaveText(`Ciao! Mi chiamo proprio ${brand}.`)
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  const saved = async () =>
    (await ask<{ value: { text: unknown } }>(panel, 'GET', BIOGRAPHY)).value.text
  await expect
    .poll(saved)
    .toEqual({ text: ['Ciao! Mi chiamo proprio ', { setting: 'brand' }, '.\n\nPoi altro.'] })
  await field.focus()
  await settled(field)
  await panel.keyboard.press('ControlOrMeta+Home')
  for (let letter = 0; letter < 'Ciao! Mi chiamo proprio '.length; letter += 1) {
    await panel.keyboard.press('ArrowRight')
  }
  await panel.keyboard.press('Delete')
  await expect(chip).toHaveCount(0)
  await expect(first).toHaveText('Ciao! Mi chiamo proprio .')
  // Undo restores the chip, even when text was typed in the same undo step.
  await panel.keyboard.press('Control+z')
  await expect(chip).toHaveText(brand)
  await expect(first).toContainText(brand)
  await reset(panel, 'chi-sono.biography')
})
