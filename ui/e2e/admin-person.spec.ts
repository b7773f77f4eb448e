// Tests of 'Una persona' in the settings: what is stored about somebody, as a file, and its erasure.

import { readFileSync } from 'node:fs'
import { ask, expect, test } from './admin-kit'
import { expectToast, openArea, originOf } from './admin-screen'
import { expectAccessible } from './test'

const email = 'marta.persona@esempio.it'

test('the data of a person is found, downloaded and erased', async ({ panel: page }) => {
  await openArea(page, 'impostazioni', 'Impostazioni')
  const origin = originOf(page)
  const signed = await page.request.post(`${origin}/api/newsletter`, { data: { email } })
  expect(signed.status()).toBe(202)
  const testimonial = { name: 'Marta Persona', testimonial: 'Ho trovato calma.', rating: 5 }
  await ask(page, 'POST', '/api/admin/course-testimonials', testimonial)

  const card = page.locator('section').filter({
    has: page.getByRole('heading', { name: 'Una persona', exact: true }),
  })
  await card.getByRole('button', { name: 'Cerca' }).click()
  await expect(card.getByText('Scrivi l’indirizzo e-mail o il nome della persona')).toBeVisible()
  await card.getByLabel('Indirizzo e-mail').fill(email)
  await card.getByLabel('Nome').fill('marta persona')
  await card.getByLabel('Nome').press('Enter')
  await expect(card.getByText('È nell’elenco della newsletter')).toBeVisible()
  await expect(card.getByRole('heading', { name: email })).toBeFocused()
  await expect(card.getByRole('checkbox', { name: 'Marta Persona' })).toBeChecked()
  await expectAccessible(page)

  const [file] = await Promise.all([
    page.waitForEvent('download'),
    card.getByRole('link', { name: 'Scarica tutto in un file' }).click(),
  ])
  const data = JSON.parse(readFileSync(await file.path(), 'utf8'))
  expect(data.newsletter.email).toBe(email)
  expect(data.items[0].item.testimonial).toBe(testimonial.testimonial)

  await card.getByRole('button', { name: 'Cancella tutto' }).click()
  const dialog = page.getByRole('alertdialog', { name: 'Cancellare tutto di questa persona?' })
  await expect(dialog.getByText('Si elimina per sempre un contenuto.')).toBeVisible()
  await expect(dialog.getByText('copie che hai scaricato')).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancella tutto' }).click()
  await expectToast(page, 'Dati cancellati')
  const found = await ask<{ newsletter: object | null; items: object[] }>(
    page,
    'POST',
    '/api/admin/person',
    { email, name: 'Marta Persona' },
  )
  expect(found).toMatchObject({ newsletter: null, items: [] })
})
