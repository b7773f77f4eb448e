// The form of an item: what it asks, what it sends, and that nothing typed is ever lost.

import type { Page } from '@playwright/test'
import { expectFailure, fail, failures, sent } from './admin-faults'
import { kinds } from './admin-kinds'
import { ask, expect, forget, type Item, makeTestimonial, test } from './admin-kit'
import { expectScrollLocked, expectToast, openKind, originOf, rows, titles } from './admin-screen'

const testimonials = /\/course-testimonials$/

async function openNewTestimonial(page: Page) {
  await page.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  return page.getByRole('dialog', { name: 'Nuova Testimonianza' })
}

test('a testimonial needs a name and a text, and is born public, last and with five stars', async ({
  panel,
}) => {
  const count = await rows(panel).count()
  const dialog = await openNewTestimonial(panel)
  const submit = dialog.getByRole('button', { name: 'Aggiungi Testimonianza' })
  await expect(dialog.getByLabel('Nome')).toBeFocused()
  await expect(submit).toBeDisabled()
  await dialog.getByLabel('Nome').fill('Rosa N.')
  await expect(submit).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Testimonianza' }).fill('   ')
  await expect(submit).toBeDisabled()
  await dialog.getByRole('textbox', { name: 'Testimonianza' }).fill('Ho ripreso a dormire.')
  await expect(submit).toBeEnabled()
  await expect(dialog.getByRole('radio', { name: '5 stelle su 5' })).toBeChecked()
  await expect(dialog.getByRole('switch', { name: 'Pubblicata sul sito' })).toBeChecked()
  const request = sent(panel, 'POST', testimonials)
  await submit.click()
  expect((await request).postDataJSON()).toMatchObject({
    name: 'Rosa N.',
    testimonial: 'Ho ripreso a dormire.',
    profession: null,
    rating: 5,
    published: true,
  })
  await expectToast(panel, 'Testimonianza aggiunta con successo!')
  await expect(dialog).toHaveCount(0)
  await expect(rows(panel)).toHaveCount(count + 1)
  const row = rows(panel).last()
  await expect(row).toContainText('Rosa N.')
  await expect(row).toContainText('Corsista Rebirthing')
  await expect(row.getByText('Pubblicata', { exact: true })).toBeVisible()
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/course-testimonials')
  const made = items.find(({ name }) => name === 'Rosa N.')
  expect(made?.sortOrder).toBe(count)
  await forget(panel, 'course-testimonials', made?.id ?? '')
})

test('stars are chosen by clicking and by the arrow keys', async ({ panel }) => {
  const dialog = await openNewTestimonial(panel)
  const star = (name: string) => dialog.getByRole('radio', { name })
  await dialog.locator('label', { has: panel.locator('input[value="2"]') }).click()
  await expect(star('2 stelle su 5')).toBeChecked()
  await panel.keyboard.press('ArrowLeft')
  await expect(star('1 stella su 5')).toBeChecked()
  await dialog.getByLabel('Nome').fill('Stella P.')
  await dialog.getByRole('textbox', { name: 'Testimonianza' }).fill('Una sola, per prova.')
  const request = sent(panel, 'POST', testimonials)
  await dialog.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
  expect((await request).postDataJSON().rating).toBe(1)
  const row = rows(panel).filter({ hasText: 'Stella P.' })
  await expect(row.getByRole('img', { name: '1 stella su 5' })).toBeVisible()
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/course-testimonials')
  await forget(
    panel,
    'course-testimonials',
    items.find(({ name }) => name === 'Stella P.')?.id ?? '',
  )
})

test('a testimonial that cannot be saved stays in its form', async ({ panel }) => {
  const dialog = await openNewTestimonial(panel)
  await dialog.getByLabel('Nome').fill('Nora V.')
  await dialog.getByRole('textbox', { name: 'Testimonianza' }).fill('Da non perdere.')
  for (const how of failures) {
    const heal = await fail(panel, 'POST', testimonials, how)
    await dialog.getByRole('button', { name: 'Aggiungi Testimonianza' }).click()
    await expectFailure(panel, 'Errore nel salvataggio', how)
    await expect(dialog.getByLabel('Nome')).toHaveValue('Nora V.')
    await heal()
  }
  await expect(dialog).toBeVisible()
})

