// Import in the panel: subscribers and articles of another site, after a report.

import { readFileSync } from 'node:fs'
import { expect, expectAccessible, test } from './test'

const wordpress = new URL('../../tests/data/wordpress.xml', import.meta.url)

const csv = (text: string) => ({
  name: 'iscritti.csv',
  mimeType: 'text/csv',
  buffer: Buffer.from(text),
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
]) {
  test(`subscribers come after a report and their consent, ${viewport.width} pixels wide`, async ({
    admin,
    fresh,
  }) => {
    await admin.setViewportSize(viewport)
    await admin.goto(`${fresh.origin}/admin#/impostazioni`)
    const heading = admin.getByRole('heading', { name: 'Da un altro sito' })
    const card = admin.locator('section', { has: heading })
    const file = card.getByLabel('File degli iscritti', { exact: true })
    await file.setInputFiles(csv('nome\nUgo\n'))
    await expect(card.getByText(/Nella prima riga manca una colonna di nome email/)).toBeVisible()
    await file.setInputFiles(
      csv('email,confirmed_at\nzoe@example.com,2024-05-01T10:00:00Z\nugo@example.com,\n'),
    )
    await expect(card.getByText('Nel file ci sono 2 indirizzi.')).toBeVisible()
    await expect(card.getByText('A 1 va chiesta la conferma.')).toBeVisible()
    await expectAccessible(admin)
    const go = card.getByRole('button', { name: 'Importa', exact: true })
    await go.click()
    await expect(card.getByText('Scrivi da dove viene il consenso.')).toBeVisible()
    await card.getByLabel('Da dove viene il consenso').fill('Modulo di carta di maggio')
    await go.click()
    await expect(card.getByText('2 indirizzi nuovi.')).toBeVisible()
    await admin.goto(`${fresh.origin}/admin#/newsletter`)
    await expect(admin.getByText('zoe@example.com')).toBeVisible()
  })
}

test('articles of WordPress come after a report', async ({ admin, fresh }) => {
  await admin.goto(`${fresh.origin}/admin#/impostazioni`)
  const heading = admin.getByRole('heading', { name: 'Da un altro sito' })
  const card = admin.locator('section', { has: heading })
  const file = card.getByLabel('File esportato da WordPress', { exact: true })
  const before = await (await admin.request.get(`${fresh.origin}/api/admin/blog`)).json()
  await file.setInputFiles({
    name: 'wordpress.xml',
    mimeType: 'text/xml',
    buffer: readFileSync(wordpress),
  })
  await expect(card.getByText(/Prova: che cosa arriverebbe/)).toBeFocused()
  await expect(card.getByRole('button', { name: 'Scarica i testi delle pagine' })).toBeVisible()
  await expectAccessible(admin)
  await card.getByRole('button', { name: 'Importa', exact: true }).click()
  await expect(card.getByText(/Che cosa è arrivato da WordPress/)).toBeFocused()
  const after = await (await admin.request.get(`${fresh.origin}/api/admin/blog`)).json()
  expect(after.length).toBeGreaterThan(before.length)
})
