// Tests of bad input in the panel: a text that is too long, an address without a scheme, a link used twice.

import type { Page } from '@playwright/test'
import { fail } from './admin-faults'
import { ask, expect, forget, forgetDrafts, makeTestimonial, test } from './admin-kit'
import { expectToast, openArea, openKind, openUpload, rows, toast } from './admin-screen'
import { italian } from './italian'
import { withMotion } from './motion'

test.use(withMotion)

async function paste(page: Page, text: string) {
  await page.evaluate((pasted) => {
    const data = new DataTransfer()
    data.setData('text/plain', pasted)
    const field = document.activeElement
    field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true }))
    document.execCommand('insertText', false, pasted)
  }, text)
}

test('a text that is too long is all there: pasted, refused and corrected', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Pia L.')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Pia L.' }).click()
  const dialog = panel.getByRole('dialog')
  const field = dialog.getByRole('textbox', { name: italian.testimonianza })
  await field.fill('')
  await field.focus()
  // Regression: 49,000 of these characters were cut without a message.
  const long = 'è'.repeat(54_000)
  await paste(panel, long)
  await expect(field).toHaveValue(long)
  await expect(dialog.getByText('54000 / 5000')).toBeVisible()
  await expect(dialog.getByText('49000 caratteri di troppo: accorcia il testo.')).toBeVisible()
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(field).toBeFocused()
  await expect(field).toHaveValue(long)
  await field.fill('è'.repeat(5001))
  await expect(dialog.getByText('Un carattere di troppo: accorcia il testo.')).toBeVisible()
  await field.fill('è'.repeat(4990))
  await expect(dialog.getByText('Ancora 10 caratteri')).toBeVisible()
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.testimonianzaAggiornata)
  await forget(panel, 'course-testimonials', made.id)
})

test('what the server finds too long stays in the field with its message', async ({ panel }) => {
  const made = await makeTestimonial(panel, 'Ugo M.')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Ugo M.' }).click()
  const dialog = panel.getByRole('dialog')
  const message = 'Il campo «Nome» è troppo lungo (massimo 200 caratteri)'
  await panel.route(/\/course-testimonials\/[^/]+$/, (route) =>
    route.request().method() === 'PUT'
      ? route.fulfill({
          status: 422,
          contentType: 'application/problem+json',
          body: JSON.stringify({ status: 422, errors: [{ field: 'name', message }] }),
        })
      : route.fallback(),
  )
  await dialog.getByLabel(italian.nome).fill('Ugo Maria')
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(dialog.getByText(message)).toBeVisible()
  await expect(dialog.getByLabel(italian.nome)).toHaveValue('Ugo Maria')
  await panel.unroute(/\/course-testimonials\/[^/]+$/)
  await forget(panel, 'course-testimonials', made.id)
})

/** Lets creations reach the server and cuts their answers off until the returned function is called. */
async function cutAnswersOff(page: Page): Promise<() => Promise<void>> {
  const path = /\/api\/admin\/course-testimonials$/
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    await route.fetch()
    return route.abort('connectionreset')
  })
  return () => page.unroute(path)
}

async function idsOf(page: Page, name: string): Promise<readonly string[]> {
  const path = '/api/admin/course-testimonials'
  const all = await ask<readonly { id: string; name: string }[]>(page, 'GET', path)
  return all.filter((item) => item.name.startsWith(name)).map(({ id }) => id)
}

// Regression: after 'Connessione assente' the second press made a second, published entry.
test('a save whose answer was lost and a second press make one entry', async ({ panel }) => {
  await openUpload(panel, 'course-testimonials')
  const dialog = panel.getByRole('dialog')
  const add = dialog.getByRole('button', { name: italian.aggiungiTestimonianza })
  await dialog.getByLabel(italian.nome).fill('Risposta persa')
  await dialog.getByRole('textbox', { name: italian.testimonianza }).fill('Una sola volta.')
  const giveBack = await cutAnswersOff(panel)
  await add.click()
  await expect(toast(panel).getByText(italian.connessioneAssente)).toBeVisible()
  await giveBack()
  await add.click()
  await expect(dialog).toBeHidden()
  const ids = await idsOf(panel, 'Risposta persa')
  expect(ids).toHaveLength(1)
  for (const id of ids) await forget(panel, 'course-testimonials', id)
})

