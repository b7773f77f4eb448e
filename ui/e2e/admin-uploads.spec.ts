// Tests of batch uploads of pictures: sequential, stopped at the first failure, resumed on request.

import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Page } from '@playwright/test'
import { expectFailure, fail, failures, sent } from './admin-faults'
import { type Kind, kinds, pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { expectScrollLocked, expectToast, openKind, openUpload, rows } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

/** A file that is no picture. */
test.use({ named: /^415 PUT \/objects\/uploads\// })

const slowMs = 60_000

async function choose(page: Page, files: Parameters<typeof page.setInputFiles>[1]) {
  await page.getByRole('dialog').getByLabel(italian.selezionaUnaOPiuImmagini).setInputFiles(files)
}

function fileRow(page: Page, filename: string) {
  return page.getByRole('dialog').getByRole('listitem').filter({ hasText: filename })
}

/** Returns the items that a test has added, and deletes them permanently. */
async function newItems(page: Page, kind: Kind, before: readonly Item[]): Promise<Item[]> {
  const known = new Set(before.map(({ id }) => id))
  const now = await ask<Item[]>(page, 'GET', `/api/admin/${kind}`)
  const made = now.filter(({ id }) => !known.has(id)).sort((a, b) => a.sortOrder - b.sortOrder)
  for (const { id } of made) await forget(page, kind, id)
  return made
}

const list = (page: Page, kind: Kind) => ask<Item[]>(page, 'GET', `/api/admin/${kind}`)

for (const { kind, tab, dialog: title, add } of kinds.slice(1)) {
  test(`${tab}: without pictures nothing is sent`, async ({ panel }) => {
    const dialog = await openUpload(panel, kind)
    await expectScrollLocked(panel)
    const submit = dialog.getByRole('button', { name: /^Carica/ })
    await submit.click()
    await expectToast(panel, "Seleziona almeno un'immagine", 'alert')
    await panel.keyboard.press('Escape')
    await expect(panel.getByRole('dialog', { name: title })).toHaveCount(0)
    await expect(panel.getByRole('button', { name: add })).toBeFocused()
  })
}

test('photos go up one after another and are born public, in order, titled by their files', async ({
  panel,
}) => {
  test.slow()
  const before = await list(panel, 'photo-gallery')
  const dialog = await openUpload(panel, 'photo-gallery')
  let open = 0
  let most = 0
  panel.on('request', (request) => {
    if (request.url().includes('/upload') && request.method() === 'PUT')
      most = Math.max(most, ++open)
  })
  panel.on('requestfinished', (request) => {
    if (request.url().includes('/upload') && request.method() === 'PUT') open -= 1
  })
  await choose(panel, pictures.slice(0, 3))
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, '3 foto caricate con successo!')
  await expect(dialog).toHaveCount(0)
  await expect(rows(panel)).toHaveCount(before.length + 3)
  expect(most).toBe(1)
  const made = await newItems(panel, 'photo-gallery', before)
  expect(made.map((one) => one.title)).toEqual([
    'Foto gallery-1.jpg',
    'Foto gallery-2.jpg',
    'Foto gallery-3.jpg',
  ])
  expect(made.map((one) => one.filename)).toEqual(pictures.slice(0, 3).map((one) => basename(one)))
  expect(made.map((one) => one.sortOrder)).toEqual([0, 1, 2].map((one) => before.length + one))
  expect(made.every(({ published }) => published)).toBe(true)
  expect(made.every(({ imageUrl }) => String(imageUrl).startsWith('/objects/uploads/'))).toBe(true)
})

test('an event is born a draft, titled by its file without extension', async ({ panel }) => {
  const before = await list(panel, 'events')
  const dialog = await openUpload(panel, 'events')
  await expect(
    dialog.getByText('Il nuovo evento resta in bozza finché non lo pubblichi.'),
  ).toBeVisible()
  const request = sent(panel, 'PUT', /upload/)
  await choose(panel, pictures.slice(0, 1))
  expect((await request).headers()['content-type']).toBe('image/jpeg')
  await dialog.getByRole('button', { name: italian.caricaEvento }).click()
  await expectToast(panel, '1 eventi caricati con successo!')
  await expect(rows(panel).last().getByText(italian.nascosto, { exact: true })).toBeVisible()
  const made = await newItems(panel, 'events', before)
  expect(made).toMatchObject([
    { title: 'Evento gallery-1', published: false, sortOrder: before.length },
  ])
})

test('a thanks and a single press mention keep the texts typed with them', async ({ panel }) => {
  test.slow()
  const thanksBefore = await list(panel, 'special-thanks')
  let dialog = await openUpload(panel, 'special-thanks')
  await choose(panel, pictures.slice(0, 1))
  await dialog.getByLabel(italian.titolo).fill('Una lettera')
  await dialog.getByLabel(italian.testoAlternativo).fill('Un foglio scritto a mano')
  await dialog.getByRole('button', { name: 'Carica Ringraziamento' }).click()
  await expectToast(panel, 'Ringraziamento aggiunto con successo!')
  expect(await newItems(panel, 'special-thanks', thanksBefore)).toMatchObject([
    { title: 'Una lettera', imageAlt: 'Un foglio scritto a mano', published: true },
  ])

  const mediaBefore = await list(panel, 'media-features')
  dialog = await openUpload(panel, 'media-features')
  await expect(dialog.getByLabel(italian.linkEsterno)).toHaveAttribute('type', 'url')
  await choose(panel, pictures.slice(0, 1))
  await dialog.getByLabel(italian.titolo).fill('Un articolo')
  await dialog.getByLabel(italian.linkEsterno).fill('https://example.com/articolo')
  await dialog.getByRole('button', { name: italian.caricaMedia }).click()
  await expectToast(panel, 'Media aggiunto con successo!')
  expect(await newItems(panel, 'media-features', mediaBefore)).toMatchObject([
    { title: 'Un articolo', externalUrl: 'https://example.com/articolo', published: true },
  ])
})

test('several press mentions take no shared texts', async ({ panel }) => {
  test.slow()
  const before = await list(panel, 'media-features')
  const dialog = await openUpload(panel, 'media-features')
  await dialog.getByLabel(italian.titolo).fill('Non per tutti')
  await dialog.getByLabel(italian.linkEsterno).fill('https://example.com/uno')
  await choose(panel, pictures.slice(0, 2))
  await expect(
    dialog.getByText(
      'Titolo, descrizione e link esterno si applicano solo se selezioni una sola immagine.',
    ),
  ).toBeVisible()
  await expect(dialog.getByRole('textbox', { name: italian.linkEsterno })).toBeDisabled()
  await dialog.getByRole('button', { name: italian.caricaMedia }).click()
  await expectToast(panel, '2 media aggiunti con successo!')
  const made = await newItems(panel, 'media-features', before)
  expect(made).toHaveLength(2)
  for (const one of made) expect(one).toMatchObject({ title: null, externalUrl: null })
})

for (const how of failures) {
  test(`a batch stops at the first picture that fails (${how}) and goes on where it stood`, async ({
    panel,
  }) => {
    test.slow()
    const before = await list(panel, 'photo-gallery')
    const dialog = await openUpload(panel, 'photo-gallery')
    let heal = async () => {}
    let uploads = 0
    await panel.route(/\/api\/admin\/upload$/, async (route) => {
      uploads += 1
      if (uploads === 2) heal = await fail(panel, 'PUT', /upload/, how)
      await route.continue()
    })
    await choose(panel, pictures)
    await expectFailure(panel, 'Errore nel caricamento', how)
    await expect(fileRow(panel, 'gallery-1.jpg')).toContainText(italian.caricata)
    await expect(
      fileRow(panel, 'gallery-2.jpg').getByRole('button', { name: italian.riprova }),
    ).toBeVisible()
    await expect(fileRow(panel, 'gallery-3.jpg')).toContainText('Non inviata')
    await expect(fileRow(panel, 'gallery-4.jpg')).toContainText('Non inviata')
    await expect(dialog.getByText('Caricamento interrotto: 1 su 4 caricate.')).toBeVisible()
    if (how === 'offline') await expectAccessible(panel)
    expect(uploads).toBe(2)
    await heal()
    await dialog.getByRole('button', { name: 'Rimuovi: gallery-4.jpg' }).click()
    await fileRow(panel, 'gallery-2.jpg').getByRole('button', { name: italian.riprova }).click()
    await expect(dialog.getByText(italian.immaginiSelezionate3)).toBeVisible({ timeout: slowMs })
    await dialog.getByRole('button', { name: italian.caricaFoto }).click()
    await expectToast(panel, '3 foto caricate con successo!')
    expect(uploads).toBe(3 + 1)
    expect(await newItems(panel, 'photo-gallery', before)).toHaveLength(3)
  })
}

test('an item that cannot be made halts the batch; what is done is not done twice', async ({
  panel,
}) => {
  test.slow()
  const before = await list(panel, 'photo-gallery')
  const dialog = await openUpload(panel, 'photo-gallery')
  await choose(panel, pictures.slice(0, 3))
  await expect(dialog.getByText(italian.immaginiSelezionate3)).toBeVisible({ timeout: slowMs })
  let posts = 0
  await panel.route(/\/api\/admin\/photo-gallery$/, (route) => {
    if (route.request().method() !== 'POST') return route.fallback()
    posts += 1
    return posts === 2 ? route.abort('internetdisconnected') : route.fallback()
  })
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectFailure(panel, 'Errore nel caricamento', 'offline')
  await expect(fileRow(panel, 'gallery-1.jpg')).toContainText('Aggiunta')
  await expect(fileRow(panel, 'gallery-3.jpg')).toContainText(italian.caricata)
  await panel.keyboard.press('Escape')
  const question = panel.getByRole('alertdialog', {
    name: italian.ciSonoModificheNonSalvateVuoi,
  })
  await question.getByRole('button', { name: italian.continuaAScrivere }).click()
  await dialog.getByRole('button', { name: italian.riprendiIlCaricamento }).click()
  await expectToast(panel, '3 foto caricate con successo!')
  expect(posts).toBe(4)
  const made = await newItems(panel, 'photo-gallery', before)
  expect(made.map((one) => one.title)).toEqual([
    'Foto gallery-1.jpg',
    'Foto gallery-2.jpg',
    'Foto gallery-3.jpg',
  ])
})

test('a file over 10 MB is named in an alert and skipped', async ({ panel }) => {
  test.slow()
  const before = await list(panel, 'photo-gallery')
  const dialog = await openUpload(panel, 'photo-gallery')
  const alerts: string[] = []
  panel.on('dialog', (alert) => {
    alerts.push(alert.message())
    void alert.accept()
  })
  await choose(panel, [
    { name: 'enorme.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(10 * 1024 * 1024 + 1) },
    { name: 'giusta.jpg', mimeType: 'image/jpeg', buffer: readFileSync(pictures[0] ?? '') },
  ])
  await expect(fileRow(panel, 'enorme.jpg')).toContainText(italian.saltata)
  expect(alerts).toEqual(['File enorme.jpg troppo grande. Massimo 10MB'])
  await expect(dialog.getByText(italian.immaginiSelezionate1)).toBeVisible({ timeout: slowMs })
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, '1 foto caricate con successo!')
  expect(await newItems(panel, 'photo-gallery', before)).toMatchObject([
    { title: 'Foto giusta.jpg' },
  ])
})

test('HEIC and what is no picture are explained, never sent', async ({ panel }) => {
  const dialog = await openUpload(panel, 'photo-gallery')
  let uploads = 0
  panel.on('request', (request) => {
    if (request.url().includes('/api/admin/upload')) uploads += 1
  })
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000mif1heic')])
  await choose(panel, [
    { name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: heic },
    { name: 'rinominata.jpg', mimeType: 'image/jpeg', buffer: heic },
    { name: 'note.txt', mimeType: 'text/plain', buffer: Buffer.from('ciao') },
  ])
  await expect(fileRow(panel, 'rinominata.jpg')).toContainText('in formato HEIC')
  await expect(fileRow(panel, 'IMG_0001.HEIC')).toContainText('HEIC, che i browser non mostrano')
  await expect(fileRow(panel, 'IMG_0001.HEIC')).toContainText('Più compatibile')
  await expect(fileRow(panel, 'note.txt')).toContainText("Il file note.txt non è un'immagine.")
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, "Seleziona almeno un'immagine", 'alert')
  expect(uploads).toBe(0)
})

test('a HEIC photograph becomes a JPEG where the browser decodes it', async ({ panel }) => {
  const jpeg = readFileSync(pictures[0] ?? '').toString('base64')
  // Chromium decodes no HEIC: a browser that does shows the picture behind the address of the file.
  await panel.evaluate((encoded) => {
    const own = URL.createObjectURL.bind(URL)
    const decoded = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
    URL.createObjectURL = (file: Blob | MediaSource) =>
      own(file instanceof File && file.type === 'image/heic' ? new Blob([decoded]) : file)
  }, jpeg)
  const before = await list(panel, 'photo-gallery')
  const dialog = await openUpload(panel, 'photo-gallery')
  const request = sent(panel, 'PUT', /\/objects\/uploads\//)
  const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic0000mif1heic')])
  await choose(panel, [{ name: 'IMG_0001.HEIC', mimeType: 'image/heic', buffer: heic }])
  expect((await request).headers()['content-type']).toBe('image/jpeg')
  await expect(dialog.getByText(italian.immaginiSelezionate1)).toBeVisible({ timeout: slowMs })
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, '1 foto caricate con successo!')
  expect(await newItems(panel, 'photo-gallery', before)).toMatchObject([
    { title: 'Foto IMG_0001.jpg' },
  ])
})

test('a broken picture is refused by the server with its reason', async ({ panel }) => {
  await openUpload(panel, 'photo-gallery')
  await choose(panel, [
    { name: 'rotta.jpg', mimeType: 'image/jpeg', buffer: Buffer.from('non sono una foto') },
  ])
  await expect(
    fileRow(panel, 'rotta.jpg').getByRole('button', { name: italian.riprova }),
  ).toBeVisible()
  const reason = await fileRow(panel, 'rotta.jpg').textContent()
  expect(reason?.length ?? 0).toBeGreaterThan('rotta.jpg 17 B Riprova'.length + 10)
})

test('pictures dropped or pasted on the list open the form with them', async ({ panel }) => {
  await openKind(panel, 'photo-gallery')
  await panel.route(/\/api\/admin\/upload$/, () => {})
  const bytes = [...readFileSync(pictures[0] ?? '')]
  const give = (type: 'drop' | 'paste') =>
    panel.evaluate(
      ({ bytes, type }) => {
        const data = new DataTransfer()
        data.items.add(new File([new Uint8Array(bytes)], `${type}.jpg`, { type: 'image/jpeg' }))
        const options = { bubbles: true, cancelable: true }
        const event =
          type === 'drop'
            ? new DragEvent('drop', { ...options, dataTransfer: data })
            : new ClipboardEvent('paste', { ...options, clipboardData: data })
        document.body.dispatchEvent(event)
      },
      { bytes, type },
    )
  await give('drop')
  await expect(fileRow(panel, 'drop.jpg')).toBeVisible()
  await give('paste')
  await expect(fileRow(panel, 'paste.jpg')).toContainText('In attesa')
})

test('texts typed for one picture of many are its own', async ({ panel }) => {
  test.slow()
  const before = await list(panel, 'photo-gallery')
  const dialog = await openUpload(panel, 'photo-gallery')
  await choose(panel, pictures.slice(0, 2))
  await dialog.getByRole('button', { name: italian.testiDiGallery2Jpg }).click()
  await fileRow(panel, 'gallery-2.jpg').getByLabel(italian.titolo).fill('Solo la seconda')
  await fileRow(panel, 'gallery-2.jpg').getByLabel(italian.testoAlternativo).fill('Una sala vuota')
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, '2 foto caricate con successo!')
  const made = await newItems(panel, 'photo-gallery', before)
  expect(made).toMatchObject([
    { title: 'Foto gallery-1.jpg', imageAlt: null },
    { title: 'Solo la seconda', imageAlt: 'Una sala vuota' },
  ])
})

