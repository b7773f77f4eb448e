// Tests of smaller rules of the panel: when it loads data, toasts, row texts, parsing of dates.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page, Response } from '@playwright/test'
import { expectFailure, fail, sent } from './admin-faults'
import { kinds, pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import {
  expectToast,
  openArea,
  openKind,
  openUpload,
  originOf,
  rows,
  titles,
  toast,
} from './admin-screen'
import { italian } from './italian'

const slowMs = 60_000

test('a list is read at first and after a write: never by itself, never twice', async ({
  panel,
}) => {
  let reads = 0
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await panel.route(/\/api\/admin\/course-testimonials\/page/, async (route) => {
    reads += 1
    if (reads === 1) await held
    await route.fallback()
  })
  await panel.reload()
  await expect(panel.getByRole('main').getByText(italian.caricamento).first()).toBeAttached()
  release()
  await expect(rows(panel).first()).toBeVisible()
  await panel.evaluate(() => {
    window.dispatchEvent(new Event('focus'))
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await panel.getByRole('tab', { name: italian.eventi }).click()
  await panel.getByRole('tab', { name: italian.testimonianzeCorsisti }).click()
  expect(reads).toBe(1)
  const control = rows(panel).first().getByRole('switch')
  await control.click()
  await expectToast(panel, italian.statoPubblicazioneAggiornato)
  expect(reads).toBe(2)
  await control.click()
  await expect(control).toBeChecked()
  await expect.poll(() => reads).toBe(3)

  const heal = await fail(panel, 'GET', /\/course-testimonials\/page/, 500)
  let tries = 0
  panel.on('request', (request) => {
    if (request.url().includes('/course-testimonials/page?')) tries += 1
  })
  await panel.reload()
  await expect(panel.getByText(italian.erroreNelCaricamento)).toBeVisible()
  expect(tries).toBe(1)
  await heal()
})

test('rows that cannot be read again after a failed write stay, with a word about it', async ({
  panel,
}) => {
  const before = await titles(panel)
  const failed = await fail(panel, 'PUT', /\/course-testimonials\//, 500)
  const unread = await fail(panel, 'GET', /\/course-testimonials\/page/, 'offline')
  await rows(panel).first().getByRole('switch').click()
  await expectFailure(panel, "Errore nell'aggiornamento", 500)
  const notice = panel.getByText(
    "Non è stato possibile rileggere l'elenco: quello che vedi può non essere aggiornato.",
  )
  await expect(notice).toBeVisible()
  expect(await titles(panel)).toEqual(before)

  const grip = panel.getByRole('button', { name: `Trascina per riordinare: ${before[0]}` })
  await grip.focus()
  await panel.keyboard.press('ArrowDown')
  await expect(toast(panel).getByText(italian.erroreNelRiordino)).toBeVisible()
  await expect.poll(() => titles(panel)).toEqual(before)
  await failed()
  await unread()
  await panel.getByRole('main').getByRole('button', { name: italian.riprova }).click()
  await expect(notice).toHaveCount(0)
  expect(await titles(panel)).toEqual(before)
})

test('a toast is at most 420 px wide, is swiped away to the right and closed by its button', async ({
  panel,
}) => {
  const control = rows(panel).first().getByRole('switch')
  const swipe = async (by: number) => {
    const box = await toast(panel).getByRole('status').locator('p').first().boundingBox()
    if (box === null) throw new Error('no toast')
    await panel.mouse.move(box.x + 5, box.y + 5)
    await panel.mouse.down()
    await panel.mouse.move(box.x + 5 + by, box.y + 5, { steps: 3 })
    await panel.mouse.up()
  }
  await control.click()
  const shown = toast(panel).getByRole('status')
  await expect(shown).toBeVisible()
  expect((await shown.boundingBox())?.width).toBeLessThanOrEqual(420)
  await swipe(40)
  await expect(shown).toBeVisible()
  await swipe(60)
  await expect(shown).toBeEmpty()
  await control.click()
  await expect(control).toBeChecked()
  await shown.getByRole('button', { name: italian.chiudiLaNotifica }).click()
  await expect(shown).toBeEmpty()
})

test('all of a testimonial can be done without a mouse', async ({ panel }) => {
  const { keyboard } = panel
  await panel
    .getByRole('main')
    .getByRole('button', { name: kinds[0]?.add ?? '' })
    .focus()
  await keyboard.press('Enter')
  await expect(panel.getByRole('dialog').getByLabel(italian.nome)).toBeFocused()
  await keyboard.type('Tasti Soltanto')
  await keyboard.press('Tab')
  await keyboard.press('Tab')
  await keyboard.type('Scritta senza mouse.')
  await keyboard.press('Control+s')
  await expectToast(panel, italian.testimonianzaAggiuntaConSuccesso)
  const row = rows(panel).filter({ hasText: 'Tasti Soltanto' })
  await row.getByRole('switch').focus()
  await keyboard.press('Space')
  await expect(row.getByText(italian.bozza, { exact: true })).toBeVisible()
  await row.getByRole('button', { name: /^Elimina: / }).focus()
  await keyboard.press('Enter')
  const question = panel.getByRole('alertdialog')
  await expect(question.getByRole('button', { name: italian.annulla })).toBeFocused()
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expectToast(panel, italian.testimonianzaEliminata)
  await expect(row).toHaveCount(0)
  await keyboard.press('F8')
  await keyboard.press('Tab')
  await keyboard.press('Enter')
  await expect(row).toHaveCount(1)
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/course-testimonials')
  const made = items.find(({ name }) => name === 'Tasti Soltanto')
  await forget(panel, 'course-testimonials', made?.id ?? '')
})

test('a row says where visitors see it, or that they do not', async ({ panel, browser }) => {
  await openKind(panel, 'events')
  const hiddenRow = rows(panel).filter({ hasText: italian.ilRespiroPrimaDellaGara })
  await expect(hiddenRow.getByText('Non compare sul sito')).toBeVisible()
  await expect(hiddenRow.getByRole('link', { name: /Visibile in/ })).toHaveCount(0)
  const link = rows(panel).first().getByRole('link', { name: 'Visibile in Eventi' })
  const stranger = await browser.newPage()
  await stranger.goto(originOf(panel) + (await link.getAttribute('href')))
  await expect(
    stranger.getByRole('heading', { level: 1, name: (await titles(panel))[0] ?? '' }),
  ).toBeVisible()
  await stranger.close()
})

test('the form of an event tells how its date is understood', async ({ panel }) => {
  await openKind(panel, 'events')
  await rows(panel)
    .first()
    .getByRole('button', { name: /^Modifica: / })
    .click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const write = async (date: string, time: string) => {
    await dialog.getByLabel(italian.data).fill(date)
    await dialog.getByLabel(italian.orario).fill(time)
  }
  await write('15 Maggio 2027', '20:30')
  await expect(dialog.getByText('Letta come sabato 15 maggio 2027, ore 20:30')).toBeVisible()
  await write('10-11 aprile 2027', '')
  await expect(
    dialog.getByText('Letta come da sabato 10 aprile 2027 a domenica 11 aprile 2027'),
  ).toBeVisible()
  await write('15 Maggio 2027', 'di sera')
  await expect(dialog.getByText('L’orario non è stato capito.')).toBeVisible()
  await expect(dialog.getByText('nessuno potrà mettere l’evento nel suo calendario')).toBeVisible()
  await expect(dialog.getByText('«dalle 9 alle 18»')).toBeVisible()
  await write('ogni martedì', '20:30')
  await expect(dialog.getByText(italian.laDataNonEStataCapita)).toBeVisible()
  await expect(dialog.getByText('«dal 5 al 7 marzo»')).toBeVisible()
  const heal = await fail(panel, 'POST', /\/understand-date$/, 'offline')
  await write('16 Maggio 2027', '20:30')
  await expect(dialog.getByText(/Letta come|non è stata capita/)).toHaveCount(0)
  await heal()
  await write('', '')
  await expect(dialog.getByText(/Letta come|non è stat/)).toHaveCount(0)
})

for (const { kind, tab } of kinds.slice(2)) {
  test(`${tab}: what cannot be stored or made is an upload error with its reason`, async ({
    panel,
  }) => {
    test.slow()
    const dialog = await openUpload(panel, kind)
    const storage = await fail(panel, 'PUT', /\/objects\/uploads\//, 409)
    await dialog.getByLabel(italian.selezionaUnaOPiuImmagini).setInputFiles(pictures.slice(0, 1))
    await expectFailure(panel, 'Errore nel caricamento', 409)
    await storage()
    const heal = await fail(panel, 'POST', new RegExp(`/${kind}$`), 'offline')
    await dialog.getByRole('button', { name: italian.riprendiIlCaricamento }).click()
    await expect(toast(panel).getByText(italian.connessioneAssente)).toBeVisible({
      timeout: slowMs,
    })
    await expectFailure(panel, 'Errore nel caricamento', 'offline')
    await heal()
    await expect(dialog.getByRole('button', { name: italian.riprendiIlCaricamento })).toBeVisible()
  })
}

test('each press mention of a batch can have its own link, checked before anything is made', async ({
  panel,
}) => {
  test.slow()
  const before = await ask<Item[]>(panel, 'GET', '/api/admin/media-features')
  const dialog = await openUpload(panel, 'media-features')
  await dialog.getByLabel(italian.selezionaUnaOPiuImmagini).setInputFiles(pictures.slice(0, 2))
  await dialog.getByRole('button', { name: italian.testiDiGallery2Jpg }).click()
  const row = dialog.getByRole('listitem').filter({ hasText: 'gallery-2.jpg' })
  const link = row.getByLabel(italian.linkEsterno)
  await expect(link).toHaveAttribute('type', 'url')
  await row.getByLabel(italian.titolo).fill('Solo la seconda')
  await link.fill('www.giornale')
  await expect(dialog.getByText('Immagini selezionate: 2')).toBeVisible({ timeout: slowMs })
  const submit = dialog.getByRole('button', { name: italian.caricaMedia })
  await submit.click()
  await expect(row.getByText(/Inserisci un indirizzo web completo/)).toBeVisible()
  await expect(link).toBeFocused()
  await link.fill('https://example.com/articolo')
  await submit.click()
  await expectToast(panel, '2 media aggiunti con successo!')
  const known = new Set(before.map(({ id }) => id))
  const now = await ask<Item[]>(panel, 'GET', '/api/admin/media-features')
  const made = now.filter(({ id }) => !known.has(id)).sort((a, b) => a.sortOrder - b.sortOrder)
  for (const { id } of made) await forget(panel, 'media-features', id)
  expect(made).toMatchObject([
    { title: null, externalUrl: null },
    { title: 'Solo la seconda', externalUrl: 'https://example.com/articolo' },
  ])
})

test('while a picture goes up its progress shows, texts can be typed, and leaving asks', async ({
  panel,
}) => {
  test.slow()
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  await panel.route(/\/objects\/uploads\//, async (route) => {
    if (route.request().method() === 'PUT') await held
    await route.fallback()
  })
  const dialog = await openUpload(panel, 'photo-gallery')
  const [picture = ''] = pictures
  await dialog.getByLabel(italian.selezionaUnaOPiuImmagini).setInputFiles([
    { name: basename(picture), mimeType: 'image/jpeg', buffer: readFileSync(picture) },
    { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('ciao') },
  ])
  const row = dialog.getByRole('listitem').filter({ hasText: 'gallery-1.jpg' })
  await expect(row.getByRole('progressbar', { name: 'gallery-1.jpg' })).toBeVisible()
  await expect(dialog.getByText('Caricamento di 1 su 1...')).toBeVisible()
  const drawn = (of: typeof row) =>
    of
      .locator('img')
      .evaluate((image) => image instanceof HTMLImageElement && image.naturalWidth > 0)
  await expect.poll(() => drawn(row)).toBe(true)
  const other = dialog.getByRole('listitem').filter({ hasText: 'note.txt' })
  await expect(other.locator('img')).toHaveAttribute('src', '/api/file-icon')
  await expect.poll(() => drawn(other)).toBe(true)

  await dialog.getByLabel(italian.titolo).fill('Scritto durante il caricamento')
  let asked = ''
  panel.once('dialog', (question) => {
    asked = question.type()
    void question.dismiss()
  })
  await panel.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toBe('beforeunload')
  release()
  await expect(row).toContainText(italian.caricata, { timeout: slowMs })
  const request = sent(panel, 'POST', /\/photo-gallery$/)
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  expect((await request).postDataJSON()).toMatchObject({
    title: 'Scritto durante il caricamento',
    filename: 'gallery-1.jpg',
  })
  await expectToast(panel, '1 foto caricate con successo!')
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery')
  const made = items.find(({ title }) => title === 'Scritto durante il caricamento')
  await forget(panel, 'photo-gallery', made?.id ?? '')
})

/** The path of the next picture, once it is stored; the form shows the chosen file. */
async function uploadedPath(panel: Page): Promise<string> {
  const isUpload = (answer: Response) =>
    answer.request().method() === 'PUT' && answer.url().includes('/objects/uploads/')
  const answer = await panel.waitForResponse(isUpload, { timeout: slowMs })
  expect(answer.ok()).toBe(true)
  return new URL(answer.url()).pathname
}

test('settings say where they appear, keep a draft and show their pictures to visitors', async ({
  panel,
}) => {
  test.slow()
  await openArea(panel, 'impostazioni', 'Impostazioni')
  for (const help of [
    'In Contatti e in fondo alle pagine.',
    'In fondo a ogni pagina, come chiede la legge.',
    'In cima alla home, orizzontale.',
    'Nella home e in Chi Sono, meglio verticale.',
  ])
    await expect(panel.getByText(help, { exact: true })).toBeVisible()
  // The hint of a switch was in the other column.
  const welcome = panel.getByRole('switch', { name: 'E-mail di benvenuto' })
  const hint = panel.getByText(/^Un breve saluto dopo la conferma/)
  const left = async (one: typeof hint) => Math.round((await one.boundingBox())?.x ?? -1)
  expect(await left(hint)).toBe(await left(welcome))
  await panel.getByLabel(italian.titoloDelLibro).fill('Un libro in bozza')
  await panel.reload()
  await panel.getByRole('button', { name: italian.riprendi }).click()
  await expect(panel.getByLabel(italian.titoloDelLibro)).toHaveValue('Un libro in bozza')
  const before = await ask<Record<string, string>>(panel, 'GET', '/api/admin/settings')
  const portrait = panel.getByRole('group', { name: 'Ritratto' })
  const stored = uploadedPath(panel)
  await portrait.getByLabel('Ritratto').setInputFiles(pictures.slice(0, 1))
  const path = await stored
  await expect(portrait.getByRole('progressbar')).toHaveCount(0)
  await panel.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.impostazioniSalvate)
  const shown = async () => {
    const page = await (await panel.request.get(`${originOf(panel)}/chi-sono`)).text()
    return [page.includes('Un libro in bozza'), page.includes(path)]
  }
  expect(await shown()).toEqual([true, true])
  await panel.getByLabel(italian.titoloDelLibro).fill('')
  await portrait.getByRole('button', { name: italian.togliImmagine }).click()
  await panel.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.impostazioniSalvate)
  await expect.poll(shown).toEqual([false, false])
  const { bookTitle = null, portraitImage = null } = before
  await ask(panel, 'PUT', '/api/admin/settings', { bookTitle, portraitImage })
})

test('an article has a date of its own, a category and a picture', async ({ panel }) => {
  test.slow()
  const origin = originOf(panel)
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: italian.nuovoArticolo }).click()
  const dialog = panel.getByRole('dialog', { name: italian.nuovoArticolo })
  await dialog.getByLabel(italian.titolo, { exact: true }).fill('Articolo con data')
  await dialog.getByLabel(italian.riassunto).fill('In breve.')
  await dialog.getByLabel('Categoria').selectOption({ index: 1 })
  const category = await dialog.getByLabel('Categoria').inputValue()
  await dialog.getByRole('textbox', { name: italian.testo, exact: true }).fill('Parole.')
  await dialog.getByLabel('Data di pubblicazione').fill('2025-02-11T10:00')
  const stored = uploadedPath(panel)
  await dialog.getByLabel(italian.immagine, { exact: true }).setInputFiles(pictures.slice(0, 1))
  const path = await stored
  await expect(dialog.getByRole('progressbar')).toHaveCount(0)
  await dialog.getByRole('button', { name: italian.pubblicaArticolo }).click()
  await expectToast(panel, italian.articoloAggiuntoConSuccesso)
  const row = rows(panel).filter({ hasText: 'Articolo con data' })
  await expect(row).toContainText('11 febbraio 2025')
  await expect(row).toContainText(category)
  const page = await (await panel.request.get(`${origin}/blog/articolo-con-data`)).text()
  for (const part of ['11 febbraio 2025', category, path]) expect(page).toContain(part)
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/blog')
  const made = items.find(({ title }) => title === 'Articolo con data')
  await forget(panel, 'blog', made?.id ?? '')
})