for (const { kind, tab, updated } of kinds) {
  test(`${tab}: an edit is saved, and kept in the form when it fails`, async ({ panel }) => {
    await openKind(panel, kind)
    const title = (await titles(panel))[0] ?? ''
    const [before] = (await ask<Item[]>(panel, 'GET', `/api/admin/${kind}`)).filter(
      (one) => (one.title ?? one.name) === title,
    )
    if (before === undefined) throw new Error(title)
    await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
    const dialog = panel.getByRole('dialog')
    const field = kind === 'course-testimonials' ? 'Professione' : /^Descrizione/
    await dialog.getByLabel(field).fill('Una prova di modifica.')
    const save = dialog.getByRole('button', { name: 'Salva Modifiche' })
    for (const how of failures) {
      const heal = await fail(panel, 'PUT', new RegExp(`/${kind}/[^/]+$`), how)
      await save.click()
      await expectFailure(panel, "Errore nell'aggiornamento", how)
      await expect(dialog.getByLabel(field)).toHaveValue('Una prova di modifica.')
      await heal()
    }
    await save.click()
    await expectToast(panel, updated)
    await expect(dialog).toHaveCount(0)
    await expect(rows(panel).first()).toContainText('Una prova di modifica.')
    const name = kind === 'course-testimonials' ? 'profession' : 'description'
    await ask(panel, 'PUT', `/api/admin/${kind}/${before.id}`, { [name]: before[name] })
  })
}

