// Tests that the contact page still knows which button the visitor pressed before.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { expect, expectAccessible, pathOf, test, watch } from './test'

/** Returns the decoded links to WhatsApp and e-mail in the main part of the page. */
async function messages(page: Page) {
  const hrefs = await page
    .locator('main a[href^="https://wa.me/"], main a[href^="mailto:"]')
    .evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href))
  return hrefs.map((href) => decodeURIComponent(href))
}

test('the button of a service leads to a page that knows which', async ({ page, site }) => {
  const faults = watch(page, site.origin)
  await page.setViewportSize({ width: 375, height: 812 })
  await page.goto(`${site.origin}/servizi`)
  await expect(page.locator('html[data-hydrated]')).toHaveCount(1)
  await page.locator('summary', { hasText: 'Sessioni online' }).click()
  await page.getByRole('link', { name: italian.prenotaOnline }).click()
  await expect(page).toHaveURL(`${site.origin}/contatti?servizio=online`)
  const choice = page.getByRole('region', { name: 'La tua scelta' })
  await expect(choice).toContainText('Hai scelto: Sessione online, 75\u00a0€')
  await expect(choice.getByRole('link', { name: /Scrivimi su WhatsApp/ })).toBeInViewport()
  const sent = await messages(page)
  expect(sent.length).toBeGreaterThanOrEqual(4)
  for (const message of sent) expect(message).toContain('una sessione online (75\u00a0€)')
  await expectAccessible(page)
  await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', /noindex/)
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', /\/contatti$/)
  await choice.getByRole('link', { name: 'Togli la scelta' }).click()
  await expect(page).toHaveURL(`${site.origin}/contatti`)
  await expect(choice).toHaveCount(0)
  for (const message of await messages(page)) expect(message).not.toContain('sessione online')
  // The two addresses differ in the query alone.
  await page.goBack()
  await expect(page).toHaveURL(`${site.origin}/contatti?servizio=online`)
  await expect(choice).toContainText('Hai scelto: Sessione online')
  for (const message of await messages(page)) expect(message).toContain('una sessione online')
  await page.goForward()
  await expect(choice).toHaveCount(0)
  expect(faults).toEqual([])
})

test('every button that asks for something leads to a choice of its own', async ({
  page,
  site,
}) => {
  const chosen: string[] = []
  for (const path of ['/servizi', '/rebirthing']) {
    await page.goto(site.origin + path)
    const hrefs = await page
      .locator('a[href^="/contatti?servizio="]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
    for (const href of hrefs) {
      const answer = await page.request.get(site.origin + href)
      expect(answer.status(), href).toBe(200)
      chosen.push(/Hai scelto: [^<]*/.exec(await answer.text())?.[0] ?? href)
    }
  }
  expect(new Set(chosen).size).toBe(12)
  expect(chosen).toContain('Hai scelto: Pacchetto Completo, 850\u00a0€')
  expect(chosen).toContain('Hai scelto: Incontri per aziende')
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })

  test('an event is known by name and date', async ({ page, site }) => {
    await page.goto(site.origin + (await pathOf('/evento/{id}', site)))
    const heading = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    // The page binds short words with no-break spaces; a message contains plain spaces only.
    const title = heading.replaceAll('\u00a0', ' ')
    await page.getByRole('link', { name: italian.contattaciPerPartecipare }).click()
    await expect(page.getByRole('region', { name: 'La tua scelta' })).toContainText(
      `Hai scelto: ${title}, `,
    )
    for (const message of await messages(page)) expect(message).toContain(`«${title}»`)
    await page.getByRole('link', { name: 'Cambia' }).click()
    await expect(page).toHaveURL(`${site.origin}/eventi`)
  })

  test('former addresses of a choice lead to its query', async ({ page, site }) => {
    for (const path of ['/contatti/per/sessione-online/', '/contatti?per=sessione-online']) {
      await page.goto(site.origin + path)
      await expect(page).toHaveURL(`${site.origin}/contatti?servizio=online`)
      await expect(page.getByRole('region', { name: 'La tua scelta' })).toContainText('online')
    }
  })
})

test('who asks about an event that is full, over or off asks for no place in it', async ({
  admin,
  fresh,
}) => {
  const { origin } = fresh
  // Regression: «Avvisami se si libera» prepared the message «C’è ancora posto?».
  for (const [fields, action, ask] of [
    [{ soldOut: true }, 'Avvisami se si libera', 'è al completo. Mi avvisi se si libera un posto?'],
    [{ soldOut: true, date: null }, 'Avvisami se si libera', '«Cerchio» è al completo. Mi avvisi'],
    [{ cancelled: true, soldOut: true }, 'Scrivimi', 'è stato annullato. Ci sarà un’altra data?'],
    [
      { date: '6 marzo 2020', soldOut: true },
      'Chiedi la prossima data',
      'ho visto «Cerchio», che si è già svolto. Ci sarà un’altra data?',
    ],
  ] as const) {
    const made = await admin.request.post(`${origin}/api/admin/events`, {
      headers: { origin },
      data: { title: 'Cerchio', date: '6 marzo 2199', published: true, ...fields },
    })
    await admin.goto(`${origin}/evento/${(await made.json()).id}`)
    const main = admin.getByRole('main')
    await expect(main.getByRole('link', { name: italian.contattaciPerPartecipare })).toHaveCount(0)
    await main.getByRole('link', { name: action, exact: true }).click()
    await expect(admin.getByRole('region', { name: 'La tua scelta' })).toContainText('Cerchio')
    const sent = await messages(admin)
    expect(sent.length).toBeGreaterThan(2)
    for (const message of sent) {
      expect(message).toContain(ask)
      expect(message).not.toContain('C’è ancora posto?')
      expect(message).not.toContain('In quanti siamo')
    }
  }
  await admin.goto(`${origin}/eventi/passati`)
  const card = admin.getByRole('article').filter({ hasText: 'Cerchio' })
  await expect(card).toContainText('Già svolto')
  await expect(card).not.toContainText('Esaurito')
  await card.getByRole('link').click()
  await expect(admin.getByText('Questo evento si è già svolto.')).toBeInViewport()
  await expect(admin.getByRole('link', { name: 'Aggiungi al calendario' })).toHaveCount(0)
  await expectAccessible(admin)
})