test('the panel tells what the site lacks, a failed publish and the last backup', async ({
  panel,
}) => {
  const status = await ask<object>(panel, 'GET', '/api/admin/status')
  const troubled = {
    ...status,
    publish: { ok: false, at: null, error: 'la pagina /eventi non si disegna' },
    backup: { at: '2026-03-01T10:00:00Z', ok: false, detail: 'il disco è pieno' },
    missingSettings: ['phone', 'vatNumber'],
  }
  await panel.route(/\/api\/admin\/status$/, (route) => route.fulfill({ json: troubled }))
  await panel.reload()
  const reminder = panel.getByText('Al sito mancano ancora: Telefono, Partita IVA.')
  await expect(reminder).toBeVisible()
  await panel.getByRole('button', { name: italian.completaAdesso }).click()
  await expect(panel.getByText(italian.passo1Di4)).toBeVisible()
  await panel.getByRole('button', { name: italian.loFaccioDopo }).click()
  await panel.getByRole('button', { name: 'Non ora' }).click()
  await expect(reminder).toHaveCount(0)
  await panel.reload()
  await expect(reminder, 'it does not come back').toHaveCount(0)
  await openArea(panel, 'backup', 'Backup')
  await expect(panel.getByRole('alert')).toContainText('la pagina /eventi non si disegna')
  await expect(panel.getByText('Ultimo backup non riuscito')).toBeVisible()
  await expect(panel.getByText(/1 marzo 2026.*il disco è pieno/)).toBeVisible()
  const { backup } = troubled
  const healthy = { ...troubled, backup: { ...backup, ok: true, detail: 'letta e controllata' } }
  await panel.unroute(/\/api\/admin\/status$/)
  await panel.route(/\/api\/admin\/status$/, (route) => route.fulfill({ json: healthy }))
  await panel.reload()
  await expect(panel.getByText('Ultimo backup verificato')).toBeVisible()
  await expect(panel.getByText(/1 marzo 2026.*letta e controllata/)).toBeVisible()
})