test('what is typed after a lost answer and a reload changes the entry that was made', async ({
  panel,
}) => {
  await openUpload(panel, 'course-testimonials')
  const dialog = panel.getByRole('dialog')
  const add = dialog.getByRole('button', { name: italian.aggiungiTestimonianza })
  await dialog.getByLabel(italian.nome).fill('Ripresa dopo')
  const text = dialog.getByRole('textbox', { name: italian.testimonianza })
  await text.fill('Prima.')
  const giveBack = await cutAnswersOff(panel)
  await add.click()
  await expect(toast(panel).getByText(italian.connessioneAssente)).toBeVisible()
  await giveBack()
  await panel.reload()
  await openUpload(panel, 'course-testimonials')
  await dialog.getByRole('button', { name: italian.riprendi }).click()
  await text.fill('Prima e dopo.')
  await add.click()
  await expect(dialog).toBeHidden()
  const ids = await idsOf(panel, 'Ripresa dopo')
  expect(ids).toHaveLength(1)
  for (const id of ids) {
    const item = await ask<{ text: string }>(panel, 'GET', `/api/admin/course-testimonials/${id}`)
    expect(JSON.stringify(item)).toContain('Prima e dopo.')
    await forget(panel, 'course-testimonials', id)
  }
})

test('a web address without its beginning is completed, and said so', async ({ panel }) => {
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const field = panel.getByLabel('Pagina della libreria online')
  await field.fill('www.libreria.example/respiro')
  await field.blur()
  await expect(field).toHaveValue('https://www.libreria.example/respiro')
  await expect(
    panel.getByText('Indirizzo completato: https://www.libreria.example/respiro'),
  ).toBeVisible()
  await field.fill('libreria.example')
  // Saved with the keyboard, so the field has not lost the focus.
  await panel.keyboard.press('Control+s')
  await expectToast(panel, italian.impostazioniSalvate)
  const saved = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  expect(saved.bookstoreUrl).toBe('https://libreria.example')
  await ask(panel, 'PUT', '/api/admin/settings', { bookstoreUrl: null })
})

// Regression: the draft was stored, and the panel never offered it again.
test('what was typed in the first steps is offered when they come back', async ({ panel }) => {
  await ask(panel, 'PUT', '/api/admin/settings', { vatNumber: null })
  for (const turn of ['typed', 'offered']) {
    await panel.reload()
    await panel.getByRole('button', { name: italian.completaAdesso }).click()
    await expect(panel.getByText(italian.passo1Di4)).toBeVisible()
    if (turn === 'typed') await panel.getByLabel(italian.nomeECognome).fill('Anna Interrotta')
  }
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(panel.getByLabel(italian.nomeECognome)).toHaveValue('Anna Interrotta')
  await forgetDrafts(panel)
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
]) {
  test(`Back walks through the first steps, and each is judged alone, ${viewport.width} pixels wide`, async ({
    panel,
  }) => {
    const before = await ask<Record<string, string>>(panel, 'GET', '/api/admin/settings')
    await ask(panel, 'PUT', '/api/admin/settings', { vatNumber: null })
    await panel.setViewportSize(viewport)
    const open = async () => {
      await panel.reload()
      await panel.getByRole('button', { name: italian.completaAdesso }).click()
      await expect(panel.getByText(italian.passo1Di4)).toBeVisible()
    }
    const next = panel.getByRole('button', { name: italian.continua })
    const email = panel.getByLabel(italian.eMailPerIVisitatori)
    await open()
    await panel.getByLabel(italian.nomeECognome).fill('Anna Indietro')
    await next.click()
    await expect(panel.getByText(italian.passo2Di4)).toBeVisible()
    await email.fill('nome@gmail.c')
    await next.click()
    await expect(panel.getByText(/Scrivi un indirizzo completo/)).toBeVisible()
    await panel.goBack()
    await expect(panel.getByText(italian.passo1Di4)).toBeVisible()
    await next.click()
    await expect(email).toHaveValue('nome@gmail.c')
    await open()
    await panel.getByRole('button', { name: italian.riprendi }).click()
    await next.click()
    await expect(panel.getByText(italian.passo2Di4)).toBeVisible()
    await expect(email).toHaveValue('nome@gmail.c')
    await panel.goBack()
    await panel.goBack()
    await expect(rows(panel).first()).toBeVisible()
    await forgetDrafts(panel)
    const { practitioner, vatNumber } = before
    await ask(panel, 'PUT', '/api/admin/settings', { practitioner, vatNumber })
  })
}

