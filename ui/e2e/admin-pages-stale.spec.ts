// Tests of 'Pubblica' after a price changed: sentences that still have the former price are shown first.

import type { Page } from '@playwright/test'
import { ask, expect, forget, type Item } from './admin-kit'
import { openKind, originOf, toast } from './admin-screen'
import { italian } from './italian'
import { BIOGRAPHY, drawnMs, publicText, reset, test } from './pages-kit'
import { expectAccessible } from './test'

const OFFERS = 'servizi.offers'
const CORRECTED = ['chi-sono.biography', 'pricing.packages', 'contatti.faq']
/** Two sentences of the test, and three of the texts that the site comes with. */
const QUESTION = 'Restano 5 frasi con il prezzo vecchio'

/** Publishes two sentences with the price of the first offer, and types another price. */
async function changePrice(panel: Page, price: string) {
  const { value } = await ask<{ value: object }>(panel, 'GET', BIOGRAPHY)
  const text = 'Chiedo 95 €. Una sessione individuale costa 95 euro, non 195 €.\n\nPoi altro.'
  await ask(panel, 'PUT', BIOGRAPHY, { value: { ...value, text } })
  await panel.reload()
  await typePrice(panel, price)
}

async function typePrice(panel: Page, price: string) {
  const place = encodeURIComponent(`${OFFERS}:offers[0].price`)
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  await panel.locator(`[id="w-${OFFERS}-offers-0-price"]`).fill(price)
  const done = panel.getByRole('button', { name: 'Fatto', exact: true })
  if (await done.isVisible()) await done.tap()
}

async function resetAll(panel: Page) {
  for (const id of [OFFERS, ...CORRECTED]) await reset(panel, id)
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`by keys the former price is corrected in all sentences, ${colorScheme}`, async ({
    panel,
  }) => {
    await panel.emulateMedia({ colorScheme })
    await changePrice(panel, '100')
    await panel.keyboard.press('ControlOrMeta+Enter')
    const dialog = panel.getByRole('alertdialog', { name: QUESTION })
    await expect(dialog).toBeVisible()
    const rows = dialog.getByRole('listitem')
    await expect(rows).toHaveCount(5)
    await expect(rows.nth(0)).toHaveText(/Chi Sono.*Chiedo 95\s€ 100\s€\.$/)
    await expect(rows.nth(1)).toHaveText(/individuale costa 95 euro 100 euro, non 195\s€\.$/)
    await expectAccessible(panel)
    // Escape publishes nothing.
    await panel.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    expect(await publicText(panel, '/servizi')).toContain('95 €')
    await panel.keyboard.press('ControlOrMeta+Enter')
    await expect(dialog).toBeVisible()
    const fix = dialog.getByRole('button', { name: 'Correggi tutte' })
    await expect(async () => {
      await panel.keyboard.press('Tab')
      await expect(fix).toBeFocused({ timeout: 100 })
    }).toPass()
    await panel.keyboard.press('Enter')
    await expect(toast(panel)).toContainText(/aggiornate in \d+ ms/, { timeout: drawnMs })
    const text = await publicText(panel, '/chi-sono')
    expect(text).toContain('Chiedo 100 €. Una sessione individuale costa 100 euro, non 195 €.')
    await resetAll(panel)
  })
}

test.describe('by touch', () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    test.describe(colorScheme, () => {
      test.use({
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        colorScheme,
      })
      test('sentences that are left are asked about again only for another price', async ({
        panel,
      }) => {
        await changePrice(panel, '100')
        const publish = panel.getByRole('button', { name: italian.pubblica, exact: true })
        await publish.tap()
        const dialog = panel.getByRole('alertdialog', { name: QUESTION })
        await expect(dialog).toBeVisible()
        await expectAccessible(panel)
        await dialog.getByRole('button', { name: 'Lascia così' }).tap()
        await expect(toast(panel)).toContainText(/aggiornat[ae] in \d+ ms/, { timeout: drawnMs })
        expect(await publicText(panel, '/chi-sono')).toContain('Chiedo 95 €.')
        await reset(panel, OFFERS)
        await panel.reload()
        await typePrice(panel, '100')
        await publish.tap()
        await expect(toast(panel)).toContainText(/aggiornat[ae] in \d+ ms/, { timeout: drawnMs })
        await reset(panel, OFFERS)
        await panel.reload()
        await typePrice(panel, '110')
        await publish.tap()
        await expect(dialog).toBeVisible()
        await resetAll(panel)
      })
    })
  }
})

