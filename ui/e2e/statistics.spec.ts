// Tests the visit statistics in the panel: page views and clicks in a chart, a table and lists; one switch.

import { openArea, originOf, toast } from './admin-screen'
import { italian } from './italian'
import { expect, expectAccessible, test } from './test'

/** The default user agent of the test browser names a bot. */
const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0'

test('visits and presses arrive in the panel, and the switch ends them', async ({
  admin,
  browser,
}) => {
  const origin = originOf(admin)
  await openArea(admin, 'visite', 'Visite')
  await expect(admin.getByRole('heading', { name: 'Ancora nessuna visita' })).toBeVisible()
  await admin.request.put(`${origin}/api/admin/settings`, {
    headers: { origin },
    data: { phone: '+39 031 123456', email: 'anna@example.org', whatsapp: '+39 333 1234567' },
  })

  const context = await browser.newContext({ userAgent, locale: 'it-IT' })
  const visitor = await context.newPage()
  const presses: string[] = []
  await visitor.route('**/api/press', async (route) => {
    presses.push(route.request().postData() ?? '')
    await route.continue()
  })
  await visitor.goto(`${origin}/eventi`)
  await expect(visitor.locator('html[data-hydrated]')).toHaveCount(1)
  await visitor.getByRole('button', { name: italian.soloNecessari }).click()
  await visitor
    .getByRole('contentinfo')
    .getByRole('link', { name: italian.contatti })
    .first()
    .click()
  await expect(visitor).toHaveURL(`${origin}/contatti`)
  const main = visitor.getByRole('main')
  // The test machine has no telephone: the click counts, and the page stays open.
  await visitor.evaluate(() => addEventListener('click', (event) => event.preventDefault()))
  await main.locator('a[href^="tel:"]').first().click()
  await main.locator('a[href^="mailto:"]').first().click()
  await expect.poll(() => presses).toEqual(['phone /contatti', 'email /contatti'])
  expect(new TextEncoder().encode(presses.join('')).length).toBeLessThan(200)

  await admin.reload()
  await expect(admin.getByRole('img', { name: /^Grafico delle visite/ })).toBeVisible()
  await expect(admin.getByText('2', { exact: true }).first()).toBeVisible()
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Mostra come tabella' }).click()
  const table = admin.getByRole('table', { name: 'Visite degli ultimi 30 giorni' })
  await expect(table.getByRole('row')).toHaveCount(31)
  await expect(table.getByRole('row').nth(1).getByRole('cell')).toHaveText(['2', '1'])
  await expectAccessible(admin)
  await admin.getByRole('button', { name: 'Ultimi 12 mesi' }).click()
  const months = admin.getByRole('table', { name: 'Visite degli ultimi 12 mesi' })
  await expect(months.getByRole('row')).toHaveCount(13)
  await expect(admin.getByRole('row', { name: 'Indirizzo scritto o messaggio 1' })).toBeVisible()
  await expect(admin.getByRole('row', { name: 'Contatti 1 1 0' })).toBeVisible()

  // Regression: a slower answer to the earlier question replaced the later one.
  let release = () => {}
  const isFree = new Promise<void>((free) => {
    release = free
  })
  await admin.route(/period=months/, async (route) => {
    await isFree
    await route.continue()
  })
  await admin.getByRole('button', { name: 'Ultimi 30 giorni' }).click()
  await expect(table.getByRole('row')).toHaveCount(31)
  await admin.getByRole('button', { name: 'Ultimi 12 mesi' }).click()
  const days = admin.waitForResponse(/period=days/)
  await admin.getByRole('button', { name: 'Ultimi 30 giorni' }).click()
  await days
  const late = admin.waitForResponse(/period=months/)
  release()
  await (await late).finished()
  await expect(table.getByRole('row')).toHaveCount(31)
  await expect(months).toHaveCount(0)

  await visitor.goto(`${origin}/privacy`)
  await expect(visitor.getByText('Statistiche di visita.')).toBeVisible()
  await admin.getByRole('switch', { name: 'Conta le visite' }).click()
  await expect(toast(admin).getByText('Il sito non conta più le visite')).toBeVisible()
  await expect(admin.getByRole('heading', { name: 'Conteggio spento' })).toBeVisible()
  await visitor.goto(`${origin}/privacy`)
  await expect(visitor.getByText('Statistiche di visita.')).toHaveCount(0)
  await admin.getByRole('button', { name: 'Cancella i numeri' }).click()
  await admin.getByRole('alertdialog').getByRole('button', { name: 'Cancella i numeri' }).click()
  await expect(admin.getByRole('heading', { name: 'Ancora nessuna visita' })).toBeVisible()
  expect(await context.cookies()).toEqual([])
  await context.close()
})
