// Tests of the price and package forms in 'Pagine': plain terms, and no value published that the admin did not enter.

import type { Locator, Page } from '@playwright/test'
import { expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { openPage, publicText, publish, publishPrice, reset, test } from './pages-kit'

const PACKAGES = 'pricing.packages'
const OFFERS = 'servizi.offers'

/** Opens the form of a block and expands one entry of its list. */
async function openEntry(panel: Page, id: string, list: string, index: number): Promise<Locator> {
  await openPage(panel, 'servizi')
  await panel.goto(
    `${originOf(panel)}/admin#/pagine/servizi/${encodeURIComponent(`${id}:${list}`)}`,
  )
  const entry = panel.locator(`[id="w-${id}-${list}"] > ol > li`).nth(index)
  await entry.locator('summary').first().click()
  return entry
}

// Regression: the form showed the internal id of the service, and 'saving', 'sum' or 'none' for the comparison.
test('a package is put together from services by their titles', async ({ panel }) => {
  const entry = await openEntry(panel, PACKAGES, 'packages', 0)
  const compare = entry.locator(`[id="w-${PACKAGES}-packages-0-compare"]`)
  await expect(compare.locator('option')).toHaveText([
    'Il risparmio',
    'Quanto costano le parti una per una',
    'Niente',
  ])
  const part = entry.locator(`[id="w-${PACKAGES}-packages-0-parts"] > ol > li`)
  await expect(part.locator('summary').first()).toContainText('Sessioni individuali')
  const service = part.getByLabel('Servizio')
  await expect(service.locator('option:checked')).toHaveText('Sessioni individuali')
  await service.selectOption({ label: 'Sessioni di gruppo' })
  await expect(part.locator('summary').first()).toContainText('Sessioni di gruppo')
  // 3 × 45 is less than the price of the package.
  await panel.getByRole('button', { name: italian.questaPagina }).click()
  await expect(panel.getByRole('region', { name: /^(Un conto|\d+ conti)/ })).toContainText(
    'non fa risparmiare',
  )
  await openEntry(panel, PACKAGES, 'packages', 0)
  await part.getByLabel('Quante volte').fill('7')
  await publish(panel)
  expect(await publicText(panel, '/servizi')).toContain('Risparmi 45 €')
  await reset(panel, PACKAGES)
})

// Regression: invalid input was stored by field position: after a move the field showed 95, which was then published.
test('a price that cannot be read goes with its entry, and nothing is published over it', async ({
  panel,
}) => {
  const entry = await openEntry(panel, OFFERS, 'offers', 0)
  await entry.locator(`[id="w-${OFFERS}-offers-0-price"]`).fill('120 forse')
  await entry
    .getByRole('button', { name: /^Sposta: / })
    .first()
    .press('ArrowDown')
  const price = panel.locator(`[id="w-${OFFERS}-offers-1-price"]`)
  await expect(price).toHaveValue('120 forse')
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel)).toContainText('Scrivi un importo', { ignoreCase: true })
  expect(await publicText(panel, '/servizi')).toContain('95 €')
  await panel.keyboard.press('Escape')
  await price.fill('120')
  await publishPrice(panel)
  expect(await publicText(panel, '/servizi')).toContain('120 €')
  await reset(panel, OFFERS)
})