test('an old failure is gone once the next step succeeded', async ({ panel }) => {
  await ask(panel, 'PUT', '/api/admin/settings', { vatNumber: null })
  await panel.reload()
  await panel.getByRole('button', { name: italian.completaAdesso }).click()
  await expect(panel.getByText(italian.passo1Di4)).toBeVisible()
  await panel.getByLabel(italian.nomeECognome).fill('Anna Prova')
  const heal = await fail(panel, 'PUT', /\/settings$/, 500)
  await panel.getByRole('button', { name: italian.continua }).click()
  const alert = panel.getByRole('region', { name: italian.notifiche }).getByRole('alert')
  await expect(alert).toBeVisible()
  await heal()
  await panel.getByRole('button', { name: italian.continua }).click()
  await expect(panel.getByText(italian.passo2Di4)).toBeVisible()
  await expect(alert).toHaveCount(0, { timeout: 1000 })
})

test('the question before deleting speaks of what is deleted', async ({ panel }) => {
  await panel.getByRole('button', { name: 'Elimina: Marta B.' }).click()
  await expect(
    panel.getByText('Resta nel cestino per 30 giorni: puoi ripristinarla quando vuoi.'),
  ).toBeVisible()
  await panel.keyboard.press('Escape')
  await openKind(panel, 'events')
  await panel
    .getByRole('button', { name: /^Elimina: / })
    .first()
    .click()
  await expect(
    panel.getByText('Resta nel cestino per 30 giorni: puoi ripristinarlo quando vuoi.'),
  ).toBeVisible()
})

test('a set-up link that was used says that the access exists and leads to it', async ({
  page,
  site,
}) => {
  await page.goto(`${site.origin}/admin#setup=${'a'.repeat(52)}`)
  await expect(page.getByRole('heading', { name: "L'accesso esiste già" })).toBeVisible()
  await expect(page.getByText('Questo link vale una volta sola')).toBeVisible()
  await expect(page.getByRole('heading', { name: italian.creaIlTuoAccesso })).toHaveCount(0)
  await page.getByRole('link', { name: italian.accedi }).click()
  await expect(page.getByRole('heading', { name: 'Entra nel pannello' })).toBeVisible()
  expect(new URL(page.url()).hash).toBe('')
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true })

  test('telephone fields open the keyboard of digits', async ({ panel }) => {
    await openArea(panel, 'impostazioni', 'Impostazioni')
    for (const name of ['Telefono', 'Numero WhatsApp'])
      await expect(panel.getByLabel(name, { exact: true })).toHaveAttribute('type', 'tel')
  })

  test('the box for pictures speaks of choosing, not of dragging', async ({ panel }) => {
    const dialog = await openUpload(panel, 'photo-gallery')
    await expect(dialog.getByText('Scegli dalle foto')).toBeVisible()
    await expect(dialog.getByText(/Trascina/)).toBeHidden()
  })

  test('neither a toast nor the button covers the row just made', async ({ panel }) => {
    const dialog = panel.getByRole('dialog')
    await panel.getByRole('button', { name: italian.aggiungiTestimonianza }).tap()
    await dialog.getByLabel(italian.nome).fill('Zita F.')
    await dialog.getByRole('textbox', { name: italian.testimonianza }).fill('Ora respiro.')
    await dialog.getByRole('button', { name: italian.aggiungiTestimonianza }).tap()
    await expectToast(panel, italian.testimonianzaAggiuntaConSuccesso)
    const row = rows(panel).filter({ hasText: 'Zita F.' })
    await expect(row).toBeInViewport({ ratio: 1 })
    const box = await row.boundingBox()
    const toast = await panel.locator('[role=status]', { hasText: 'aggiunta' }).boundingBox()
    const button = await panel
      .getByRole('button', { name: italian.aggiungiTestimonianza })
      .boundingBox()
    if (box === null || toast === null || button === null) throw new Error('not drawn')
    expect(box.y + box.height).toBeLessThanOrEqual(Math.min(toast.y, button.y))
    const items = await ask<{ id: string; name: string }[]>(
      panel,
      'GET',
      '/api/admin/course-testimonials',
    )
    const made = items.find(({ name }) => name === 'Zita F.')
    await forget(panel, 'course-testimonials', made?.id ?? '')
  })
})
