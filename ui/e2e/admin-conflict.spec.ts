// Two tabs on one thing: neither loses what the other wrote.

import type { Page } from '@playwright/test'
import { ask, expect, forget, type Item, makeTestimonial, test } from './admin-kit'
import { expectToast, openArea } from './admin-screen'
import { expectAccessible } from './test'

async function secondTab(panel: Page): Promise<Page> {
  const other = await panel.context().newPage()
  await other.goto(panel.url())
  return other
}

async function openForm(page: Page, name: string) {
  await page.getByRole('button', { name: `Modifica: ${name}` }).click()
  return page.getByRole('dialog', { name: 'Modifica Testimonianza' })
}

test('two tabs change different fields, and both changes stand', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Elda C.')
  await panel.reload()
  const other = await secondTab(panel)
  const late = await openForm(other, 'Elda C.')
  const form = await openForm(panel, 'Elda C.')
  await form.getByLabel('Professione').fill('Levatrice')
  const write = panel.waitForRequest((request) => request.method() === 'PUT')
  await form.getByRole('button', { name: 'Salva Modifiche' }).click()
  expect((await write).postDataJSON()).toEqual({ profession: 'Levatrice' })
  expect(await (await write).headerValue('if-match')).toMatch(/^"[^"]+"$/)
  await expectToast(panel, 'Testimonianza aggiornata!')
  // The profession went away here, and both tabs said that all was well.
  await late.getByRole('textbox', { name: 'Testimonianza' }).fill('Parole nuove.')
  await late.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expectToast(other, 'Testimonianza aggiornata!')
  const path = `/api/admin/course-testimonials/${made.id}`
  expect(await ask<Item>(panel, 'GET', path)).toMatchObject({
    profession: 'Levatrice',
    testimonial: 'Parole nuove.',
  })
  await other.close()
  await forget(panel, 'course-testimonials', made.id)
})

test('what both tabs changed is shown side by side, and somebody chooses', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Furio D.')
  await panel.reload()
  const other = await secondTab(panel)
  const late = await openForm(other, 'Furio D.')
  const path = `/api/admin/course-testimonials/${made.id}`
  await ask(panel, 'PUT', path, {
    testimonial: 'Testo dell’altra.',
    profession: 'Fabbro',
    rating: 3,
  })
  await late.getByRole('textbox', { name: 'Testimonianza' }).fill('Testo mio.')
  await late.getByLabel('Professione').fill('Falegname')
  await late.getByRole('button', { name: 'Salva Modifiche' }).click()

  const conflict = other.getByRole('dialog', { name: 'Questo testo è cambiato anche altrove' })
  const text = conflict.getByRole('group', { name: 'Testimonianza: scegli quale tenere' })
  const trade = conflict.getByRole('group', { name: 'Professione: scegli quale tenere' })
  await expect(text).toContainText('Testo mio.')
  await expect(text).toContainText('Testo dell’altra.')
  await expect(conflict.getByRole('group')).toHaveCount(2)
  await expect(conflict.getByRole('radio', { checked: true })).toHaveCount(0)
  const publish = conflict.getByRole('button', { name: 'Pubblica le scelte' })
  await expect(publish).toBeDisabled()
  await expectAccessible(other)

  // Decided later: nothing is sent, the text stays.
  await other.keyboard.press('Escape')
  await expectToast(other, 'La tua versione resta su questo dispositivo, non pubblicata.')
  await expect(late.getByRole('textbox', { name: 'Testimonianza' })).toHaveValue('Testo mio.')
  expect((await ask<Item>(panel, 'GET', path)).testimonial).toBe('Testo dell’altra.')

  await late.getByRole('button', { name: 'Salva Modifiche' }).click()
  await text.getByRole('radio', { name: 'Tieni il mio' }).check()
  await expect(conflict.getByText('Scelti 1 su 2')).toBeVisible()
  await trade.getByRole('radio', { name: "Prendi l'altro" }).check()
  await publish.click()
  await expectToast(other, 'Testimonianza aggiornata!')
  expect(await ask<Item>(panel, 'GET', path)).toMatchObject({
    testimonial: 'Testo mio.',
    profession: 'Fabbro',
    rating: 3,
  })
  await other.close()
  await forget(panel, 'course-testimonials', made.id)
})

test('a draft taken back brings only what was typed, over what changed meanwhile', async ({
  panel,
}) => {
  const made = await makeTestimonial(panel, 'Gilda E.')
  await panel.reload()
  const form = await openForm(panel, 'Gilda E.')
  await form.getByLabel('Professione').fill('Giardiniera')
  await panel.keyboard.press('Escape')
  const path = `/api/admin/course-testimonials/${made.id}`
  await ask(panel, 'PUT', path, { testimonial: 'Cambiato intanto.' })
  await panel.reload()
  await openForm(panel, 'Gilda E.')
  await form.getByRole('button', { name: 'Riprendi' }).click()
  await expect(form.getByRole('textbox', { name: 'Testimonianza' })).toHaveValue(
    'Cambiato intanto.',
  )
  await form.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expectToast(panel, 'Testimonianza aggiornata!')
  expect(await ask<Item>(panel, 'GET', path)).toMatchObject({
    testimonial: 'Cambiato intanto.',
    profession: 'Giardiniera',
  })
  await forget(panel, 'course-testimonials', made.id)
})

test('settings changed in two tabs lose nothing either', async ({ panel }) => {
  const before = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  await openArea(panel, 'impostazioni', 'Impostazioni')
  await expect(panel.getByLabel('Titolo del libro')).toBeVisible()
  await ask(panel, 'PUT', '/api/admin/settings', { address: 'Via Nuova 2', bookTitle: 'Altrove' })
  await panel.getByLabel('Titolo del libro').fill('Qui')
  await panel.keyboard.press('Control+s')
  const conflict = panel.getByRole('dialog', { name: 'Questo testo è cambiato anche altrove' })
  await conflict.getByRole('radio', { name: 'Tieni il mio' }).check()
  await conflict.getByRole('button', { name: 'Pubblica le scelte' }).click()
  await expectToast(panel, 'Impostazioni salvate')
  expect(await ask(panel, 'GET', '/api/admin/settings')).toMatchObject({
    address: 'Via Nuova 2',
    bookTitle: 'Qui',
  })
  const { address, bookTitle } = before
  await ask(panel, 'PUT', '/api/admin/settings', { address, bookTitle })
})