test('a script can read the ETag of what it sent: without it Uppy never finishes', async ({
  panel,
}) => {
  const content = readFileSync(pictures[0] ?? '').toString('base64')
  const answer = await panel.evaluate(async (content) => {
    const { uploadURL } = await (await fetch('/api/admin/upload', { method: 'POST' })).json()
    const body = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
    // As Uppy's S3 client does: with XMLHttpRequest, which sees only the response headers it may read.
    return await new Promise<{ status: number; etag: string | null }>((done) => {
      const request = new XMLHttpRequest()
      const { pathname, search } = new URL(uploadURL)
      request.open('PUT', pathname + search)
      request.setRequestHeader('Content-Type', 'image/jpeg')
      request.onload = () =>
        done({ status: request.status, etag: request.getResponseHeader('ETag') })
      request.send(body)
    })
  }, content)
  expect(answer.status).toBe(200)
  expect(answer.etag).toMatch(/^"[^"]+"$/)
})

// Regression: Word and Excel put a bitmap of the copied text beside it; the field got nothing, the form a cover.
test('a text that is pasted with its picture goes into the field, and no picture is sent', async ({
  panel,
}) => {
  await openKind(panel, 'events')
  await panel.getByRole('button', { name: 'Aggiungi Evento' }).click()
  const title = panel.getByRole('dialog').getByLabel(italian.titolo)
  await title.focus()
  const isPrevented = await title.evaluate((field) => {
    const data = new DataTransfer()
    data.setData('text/plain', 'Serata sul lago')
    data.items.add(
      new File([new Uint8Array([137, 80, 78, 71])], 'image.png', { type: 'image/png' }),
    )
    const paste = new ClipboardEvent('paste', {
      bubbles: true,
      cancelable: true,
      clipboardData: data,
    })
    return !field.dispatchEvent(paste)
  })
  expect(isPrevented).toBe(false)
  await expect(panel.getByText('image.png')).toHaveCount(0)
})
