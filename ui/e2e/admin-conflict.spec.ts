// Tests of two tabs that edit the same item: neither tab loses the changes of the other.

import type { Page } from '@playwright/test'
import {
  ask,
  expect,
  forget,
  forgetDrafts,
  type Item,
  isWrite,
  makeTestimonial,
  test,
} from './admin-kit'
import { expectToast, leaveLayer, openArea } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

async function secondTab(panel: Page): Promise<Page> {
  const other = await panel.context().newPage()
  await other.goto(panel.url())
  return other
}

async function openForm(page: Page, name: string) {
  await page.getByRole('button', { name: `Modifica: ${name}` }).click()
  return page.getByRole('dialog', { name: italian.modificaTestimonianza })
}

test('two tabs change different fields, and both changes stand', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Elda C.')
  await panel.reload()
  const other = await secondTab(panel)
  const late = await openForm(other, 'Elda C.')
  const form = await openForm(panel, 'Elda C.')
  await form.getByLabel(italian.professione).fill('Levatrice')
  const write = panel.waitForRequest(isWrite)
  await form.getByRole('button', { name: italian.salvaModifiche }).click()
  expect((await write).postDataJSON()).toEqual({ profession: 'Levatrice' })
  expect(await (await write).headerValue('if-match')).toMatch(/^"[^"]+"$/)
  await expectToast(panel, italian.testimonianzaAggiornata)
  // Regression: the second save deleted the profession, and both tabs reported success.
  await late.getByRole('textbox', { name: italian.testimonianza }).fill('Parole nuove.')
  await late.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(other, italian.testimonianzaAggiornata)
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
  await late.getByRole('textbox', { name: italian.testimonianza }).fill('Testo mio.')
  await late.getByLabel(italian.professione).fill('Falegname')
  await late.getByRole('button', { name: italian.salvaModifiche }).click()

  const conflict = other.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })
  const text = conflict.getByRole('group', { name: 'Testimonianza: scegli quale tenere' })
  const trade = conflict.getByRole('group', { name: 'Professione: scegli quale tenere' })
  await expect(text).toContainText('Testo mio.')
  await expect(text).toContainText('Testo dell’altra.')
  await expect(conflict.getByRole('group')).toHaveCount(2)
  await expect(conflict.getByRole('radio', { checked: true })).toHaveCount(0)
  const publish = conflict.getByRole('button', { name: italian.pubblicaLeScelte })
  await expect(publish).toBeDisabled()
  await expectAccessible(other)

  // When the admin postpones the decision, the tab sends nothing and keeps the text.
  await other.keyboard.press('Escape')
  await expectToast(other, 'La tua versione resta fra le bozze, non pubblicata.')
  await expect(late.getByRole('textbox', { name: italian.testimonianza })).toHaveValue('Testo mio.')
  expect((await ask<Item>(panel, 'GET', path)).testimonial).toBe('Testo dell’altra.')

  await late.getByRole('button', { name: italian.salvaModifiche }).click()
  await text.getByRole('radio', { name: italian.tieniIlMio }).check()
  await expect(conflict.getByText('Scelti 1 su 2')).toBeVisible()
  await trade.getByRole('radio', { name: "Prendi l'altro" }).check()
  await publish.click()
  await expectToast(other, italian.testimonianzaAggiornata)
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
  await form.getByLabel(italian.professione).fill('Giardiniera')
  await leaveLayer(panel)
  const path = `/api/admin/course-testimonials/${made.id}`
  await ask(panel, 'PUT', path, { testimonial: 'Cambiato intanto.' })
  await panel.reload()
  await openForm(panel, 'Gilda E.')
  await form.getByRole('button', { name: italian.riprendi }).click()
  await expect(form.getByRole('textbox', { name: italian.testimonianza })).toHaveValue(
    'Cambiato intanto.',
  )
  await form.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.testimonianzaAggiornata)
  expect(await ask<Item>(panel, 'GET', path)).toMatchObject({
    testimonial: 'Cambiato intanto.',
    profession: 'Giardiniera',
  })
  await forget(panel, 'course-testimonials', made.id)
})

