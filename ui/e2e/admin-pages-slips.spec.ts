// 'Pagine' where what was meant and what was done went apart: another currency, a step back on another
// page, drafts thrown away with one press, hits that nobody reads.

import { ask, expect, forget, makeTestimonial } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'
import { drawnMs, openPage, publicText, publish, reset, test } from './pages-kit'

test('a price that is typed with the sign of another currency is in that currency', async ({
  panel,
}) => {
  await openPage(panel, 'servizi')
  const place = encodeURIComponent('servizi.offers:offers[0].price')
  await panel.goto(`${originOf(panel)}/admin#/pagine/servizi/${place}`)
  const price = panel.locator('[id="w-servizi.offers-offers-0-price"]')
  const currency = panel.locator('[id="w-servizi.offers-offers-0-price-currency"]')
  await price.fill('$ 120')
  await expect(price).toHaveAccessibleDescription(/Scrivi un importo/)
  await price.fill('CHF 120')
  await expect(currency).toHaveValue('CHF')
  await expect(price).toHaveValue('CHF 120')
  // The other way round the sign gives way.
  await currency.selectOption('EUR')
  await expect(price).toHaveValue('120')
  await price.fill('120 Fr.')
  await publish(panel)
  const page = await publicText(panel, '/servizi')
  expect(page).toContain('120 CHF')
  expect(page).toContain('"priceCurrency":"CHF"')
  expect(page).not.toContain('120 €')
  await reset(panel, 'servizi.offers')
})

// It happened unseen, on a page that was not there to be looked at.
test('a step back in another page goes there, and so does a step forth', async ({ panel }) => {
  const servizi = await openPage(panel, 'servizi')
  await servizi.getByRole('textbox', { name: italian.aperturaTitolo }).fill('Altri servizi')
  await openPage(panel, 'contatti')
  await panel.keyboard.press('Control+z')
  await expect(panel).toHaveURL(/#\/pagine\/servizi\/servizi\.hero%3Atitle$/)
  await expect(toast(panel)).toContainText('Annullato: Servizi, Titolo')
  const title = panel.frameLocator('iframe').locator('[data-words="servizi.hero:title"]')
  await expect(title).toHaveText(italian.iNostriServizi, { timeout: drawnMs })
  await expect(title).toBeInViewport()
  await expect(title).toHaveAttribute('data-words-chosen', '')

  await panel.goBack()
  await expect(panel).toHaveURL(/#\/pagine\/contatti$/)
  await panel.getByRole('button', { name: /^Ripeti: / }).click()
  await expect(title).toHaveText('Altri servizi', { timeout: drawnMs })
  // The button went with its page.
  await expect(panel.locator('body')).not.toBeFocused()
})

test('kept drafts that are thrown away come back with one press', async ({ panel }) => {
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.fill('Il lavoro di ieri')
  await panel.keyboard.press('Control+s')
  await panel.reload()
  await panel.getByRole('status').getByRole('button', { name: italian.scarta }).click()
  await expect(panel.getByRole('button', { name: italian.riprendi })).toHaveCount(0)
  await toast(panel).getByRole('button', { name: italian.annulla }).click()
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(title).toHaveText('Il lavoro di ieri', { timeout: drawnMs })
})

test('the search reads what she reads of an item, and says where it is', async ({ panel }) => {
  const { id } = await makeTestimonial(panel, 'Ulrica Z.', { testimonial: 'Parole sue.' })
  const { createdAt } = await ask<{ createdAt: string }>(
    panel,
    'GET',
    `/api/admin/course-testimonials/${id}`,
  )
  const field = panel.getByRole('searchbox', { name: italian.trovaNelSito })
  await field.fill('ulrica')
  const hit = panel.getByRole('link', { name: /Ulrica/ })
  await expect(hit).toContainText('Testimonianze Corsisti · Ulrica Z.')
  // Every item was found by the moment of its making, and each was an article.
  for (const text of [createdAt.slice(0, 13), id]) {
    await field.fill(text)
    await expect(panel.getByText(`Nessun risultato per «${text}»`)).toBeVisible()
  }
  await forget(panel, 'course-testimonials', id)
})
