// What a visitor pressed a button for is still known where the way to write is.

import type { Page } from '@playwright/test'
import { italian } from './italian'
import { expect, expectAccessible, pathOf, test, watch } from './test'

/** What the links of the page would send. */
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
  await expect(page).toHaveURL(`${site.origin}/contatti/per/sessione-online`)
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
  expect(faults).toEqual([])
})

test('every button that asks for something leads to a page of its own', async ({ page, site }) => {
  const chosen: string[] = []
  for (const path of ['/servizi', '/rebirthing']) {
    await page.goto(site.origin + path)
    const hrefs = await page
      .locator('a[href^="/contatti/per/"]')
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
    const title = (await page.getByRole('heading', { level: 1 }).textContent()) ?? ''
    await page.getByRole('link', { name: italian.contattaciPerPartecipare }).click()
    await expect(page.getByRole('region', { name: 'La tua scelta' })).toContainText(
      `Hai scelto: ${title}, `,
    )
    for (const message of await messages(page)) expect(message).toContain(`«${title}»`)
    await page.getByRole('link', { name: 'Cambia' }).click()
    await expect(page).toHaveURL(`${site.origin}/eventi`)
  })

  test('what nobody can choose is no page, and a query chooses nothing', async ({ page, site }) => {
    for (const path of ['/contatti/per/niente', '/contatti/evento/niente', '/contatti/per'])
      expect((await page.request.get(site.origin + path)).status(), path).toBe(404)
    const plain = await page.request.get(`${site.origin}/contatti`)
    const asked = await page.request.get(`${site.origin}/contatti?per=sessione-online`)
    expect(await asked.text()).toBe(await plain.text())
    expect(asked.headers().etag).toBe(plain.headers().etag)
  })
})