test('an edit without a name or with only blanks is refused in the form', async ({ panel }) => {
  await panel.getByRole('button', { name: 'Modifica: Marta B.' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Testimonianza' })
  let writes = 0
  panel.on('request', (request) => {
    if (request.method() === 'PUT') writes += 1
  })
  await dialog.getByLabel('Nome').fill('   ')
  await dialog.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expect(dialog.getByText('Compila questo campo')).toBeVisible()
  await expect(dialog.getByLabel('Nome')).toBeFocused()
  await dialog.getByLabel('Nome').fill('Marta B.')
  await dialog.getByRole('textbox', { name: 'Testimonianza' }).fill(' ')
  await dialog.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expect(dialog.getByText('Compila questo campo')).toBeVisible()
  expect(writes).toBe(0)
})

test('an event needs a title and whole addresses; its order is a number', async ({ panel }) => {
  await openKind(panel, 'events')
  const title = (await titles(panel))[0] ?? ''
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Evento' })
  const save = dialog.getByRole('button', { name: 'Salva Modifiche' })
  const url = dialog.getByLabel('Link per maggiori informazioni')
  await expect(url).toHaveAttribute('type', 'url')
  await dialog.getByLabel('Titolo').fill('')
  await save.click()
  await expect(dialog.getByText('Compila questo campo')).toBeVisible()
  await dialog.getByLabel('Titolo').fill(title)
  await url.fill('www.esempio')
  await save.click()
  await expect(
    dialog.getByText('Inserisci un indirizzo web completo, che inizi con https://'),
  ).toBeVisible()
  await expect(url).toBeFocused()
  await url.fill('https://example.com/info')
  const order = dialog.getByLabel('Ordine')
  await expect(order).toHaveAttribute('inputmode', 'numeric')
  await order.fill('')
  const request = sent(panel, 'PUT', /\/events\/[^/]+$/)
  await save.click()
  expect((await request).postDataJSON()).toEqual({ url: 'https://example.com/info' })
  await expectToast(panel, 'Evento aggiornato con successo!')
})

test("'Pubblica Evento' publishes what is hidden, and is gone once public", async ({ panel }) => {
  await openKind(panel, 'events')
  const title = '[Esempio] Il respiro prima della gara'
  const row = rows(panel).filter({ hasText: title })
  await expect(row.getByText('Nascosto', { exact: true })).toBeVisible()
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Evento' })
  for (const how of failures) {
    const heal = await fail(panel, 'PUT', /\/events\/[^/]+$/, how)
    await dialog.getByRole('button', { name: 'Pubblica Evento' }).click()
    await expectFailure(panel, "Errore nell'aggiornamento", how)
    await heal()
  }
  await dialog.getByRole('button', { name: 'Pubblica Evento' }).click()
  await expectToast(panel, 'Evento pubblicato con successo!')
  await expect(row.getByText('Pubblicato', { exact: true })).toBeVisible()
  const list = await panel.request.get(`${originOf(panel)}/eventi`)
  expect(await list.text()).toContain('Il respiro prima della gara')
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  await expect(dialog.getByRole('button', { name: 'Salva Modifiche' })).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Pubblica Evento' })).toHaveCount(0)
  await panel.keyboard.press('Escape')
  await row.getByRole('switch').click()
  await expectToast(panel, 'Stato pubblicazione aggiornato!')
})

test('Escape closes the form, the page behind stays still, the text is offered back', async ({
  panel,
}) => {
  const edit = panel.getByRole('button', { name: 'Modifica: Luca T.' })
  await edit.click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Testimonianza' })
  await expectScrollLocked(panel)
  await dialog.getByLabel('Professione').fill('Apicoltore')
  await panel.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(edit).toBeFocused()
  await expectToast(panel, 'Il testo non salvato è conservato: lo ritrovi riaprendo.')

  await panel.reload()
  await edit.click()
  await expect(dialog.getByText(/C’è del testo non salvato/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Riprendi' }).click()
  await expect(dialog.getByLabel('Professione')).toHaveValue('Apicoltore')
  await expect(dialog.getByText(/C’è del testo non salvato/)).toHaveCount(0)
  await panel.keyboard.press('Escape')
  await edit.click()
  await dialog.getByRole('button', { name: 'Scarta' }).click()
  await panel.keyboard.press('Escape')
  await edit.click()
  await expect(dialog.getByLabel('Professione')).not.toHaveValue('Apicoltore')
  await expect(dialog.getByText(/C’è del testo non salvato/)).toHaveCount(0)
})

test('a tab closed while typing loses nothing', async ({ panel, context }) => {
  const dialog = await openNewTestimonial(panel)
  await dialog.getByLabel('Nome').fill('Ilaria Z.')
  const address = panel.url()
  let asked = false
  panel.on('dialog', () => {
    asked = true
  })
  const closed = panel.waitForEvent('close')
  await panel.close({ runBeforeUnload: true })
  await closed
  expect(asked, 'nothing would be lost').toBe(false)
  const again = await context.newPage()
  await again.goto(address)
  const form = await openNewTestimonial(again)
  await form.getByRole('button', { name: 'Riprendi' }).click()
  await expect(form.getByLabel('Nome')).toHaveValue('Ilaria Z.')
})

test('where the browser keeps nothing, closing asks before it loses', async ({ panel }) => {
  await panel.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
  })
  const dialog = await openNewTestimonial(panel)
  await dialog.getByLabel('Nome').fill('Olga F.')
  await panel.keyboard.press('Escape')
  const question = panel.getByRole('alertdialog', {
    name: 'Ci sono modifiche non salvate. Vuoi chiudere senza salvare?',
  })
  await question.getByRole('button', { name: 'Continua a scrivere' }).click()
  await expect(dialog.getByLabel('Nome')).toHaveValue('Olga F.')
  await panel.keyboard.press('Escape')
  await question.getByRole('button', { name: 'Chiudi senza salvare' }).click()
  await expect(dialog).toHaveCount(0)
})

test('Ctrl+S or Cmd+S saves the open form', async ({ panel }) => {
  const item = await makeTestimonial(panel, 'Tasto Rapido')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Tasto Rapido' }).click()
  await panel.getByLabel('Professione').fill('Dattilografa')
  await panel.keyboard.press('Control+s')
  await expectToast(panel, 'Testimonianza aggiornata!')
  await expect(rows(panel).filter({ hasText: 'Dattilografa' })).toHaveCount(1)
  await panel.getByRole('button', { name: 'Modifica: Tasto Rapido' }).click()
  await panel.getByLabel('Professione').fill('Stenografa')
  await panel.keyboard.press('Meta+s')
  await expect(rows(panel).filter({ hasText: 'Stenografa' })).toHaveCount(1)
  await forget(panel, 'course-testimonials', item.id)
})

test('a session that ends while typing asks to sign in there, and then saves', async ({
  panel,
  context,
}) => {
  const item = await makeTestimonial(panel, 'Sessione Scaduta')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Sessione Scaduta' }).click()
  const form = panel.getByRole('dialog', { name: 'Modifica Testimonianza' })
  await form.getByLabel('Professione').fill('Orologiaio')
  await context.clearCookies()
  await form.getByRole('button', { name: 'Salva Modifiche' }).click()
  const sheet = panel.getByRole('dialog', { name: 'Accedi di nuovo' })
  await expect(sheet.getByText('La sessione è scaduta. Accedi di nuovo.')).toBeVisible()
  await expect(sheet.getByLabel('E-mail')).toHaveValue('anna@example.com')
  const password = sheet.getByRole('textbox', { name: 'Password' })
  await expect(password, 'the address is known').toBeFocused()
  await password.fill('respiro-lento-e-profondo')
  await sheet.getByRole('button', { name: 'Accedi' }).click()
  await expectToast(panel, 'Testimonianza aggiornata!')
  await expect(sheet).toHaveCount(0)
  await expect(form).toHaveCount(0)
  await expect(rows(panel).filter({ hasText: 'Orologiaio' })).toHaveCount(1)
  await forget(panel, 'course-testimonials', item.id)
})

test('who does not sign in again keeps the form with its text', async ({ panel, context }) => {
  await panel.getByRole('button', { name: 'Modifica: Luca T.' }).click()
  const form = panel.getByRole('dialog', { name: 'Modifica Testimonianza' })
  await form.getByLabel('Professione').fill('Marinaio')
  await context.clearCookies()
  await form.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expect(panel.getByRole('dialog', { name: 'Accedi di nuovo' })).toBeVisible()
  await panel.keyboard.press('Escape')
  await expect(panel.getByRole('dialog', { name: 'Accedi di nuovo' })).toHaveCount(0)
  await expect(form.getByLabel('Professione')).toHaveValue('Marinaio')
  await expect(form.getByRole('button', { name: 'Salva Modifiche' })).toBeFocused()
})

test('the preview shows the page with what is typed, before it is saved', async ({ panel }) => {
  await openKind(panel, 'events')
  const title = (await titles(panel))[1] ?? ''
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Evento' })
  await dialog.getByRole('button', { name: 'Anteprima' }).click()
  await dialog.getByLabel('Titolo').fill('Titolo non ancora salvato')
  const frame = dialog.frameLocator('iframe[title="Anteprima della pagina"]')
  await expect(
    frame.getByRole('heading', { level: 1, name: 'Titolo non ancora salvato' }),
  ).toBeVisible({ timeout: 15_000 })
  await dialog.getByLabel('Informazioni dettagliate').fill('Prima riga\nSeconda riga')
  const lines = frame.getByText('Prima riga')
  await expect(lines).toHaveText('Prima riga\nSeconda riga', { timeout: 15_000 })
  await expect(lines).toHaveCSS('white-space', 'pre-line')
  const page = await panel.request.get(`${originOf(panel)}/eventi`)
  expect(await page.text()).not.toContain('Titolo non ancora salvato')
})

test('a draft is shared by a link that visitors can open', async ({ panel, browser }) => {
  await openKind(panel, 'events')
  await panel
    .getByRole('button', { name: 'Modifica: [Esempio] Il respiro prima della gara' })
    .click()
  await panel.getByRole('button', { name: 'Condividi bozza' }).click()
  const dialog = panel.getByRole('dialog', { name: 'Condividi la bozza' })
  const link = await dialog.getByLabel('Link di anteprima').inputValue()
  await expect(dialog.getByText(/Chi ha il link vede la bozza fino al/)).toBeVisible()
  const stranger = await browser.newContext()
  const page = await stranger.newPage()
  const { pathname, search } = new URL(link)
  await page.goto(originOf(panel) + pathname + search)
  await expect(
    page.getByRole('heading', { level: 1, name: /Il respiro prima della gara/ }),
  ).toBeVisible()
  await stranger.close()
})