const article = { slug: 'nel-bosco', title: 'Nel bosco', category: 'Benessere', published: true }

test('an event with another price shows the sentences with the former one, in pages and articles', async ({
  panel,
}) => {
  const made = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Respiro nel bosco',
    price: '37 €',
    description: 'Costa 37 euro a testa.',
    published: true,
  })
  const written = await ask<Item>(panel, 'POST', '/api/admin/blog', {
    ...article,
    content: 'Si va per **37 €**, non per 137 €.',
  })
  const { value } = await ask<{ value: object }>(panel, 'GET', BIOGRAPHY)
  await ask(panel, 'PUT', BIOGRAPHY, { value: { ...value, text: 'Nel bosco chiedo 37 €.' } })

  await openKind(panel, 'events')
  await panel.reload()
  const change = async (price: string) => {
    await panel.getByRole('button', { name: 'Modifica: Respiro nel bosco' }).click()
    const form = panel.getByRole('dialog', { name: italian.modificaEvento })
    await form.getByLabel('Prezzo', { exact: true }).fill(price)
    await form.getByRole('button', { name: italian.salvaModifiche }).click()
  }
  await change('40 €')
  const dialog = panel.getByRole('alertdialog', { name: 'Restano 3 frasi con il prezzo vecchio' })
  await expect(dialog).toBeVisible({ timeout: drawnMs })
  const rows = dialog.getByRole('listitem')
  await expect(rows).toHaveText([
    /Chi Sono.*Nel bosco chiedo 37\s€ 40\s€\.$/,
    /Eventi, Respiro nel bosco.*Costa 37 euro 40 euro a testa\.$/,
    /Blog, Nel bosco.*Si va per 37\s€ 40\s€, non per 137\s€\.$/,
  ])
  await expectAccessible(panel)
  await dialog.getByRole('button', { name: 'Correggi tutte' }).click()
  await expect(toast(panel)).toContainText('Frasi corrette')
  expect(await publicText(panel, '/blog/nel-bosco')).toContain(
    'Si va per <strong>40 €</strong>, non per 137 €.',
  )
  expect(await publicText(panel, '/chi-sono')).toContain('Nel bosco chiedo 40 €.')
  expect(await publicText(panel, `/evento/${made.id}`)).toContain('Costa 40 euro a testa.')

  await reset(panel, 'chi-sono.biography')
  await forget(panel, 'events', made.id)
  await forget(panel, 'blog', written.id)
})

test('a price of a service is corrected in an article, too', async ({ panel }) => {
  const written = await ask<Item>(panel, 'POST', '/api/admin/blog', {
    ...article,
    content: 'Una sessione individuale costa 95 euro.',
  })
  await typePrice(panel, '100')
  await panel.keyboard.press('ControlOrMeta+Enter')
  const dialog = panel.getByRole('alertdialog', { name: /prezzo vecchio$/ })
  await expect(dialog.getByText('Blog, Nel bosco, Testo')).toBeVisible()
  await dialog.getByRole('button', { name: 'Correggi tutte' }).click()
  await expect(toast(panel)).toContainText(/aggiornate in \d+ ms/, { timeout: drawnMs })
  await expect
    .poll(() => publicText(panel, '/blog/nel-bosco'))
    .toContain('Una sessione individuale costa 100 euro.')
  await forget(panel, 'blog', written.id)
  await resetAll(panel)
})
