// Tests of the areas beside the five tabs: blog, settings, trash, newsletter, backup.

import { readFileSync } from 'node:fs'
import { expectFailure, fail, failures, reasons, sent } from './admin-faults'
import { account, ask, expect, forget, type Item, makeTestimonial, test } from './admin-kit'
import { expectToast, openArea, openKind, originOf, rows, titles } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

test('an article gets its address from its title, stays a draft, and is published', async ({
  panel,
}) => {
  const origin = originOf(panel)
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: italian.nuovoArticolo }).click()
  const dialog = panel.getByRole('dialog', { name: italian.nuovoArticolo })
  await dialog.getByLabel(italian.titolo, { exact: true }).fill('Perché respirare? È così!')
  await expect(dialog.getByLabel('Indirizzo dell’articolo')).toHaveValue('perche-respirare-e-cosi')
  await dialog.getByLabel(italian.riassunto).fill('Un riassunto breve.')
  const text = dialog.getByRole('textbox', { name: italian.testo, exact: true })
  await text.fill('Una parola importante.')
  await text.selectText()
  await dialog.getByRole('button', { name: 'Grassetto' }).click()
  await expect(text.locator('strong')).toHaveText('Una parola importante.')
  const heal = await fail(panel, 'POST', /\/admin\/blog$/, 'offline')
  await dialog.getByRole('button', { name: italian.salvaArticolo }).click()
  await expectFailure(panel, 'Errore nel salvataggio', 'offline')
  await heal()
  await dialog.getByRole('button', { name: italian.salvaArticolo }).click()
  await expectToast(panel, italian.articoloAggiuntoConSuccesso)
  const row = rows(panel).filter({ hasText: 'Perché respirare?' })
  await expect(row.getByText(italian.bozza, { exact: true })).toBeVisible()
  expect((await panel.request.get(`${origin}/blog/perche-respirare-e-cosi`)).status()).toBe(404)

  await row.getByRole('button', { name: /^Modifica: / }).click()
  await panel.getByRole('dialog').getByRole('button', { name: italian.pubblicaArticolo }).click()
  await expectToast(panel, 'Articolo pubblicato con successo!')
  const list = await (await panel.request.get(`${origin}/blog`)).text()
  expect(list).toContain('Perché respirare? È così!')
  const article = await (await panel.request.get(`${origin}/blog/perche-respirare-e-cosi`)).text()
  expect(article).toContain('<strong>Una parola importante.</strong>')

  await row.getByRole('button', { name: /^Modifica: / }).click()
  await panel.getByLabel('Indirizzo dell’articolo').fill('perche-respirare')
  await panel.getByRole('dialog').getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.articoloAggiornatoConSuccesso)
  const old = await panel.request.get(`${origin}/blog/perche-respirare-e-cosi`, { maxRedirects: 0 })
  expect(old.status()).toBe(301)

  await row.getByRole('button', { name: /^Elimina: / }).click()
  await panel
    .getByRole('alertdialog', { name: 'Sei sicuro di voler eliminare questo articolo?' })
    .getByRole('button', { name: italian.elimina, exact: true })
    .click()
  await expectToast(panel, 'Articolo eliminato con successo!')
  const trash = await ask<Item[]>(panel, 'GET', '/api/admin/trash')
  for (const { id } of trash) await ask(panel, 'DELETE', `/api/admin/trash/${id}`)
})

test('settings appear on the public pages as soon as they are saved', async ({ panel }) => {
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const phone = panel.getByLabel(italian.telefono, { exact: true })
  const before = await phone.inputValue()
  const save = panel.getByRole('button', { name: italian.salvaModifiche })
  await expect(save).toBeDisabled()
  await expect(panel.getByText('Tutto salvato.')).toBeVisible()
  await phone.fill('+39 031 123 456')
  await expect(panel.getByText('Ci sono modifiche da salvare.')).toBeVisible()
  for (const how of failures) {
    const heal = await fail(panel, 'PUT', /\/settings$/, how)
    await save.click()
    await expectFailure(panel, "Errore nell'aggiornamento", how)
    await expect(phone).toHaveValue('+39 031 123 456')
    await heal()
  }
  await phone.focus()
  await panel.keyboard.press('Control+s')
  await expectToast(panel, italian.impostazioniSalvate)
  // Regression: the form was mounted again after each save, and the focus was lost.
  await expect(panel.getByText('Tutto salvato.')).toBeVisible()
  await expect(phone).toBeFocused()
  const contacts = await (await panel.request.get(`${originOf(panel)}/contatti`)).text()
  expect(contacts).toContain('+39 031 123 456')
  await panel.reload()
  await expect(phone).toHaveValue('+39 031 123 456')
  await phone.fill(before)
  await save.click()
  await expectToast(panel, italian.impostazioniSalvate)
})