// Regression: at the second visit the text overwrote the other tab's without a question.
test('what both changed is asked about however often the form was closed before', async ({
  panel,
}) => {
  const made = await makeTestimonial(panel, 'Ida F.')
  await panel.reload()
  const form = await openForm(panel, 'Ida F.')
  await form.getByLabel(italian.professione).fill('Sarta')
  await leaveLayer(panel)
  const path = `/api/admin/course-testimonials/${made.id}`
  await ask(panel, 'PUT', path, { profession: 'Cuoca' })
  for (const visit of ['first', 'second', 'third']) {
    await panel.reload()
    await openForm(panel, 'Ida F.')
    await expect(form, visit).toContainText('Da allora qui è cambiato qualcosa.')
    await form.getByRole('button', { name: italian.riprendi }).click()
    await expect(form.getByLabel(italian.professione)).toHaveValue('Sarta')
    if (visit !== 'third') await leaveLayer(panel)
  }
  await form.getByRole('button', { name: italian.salvaModifiche }).click()
  const conflict = panel.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })
  const trade = conflict.getByRole('group', { name: 'Professione: scegli quale tenere' })
  await expect(trade).toContainText('Cuoca')
  expect((await ask<Item>(panel, 'GET', path)).profession).toBe('Cuoca')
  await panel.keyboard.press('Escape')
  await forget(panel, 'course-testimonials', made.id)
})

// Regression: on a busy device the other tab's storage event arrived after this tab had closed; the text was lost.
test('what a form has open is kept once more by who leaves', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Lia G.')
  await panel.reload()
  const form = await openForm(panel, 'Lia G.')
  await form.getByLabel(italian.professione).fill('Ostetrica')
  await forgetDrafts(panel)
  await panel.reload()
  await openForm(panel, 'Lia G.')
  await form.getByRole('button', { name: italian.riprendi }).click()
  await expect(form.getByLabel(italian.professione)).toHaveValue('Ostetrica')
  await form.getByLabel(italian.professione).fill('')
  await forget(panel, 'course-testimonials', made.id)
})

// Regression: the focus disappeared with the button, and Tab started again behind the form.
test('who answers the offer of a form by keys stands on its heading', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Eva H.')
  await panel.reload()
  const form = await openForm(panel, 'Eva H.')
  await form.getByLabel(italian.professione).fill('Levatrice')
  await leaveLayer(panel)
  await openForm(panel, 'Eva H.')
  await form.getByRole('button', { name: italian.riprendi }).press('Enter')
  await expect(form.getByLabel(italian.professione)).toHaveValue('Levatrice')
  await expect(form.getByRole('heading').first()).toBeFocused()
  await forgetDrafts(panel)
  await forget(panel, 'course-testimonials', made.id)
})

test('settings changed in two tabs lose nothing either', async ({ panel }) => {
  const before = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  await openArea(panel, 'impostazioni', 'Impostazioni')
  await expect(panel.getByLabel(italian.titoloDelLibro)).toBeVisible()
  await ask(panel, 'PUT', '/api/admin/settings', { address: 'Via Nuova 2', bookTitle: 'Altrove' })
  await panel.getByLabel(italian.titoloDelLibro).fill('Qui')
  await panel.keyboard.press('Control+s')
  const conflict = panel.getByRole('dialog', { name: italian.questoTestoECambiatoAncheAltrove })
  await conflict.getByRole('radio', { name: italian.tieniIlMio }).check()
  await conflict.getByRole('button', { name: italian.pubblicaLeScelte }).click()
  await expectToast(panel, italian.impostazioniSalvate)
  expect(await ask(panel, 'GET', '/api/admin/settings')).toMatchObject({
    address: 'Via Nuova 2',
    bookTitle: 'Qui',
  })
  const { address, bookTitle } = before
  await ask(panel, 'PUT', '/api/admin/settings', { address, bookTitle })
})