test('a setting that is no address is refused at its field', async ({ panel }) => {
  await openArea(panel, 'impostazioni', 'Impostazioni')
  await panel.getByLabel('Indirizzo del profilo social').fill('instagram')
  await panel.getByLabel(italian.eMailPerIVisitatori).fill('nessuna')
  await panel.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(panel.getByText(italian.inserisciUnIndirizzoWebCompletoChe)).toBeVisible()
  await expect(
    panel.getByText('Scrivi un indirizzo completo, per esempio nome@esempio.it'),
  ).toBeVisible()
})

test('the trash gives back, forgets one for good, and is emptied', async ({ panel }) => {
  const names = ['Torna Indietro', 'Per Sempre', 'Con Tutto']
  const made: Item[] = []
  for (const name of names) made.push(await makeTestimonial(panel, name))
  for (const { id } of made) await ask(panel, 'DELETE', `/api/admin/course-testimonials/${id}`)
  await openArea(panel, 'cestino', 'Cestino')
  const entry = (name: string) => panel.getByRole('listitem').filter({ hasText: name })
  await expect(entry('Con Tutto')).toBeVisible()
  await expectAccessible(panel)
  const heal = await fail(panel, 'POST', /\/restore$/, 'offline')
  await entry('Torna Indietro').getByRole('button', { name: italian.ripristina }).click()
  await expectFailure(panel, "Errore nell'aggiornamento", 'offline')
  await heal()
  await entry('Torna Indietro').getByRole('button', { name: italian.ripristina }).click()
  await expectToast(panel, italian.diNuovoAlSuoPosto)
  await expect(entry('Torna Indietro')).toHaveCount(0)

  await panel.getByRole('button', { name: 'Elimina per sempre: Per Sempre' }).click()
  const question = panel.getByRole('alertdialog', {
    name: 'Sei sicuro di voler eliminare questa testimonianza?',
  })
  await expect(question).toContainText('Non si può tornare indietro.')
  await question.getByRole('button', { name: 'Elimina per sempre' }).click()
  await expectToast(panel, italian.testimonianzaEliminata)
  await expect(entry('Per Sempre')).toHaveCount(0)
  await expect(entry('Con Tutto')).toHaveCount(1)

  await panel.getByRole('button', { name: italian.svuotaAdesso }).click()
  const all = panel.getByRole('alertdialog', { name: 'Vuoi svuotare il cestino?' })
  const broken = await fail(panel, 'DELETE', /\/trash$/, 500)
  await all.getByRole('button', { name: italian.svuota }).click()
  await expectFailure(panel, "Errore nell'eliminazione", 500)
  await broken()
  await panel.getByRole('button', { name: italian.svuotaAdesso }).click()
  await all.getByRole('button', { name: italian.svuota }).click()
  await expectToast(panel, italian.cestinoSvuotato)
  await expect(panel.getByText('Il cestino è vuoto.')).toBeVisible()
  await openKind(panel, 'course-testimonials')
  await expect(rows(panel).filter({ hasText: 'Torna Indietro' })).toHaveCount(1)
  await forget(panel, 'course-testimonials', made[0]?.id ?? '')
})

test('newsletter addresses are listed, downloaded and deleted with a question', async ({
  panel,
}) => {
  const origin = originOf(panel)
  const email = 'lettrice@example.com'
  const states = [
    [email, 'confirmed', 'Confermata'],
    ['nuova@example.com', 'pending', 'Da confermare'],
    ['raccolta@example.com', 'collected', 'Raccolta'],
    ['via@example.com', 'unsubscribed', 'Cancellata'],
  ] as const
  const createdAt = '2026-03-01T10:00:00Z'
  const list = states.map(([email, state]) => ({
    email,
    state,
    createdAt,
    confirmedAt: null,
    bounce: null,
  }))
  const unread = await fail(panel, 'GET', /\/api\/admin\/newsletter$/, 'offline')
  await openArea(panel, 'newsletter', 'Newsletter')
  await expect(panel.getByText(italian.erroreNelCaricamento)).toBeVisible()
  await unread()
  await panel.route(/\/api\/admin\/newsletter$/, (route) => route.fulfill({ json: list }))
  await panel.getByRole('button', { name: italian.riprova }).click()
  for (const [address, , label] of states) {
    const row = panel.getByRole('row', { name: new RegExp(address) })
    await expect(row).toContainText(label)
    await expect(row).toContainText('1 mar 2026')
  }
  await panel.getByRole('button', { name: `Elimina: ${email}` }).click()
  const question = panel.getByRole('alertdialog', {
    name: 'Sei sicuro di voler eliminare questo indirizzo?',
  })
  const heal = await fail(panel, 'DELETE', /\/newsletter\//, 409)
  await question.getByRole('button', { name: italian.elimina, exact: true }).click()
  await expectFailure(panel, "Errore nell'eliminazione", 409)
  await heal()
  await panel.unroute(/\/api\/admin\/newsletter$/)
  await panel.route(/\/api\/admin\/newsletter\//, (route) => route.fulfill({ status: 204 }))
  await panel.getByRole('button', { name: `Elimina: ${email}` }).click()
  const request = sent(panel, 'DELETE', /\/newsletter\//)
  await question.getByRole('button', { name: italian.elimina, exact: true }).click()
  expect((await request).url()).toBe(`${origin}/api/admin/newsletter/lettrice%40example.com`)
  await expectToast(panel, 'Indirizzo eliminato')
  await expect(panel.getByText(/Nessun indirizzo presente/)).toBeVisible()
  const link = panel.getByRole('link', { name: 'Scarica l’elenco' })
  const csv = await panel.request.get(origin + (await link.getAttribute('href')))
  expect(csv.headers()['content-type']).toContain('text/csv')
})

test('a copy is downloaded; a file that is none is refused with its reason', async ({ panel }) => {
  await openArea(panel, 'backup', 'Backup')
  await expect(panel.getByText('Nessun backup automatico')).toBeVisible()
  const download = panel.waitForEvent('download')
  await panel.getByRole('link', { name: 'Scarica la copia' }).click()
  const bytes = readFileSync(await (await download).path())
  expect(bytes.subarray(0, 4).toString()).toBe('redb')
  const choose = () =>
    panel.getByLabel('File di backup').setInputFiles({
      name: 'altro.redb',
      mimeType: 'application/octet-stream',
      buffer: Buffer.from('non è una copia'),
    })
  for (const how of [500, 409, 'offline'] as const) {
    const heal = await fail(panel, 'POST', /\/restore\/inspect$/, how)
    await choose()
    await expect(panel.getByRole('main').getByRole('alert')).toHaveText(
      reasons[how] ?? 'Il file non si può leggere.',
    )
    await expect(panel.getByRole('dialog')).toHaveCount(0)
    await heal()
  }
})

test('a copy is shown before it replaces anything, and brings back what it holds', async ({
  admin: page,
  fresh,
}) => {
  test.setTimeout(90_000)
  await expect(rows(page).first()).toBeVisible()
  const before = await titles(page)
  const headers = { origin: fresh.origin }
  const data = { email: 'anna@example.com' }
  await page.request.post(`${fresh.origin}/api/newsletter`, { headers, data })
  const copy = await (await page.request.get(`${fresh.origin}/api/admin/backup`)).body()
  const address = `${fresh.origin}/api/admin/newsletter/${data.email}`
  expect((await page.request.delete(address, { headers })).status()).toBe(204)
  await page.getByRole('button', { name: `Elimina: ${before[0]}` }).click()
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: italian.elimina, exact: true })
    .click()
  await expect(rows(page)).toHaveCount(before.length - 1)
  // `openArea` waits for the history.back() of the closed dialog, which on a busy machine left the new address.
  await openArea(page, 'backup', 'Backup')
  await page.getByLabel('File di backup').setInputFiles({
    name: 'respiro.redb',
    mimeType: 'application/octet-stream',
    buffer: copy,
  })
  const dialog = page.getByRole('dialog', { name: 'Che cosa contiene la copia' })
  await expect(dialog.getByText(italian.testimonianzeCorsisti)).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText('Fatta il')).toBeVisible()
  await expect(dialog.getByText('eliminato dopo questa copia: resta eliminato')).toBeVisible()
  await expect(dialog.locator('dd').first()).toHaveText(/\d{1,2} \S+ \d{4} alle ore \d{2}:\d{2}/)
  await expectAccessible(page)
  const replace = dialog.getByRole('button', { name: 'Sostituisci tutto' })
  await expect(replace).toBeDisabled()
  await dialog.getByLabel('Per continuare scrivi SOSTITUISCI').fill('sostituisci')
  const heal = await fail(page, 'POST', /\/admin\/restore$/, 409)
  await replace.click()
  await expect(dialog.getByRole('alert')).toHaveText(reasons[409] ?? '')
  await heal()
  await replace.click()
  await expect(page.getByText('Il sito è tornato a quella copia.')).toBeVisible({ timeout: 30_000 })
  await page.getByLabel(italian.eMail).fill(account.email)
  await page.getByRole('textbox', { name: italian.password }).fill(account.password)
  await page.getByRole('button', { name: italian.accedi }).click()
  await page.goto(`${fresh.origin}/admin#/contenuti/course-testimonials`)
  await expect(rows(page)).toHaveCount(before.length)
  // The report about the restore stays on the screen until the admin has dismissed it.
  await page.getByRole('link', { name: 'Guarda che cosa manca' }).click()
  const came = page.locator('section').filter({ hasText: 'Il sito è tornato' })
  await expect(came.getByRole('listitem')).toHaveCount(1)
  await expect(came.getByText('eliminato dopo quella copia: resta eliminato')).toBeVisible()
  await expectAccessible(page)
  await came.getByRole('button', { name: 'Ho guardato' }).press('Enter')
  await expect(came).toHaveCount(0)
  await expect(page.getByRole('heading', { level: 1, name: 'Backup' })).toBeFocused()
  await page.goto(`${fresh.origin}/admin#/contenuti/course-testimonials`)
  await expect(page.getByText('Il sito è tornato')).toHaveCount(0)
})
