// Tests of pictures in the panel: orientation, focus point, storage
// while the item is in the trash, deletion with the item.

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { fail, sent } from './admin-faults'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { expectToast, openArea, openKind, originOf, rows } from './admin-screen'
import { italian } from './italian'
import { expectAccessible } from './test'

const slowMs = 60_000
const photograph = readFileSync(pictures[0] ?? '')

/** Returns the picture as a phone held upright stores it: landscape, with an EXIF orientation tag. */
function lying(jpeg: Buffer): Buffer {
  const turnRight = 6
  const exif = Buffer.from([
    ...[0xff, 0xe1, 0, 34, ...Buffer.from('Exif\0\0MM'), 0, 42, 0, 0, 0, 8],
    ...[0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, turnRight, 0, 0, 0, 0, 0, 0],
  ])
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

/** Width and height as the browser displays them, once the image has loaded. */
function drawn(page: Page, selector: string): Promise<readonly number[]> {
  return page
    .locator(selector)
    .first()
    .evaluate(async (image) => {
      if (!(image instanceof HTMLImageElement)) throw new Error('no picture')
      await image.decode()
      return [image.naturalWidth, image.naturalHeight]
    })
}

test('a photograph held upright arrives upright, also from a program that names no type', async ({
  panel,
}) => {
  test.slow()
  await openKind(panel, 'photo-gallery')
  const request = sent(panel, 'PUT', /upload/)
  await panel.evaluate(
    (bytes) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'IMG_0042'))
      document.body.dispatchEvent(new DragEvent('drop', { bubbles: true, dataTransfer }))
    },
    [...lying(photograph)],
  )
  const dialog = panel.getByRole('dialog', { name: italian.nuoveFoto })
  expect((await request).headers()['content-type']).toBe('image/jpeg')
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  await expectToast(panel, '1 foto caricate con successo!')
  const row = rows(panel).filter({ hasText: 'Foto IMG_0042' })
  await row.scrollIntoViewIfNeeded()
  await expect(row.locator('img')).toBeVisible()
  const [width = 0, height = 0] = await drawn(panel, 'li:has-text("Foto IMG_0042") img')
  expect(height).toBeGreaterThan(width)
  const items = await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery')
  const made = items.find(({ filename }) => filename === 'IMG_0042')
  expect(made?.image).toMatchObject({ width: 960, height: 1280 })
  await forget(panel, 'photo-gallery', made?.id ?? '')
})

test('the point not to cut is chosen by a press or by keys, kept, and shown to visitors', async ({
  panel,
}) => {
  await openKind(panel, 'photo-gallery')
  const [item] = await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery')
  const edit = panel.getByRole('button', { name: `Modifica: ${item?.title}` })
  await edit.click()
  const dialog = panel.getByRole('dialog')
  const open = () => dialog.getByText(italian.cheCosaNonTagliare, { exact: true }).click()
  const dot = dialog.getByRole('button', { name: /^Punto da non tagliare/ })
  await open()
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 50% dall’alto/)
  await expect(dialog.getByRole('button', { name: 'Torna al punto proposto' })).toHaveCount(0)
  const frame = dot.locator('xpath=..')
  await frame.scrollIntoViewIfNeeded()
  const box = await frame.boundingBox()
  if (box === null) throw new Error('no picture')
  await frame.click({ position: { x: box.width / 4, y: (box.height * 3) / 4 } })
  await expect(dot).toHaveAccessibleName(/: 25% da sinistra, 75% dall’alto/)
  await dot.focus()
  await panel.keyboard.press('ArrowRight')
  await panel.keyboard.press('Shift+ArrowUp')
  await expect(dot).toHaveAccessibleName(/: 27% da sinistra, 65% dall’alto/)
  const request = sent(panel, 'PUT', /\/photo-gallery\/[^/]+$/)
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  expect((await request).postDataJSON()).toMatchObject({ imageFocusX: 27, imageFocusY: 65 })
  await expectToast(panel, italian.fotoAggiornataConSuccesso)

  await edit.click()
  await open()
  await expect(dot).toHaveAccessibleName(/: 27% da sinistra, 65% dall’alto/)
  const visible = await ask<{ id: string; image: object }[]>(panel, 'GET', '/api/photo-gallery')
  expect(visible.find(({ id }) => id === item?.id)?.image).toMatchObject({ focusX: 27, focusY: 65 })
  await dialog.getByRole('button', { name: 'Torna al punto proposto' }).click()
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  // The toast of the previous save may still be visible.
  await expect(dialog).toBeHidden()
  const after = await ask<Item>(panel, 'GET', `/api/admin/photo-gallery/${item?.id}`)
  expect(after).toMatchObject({ imageFocusX: 50, imageFocusY: 50 })
})

test('the picture of an event is replaced, refused with its reason, described and taken away', async ({
  panel,
}) => {
  test.slow()
  const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Con una foto',
    published: false,
    sortOrder: 1000,
  })
  await panel.reload()
  await openKind(panel, 'events')
  const row = rows(panel).filter({ hasText: 'Con una foto' })
  await row.getByRole('button', { name: /^Modifica: / }).click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const give = (name: string, buffer: Buffer) =>
    dialog
      .getByLabel(italian.immagine, { exact: true })
      .setInputFiles({ name, mimeType: 'image/jpeg', buffer })
  const reason = dialog.getByRole('group', { name: italian.immagine }).getByRole('alert')
  const alerts: string[] = []
  panel.on('dialog', (alert) => {
    alerts.push(alert.message())
    void alert.accept()
  })
  await give('enorme.jpg', Buffer.alloc(10 * 1024 * 1024 + 1))
  await expect(reason).toHaveText('File enorme.jpg troppo grande. Massimo 10MB')
  expect(alerts).toEqual(['File enorme.jpg troppo grande. Massimo 10MB'])
  await give('IMG_7.jpg', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'))
  await expect(reason).toContainText('Questa foto è in formato HEIC')
  const heal = await fail(panel, 'PUT', /\/objects\/uploads\//, 'offline')
  await give('giusta.jpg', photograph)
  await expect(reason).toHaveText(
    'Errore nel caricamento: Connessione assente. Controlla la rete e riprova.',
  )
  await heal()
  await expect(dialog.getByRole('img', { name: italian.immagineAttuale })).toHaveCount(0)
  await give('giusta.jpg', photograph)
  await expect(dialog.getByRole('img', { name: italian.immagineAttuale })).toBeVisible({
    timeout: slowMs,
  })
  await expect(reason).toHaveCount(0)
  const save = dialog.getByRole('button', { name: italian.salvaModifiche })
  await save.click()
  await expectToast(panel, italian.eventoAggiornatoConSuccesso)
  const warning = row.getByText('Manca il testo alternativo della foto')
  await expect(warning).toBeVisible()

  await row.getByRole('button', { name: /^Modifica: / }).click()
  const alt = dialog.getByLabel(italian.testoAlternativo)
  await expect(alt).toBeVisible()
  await dialog.getByLabel('Decorativa: non c’è niente da descrivere').check()
  await expect(alt).toHaveCount(0)
  await save.click()
  await expect(warning).toHaveCount(0)
  await row.getByRole('button', { name: /^Modifica: / }).click()
  await dialog.getByRole('button', { name: italian.togliImmagine }).click()
  await save.click()
  // The toast of the previous save may still be visible.
  await expect(dialog).toBeHidden()
  const after = await ask<Item>(panel, 'GET', `/api/admin/events/${item.id}`)
  expect(after.imageUrl).toBeNull()
  await forget(panel, 'events', item.id)
})

// Regression: an animation became a still picture without a word.
test('the form says that the site shows the first frame of an animation, until another picture is chosen', async ({
  panel,
}) => {
  const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Con una animazione',
    published: false,
    sortOrder: 1000,
  })
  await panel.reload()
  await openKind(panel, 'events')
  await panel.getByRole('button', { name: 'Modifica: Con una animazione' }).click()
  const group = panel.getByRole('dialog').getByRole('group', { name: italian.immagine })
  const input = group.locator('input[type=file]')
  await input.setInputFiles(resolve(import.meta.dirname, '../../tests/data/pictures/anim.webp'))
  const notice = group.getByText("È un'animazione: il sito mostra il primo fotogramma.")
  await expect(notice).toBeVisible({ timeout: slowMs })
  await input.setInputFiles({ name: 'foto.jpg', mimeType: 'image/jpeg', buffer: photograph })
  await expect(notice).toBeHidden({ timeout: slowMs })
  await forget(panel, 'events', item.id)
})

const hardFolder = resolve(import.meta.dirname, 'hard-content')

/** How a picture is cropped: aspect ratio (width / height) of its frame, and the visible part. */
function cutOf(image: Locator) {
  return image.evaluate((element) => {
    const frame = element.closest('span')?.getBoundingClientRect()
    if (!frame) throw new Error('no frame')
    return { ratio: frame.width / frame.height, at: getComputedStyle(element).objectPosition }
  })
}

test('a tall picture opens its point by itself, and beside it stand the cuts visitors see', async ({
  panel,
  browser,
}) => {
  test.slow()
  const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Ritratto alto',
    published: true,
  })
  const second = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Un altro',
    published: true,
  })
  await panel.reload()
  await openKind(panel, 'events')
  await panel.getByRole('button', { name: 'Modifica: Ritratto alto' }).click()
  const dialog = panel.getByRole('dialog')
  const input = dialog.locator('input[type=file]')
  const dot = dialog.getByRole('button', { name: /^Punto da non tagliare/ })
  await input.setInputFiles(resolve(hardFolder, 'coffee.jpg'))
  await expect(dialog.getByText('È larga 600 pixel: sugli schermi grandi')).toBeVisible({
    timeout: slowMs,
  })
  await expect(dot).toBeHidden()
  await input.setInputFiles(resolve(hardFolder, 'portrait-tall.jpg'))
  // Decoding a picture of 24 megapixels takes long.
  await expect(dialog.getByText('È molto alta: scegli che cosa non tagliare.')).toBeVisible({
    timeout: 60_000,
  })
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 22% dall’alto/)
  await expectAccessible(panel)
  const cuts = dialog.locator('figure').filter({ has: panel.locator('figcaption') })
  const cut = (label: string) => cutOf(cuts.filter({ hasText: label }).locator('img'))
  const before = await cut('Computer')
  await dot.focus()
  await panel.keyboard.press('Shift+ArrowDown')
  await panel.keyboard.press('Shift+ArrowDown')
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 42% dall’alto/)
  // The crop previews update shortly after the focus point.
  await expect.poll(async () => (await cut('Computer')).at).not.toBe(before.at)
  const shown = {
    wide: await cut('Computer'),
    phone: await cut('Telefono'),
    card: await cut('Scheda'),
  }
  expect((await cut('Link condiviso')).ratio).toBeCloseTo(1200 / 630, 1)
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expectToast(panel, italian.eventoAggiornatoConSuccesso)

  const visitor = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const seen = async (path: string, picture: (page: Page) => Locator) => {
    await visitor.goto(originOf(panel) + path)
    return cutOf(picture(visitor))
  }
  const head = (page: Page) => page.locator('header img[sizes]').last()
  const onPage = await seen(`/evento/${item.id}`, head)
  expect(onPage.at).toBe(shown.wide.at)
  expect(onPage.ratio).toBeCloseTo(shown.wide.ratio, 0.9)
  const inCard = await seen('/eventi', (page) =>
    page.getByRole('article').filter({ hasText: 'Ritratto alto' }).locator('img[sizes]'),
  )
  expect(inCard.at).toBe(shown.card.at)
  await visitor.setViewportSize({ width: 375, height: 812 })
  const onPhone = await seen(`/evento/${item.id}`, head)
  expect(onPhone.at).toBe(shown.phone.at)
  expect(onPhone.ratio).toBeCloseTo(shown.phone.ratio, 1)
  await visitor.close()
  await forget(panel, 'events', item.id)
  await forget(panel, 'events', second.id)
})

// Regression: the built-in pictures had crop previews, but no focus point could be chosen.
test('the point of an opening picture is chosen among the settings, and pages cut around it', async ({
  panel,
  browser,
}) => {
  test.slow()
  const origin = originOf(panel)
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const own = panel.getByRole('group', { name: 'Seconda immagine di apertura' }).locator('..')
  const dot = own.getByRole('button', { name: /^Punto da non tagliare/ })
  const save = panel.getByRole('button', { name: italian.salvaModifiche })
  await own.locator('input[type=file]').setInputFiles(resolve(hardFolder, 'portrait-tall.jpg'))
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 22% dall’alto/, { timeout: slowMs })
  const cut = (label: string) =>
    cutOf(own.locator('figure').filter({ hasText: label }).locator('img'))
  await dot.focus()
  for (let step = 0; step < 4; step += 1) await panel.keyboard.press('Shift+ArrowDown')
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 62% dall’alto/)
  await expect.poll(async () => (await cut('Computer')).at).toBe('50% 70%')
  const shown = { wide: await cut('Computer'), phone: await cut('Telefono') }
  // What the bar with the save button half covers is too small for axe.
  await own.evaluate((one) => one.scrollIntoView({ block: 'end' }))
  await expectAccessible(panel)
  await save.click()
  await expectToast(panel, italian.impostazioniSalvate)
  await panel.reload()
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 62% dall’alto/)

  const visitor = await browser.newPage({ viewport: { width: 1440, height: 900 } })
  const seen = async () => {
    await visitor.goto(origin)
    return cutOf(visitor.locator('main section:has(h1) img[sizes]').last())
  }
  const onDesk = await seen()
  expect(onDesk).toEqual({ at: shown.wide.at, ratio: expect.closeTo(shown.wide.ratio, 1) })
  await visitor.setViewportSize({ width: 375, height: 812 })
  const onPhone = await seen()
  expect(onPhone).toEqual({ at: shown.phone.at, ratio: expect.closeTo(shown.phone.ratio, 1) })
  await visitor.close()

  // Another picture has a focus point of its own.
  await own.locator('input[type=file]').setInputFiles(resolve(hardFolder, 'coffee-very-wide.jpg'))
  await expect(dot).toHaveAccessibleName(/: 50% da sinistra, 50% dall’alto/, { timeout: slowMs })
  await own.getByRole('button', { name: italian.togliImmagine }).click()
  await save.click()
  await expect(panel.getByText('Tutto salvato.')).toBeVisible()
  const kept = await ask<Record<string, unknown>>(panel, 'GET', '/api/admin/settings')
  expect(kept).toMatchObject({ heroImageTwo: null, heroImageTwoFocusY: 50 })
})

// Regression: the arrival of one picture enabled the save button while another one was still uploading.
test('settings wait for every picture that is on its way', async ({ panel }) => {
  await openArea(panel, 'impostazioni', 'Impostazioni')
  const save = panel.getByRole('button', { name: italian.salvaModifiche })
  let arrive = () => {}
  const held = new Promise<void>((done) => {
    arrive = done
  })
  let isFirst = true
  await panel.route('**/api/admin/upload', async (route) => {
    const waits = isFirst
    isFirst = false
    if (waits) await held
    await route.continue()
  })
  const send = (name: string) =>
    panel
      .getByRole('group', { name, exact: true })
      .locator('..')
      .locator('input[type=file]')
      .setInputFiles(pictures[0] ?? '')
  const begun = panel.waitForRequest('**/api/admin/upload')
  await send('Seconda immagine di apertura')
  await begun
  const answered = panel.waitForResponse('**/api/admin/upload', { timeout: slowMs })
  await send('Prima immagine di apertura')
  await answered
  await expect(panel.getByText('Ci sono modifiche da salvare.')).toBeVisible()
  await expect(save).toBeDisabled()
  arrive()
  await expect(save).toBeEnabled({ timeout: slowMs })
})

test('a batch says which of its pictures are small, very wide or tall, and lets the point be chosen', async ({
  panel,
}) => {
  await openKind(panel, 'photo-gallery')
  await panel.getByRole('button', { name: italian.aggiungiFoto }).click()
  const dialog = panel.getByRole('dialog', { name: italian.nuoveFoto })
  await dialog
    .locator('input[type=file]')
    .setInputFiles(
      ['coffee-tiny.jpg', 'coffee-very-wide.jpg', 'portrait-tall.jpg'].map((name) =>
        resolve(hardFolder, name),
      ),
    )
  await expect(dialog.getByText('È grande 90×60 pixel: sembra un’icona.')).toBeVisible()
  await expect(dialog.getByText('È molto larga: scegli che cosa non tagliare.')).toBeVisible()
  // Each picture is told of once it is stored, one after the other.
  const last = dialog.getByText('È molto alta: scegli che cosa non tagliare.')
  await expect(last).toBeVisible({ timeout: slowMs })
  const tall = dialog.getByRole('listitem').filter({ hasText: 'portrait-tall' })
  const dot = tall.getByRole('button', { name: /^Punto da non tagliare/ })
  await dot.focus()
  await panel.keyboard.press('Shift+ArrowRight')
  const request = panel.waitForRequest(
    (one) => one.method() === 'POST' && one.postData()?.includes('portrait-tall') === true,
  )
  await dialog.getByRole('button', { name: italian.caricaFoto }).click()
  expect((await request).postDataJSON()).toMatchObject({ imageFocusX: 60, imageFocusY: 22 })
  await expectToast(panel, '3 foto caricate con successo!')
  for (const item of await ask<Item[]>(panel, 'GET', '/api/admin/photo-gallery'))
    if (/coffee|portrait/.test(String(item.filename))) await forget(panel, 'photo-gallery', item.id)
})

test('the trash keeps a picture for who is signed in, gives it back, and forgets it', async ({
  panel,
}) => {
  const origin = originOf(panel)
  const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
  const { pathname, search } = new URL(uploadURL)
  const stored = await panel.request.put(origin + pathname + search, {
    data: lying(photograph),
    headers: { 'content-type': 'image/jpeg' },
  })
  const { imageUrl } = await stored.json()
  const item = await ask<Item>(panel, 'POST', '/api/admin/photo-gallery', {
    imageUrl,
    filename: 'cestinata.jpg',
    title: 'Foto cestinata',
    published: true,
    sortOrder: 1000,
  })
  const forVisitors = async () => (await fetch(origin + imageUrl)).status
  expect(await forVisitors()).toBe(200)
  await panel.reload()
  await openKind(panel, 'photo-gallery')
  await panel.getByRole('button', { name: 'Elimina: Foto cestinata' }).click()
  const question = panel.getByRole('alertdialog')
  await expect(question).toContainText('Resta nel cestino per 30 giorni')
  await question.getByRole('button', { name: italian.elimina, exact: true }).click()
  await expectToast(panel, 'Foto eliminata con successo!')
  expect(await forVisitors()).toBe(404)

  await openArea(panel, 'cestino', 'Cestino')
  const entry = panel.getByRole('listitem').filter({ hasText: 'Foto cestinata' })
  await expect(entry).toContainText(italian.galleriaFotografica)
  const [width = 0, height = 0] = await drawn(panel, 'li:has-text("Foto cestinata") img')
  expect(height).toBeGreaterThan(width)
  await entry.getByRole('button', { name: italian.ripristina }).click()
  await expectToast(panel, italian.diNuovoAlSuoPosto)
  expect(await forVisitors()).toBe(200)

  await ask(panel, 'DELETE', `/api/admin/photo-gallery/${item.id}`)
  await panel.reload()
  await panel.getByRole('button', { name: italian.svuotaAdesso }).click()
  await panel.getByRole('alertdialog').getByRole('button', { name: italian.svuota }).click()
  await expectToast(panel, italian.cestinoSvuotato, 'status')
  await expect
    .poll(async () => (await panel.request.get(origin + imageUrl)).status(), { timeout: slowMs })
    .toBe(404)
})

test('who brings files over the page is told where they may be let go', async ({ panel }) => {
  const bring = (type: 'dragenter' | 'dragover' | 'dragleave') =>
    panel.evaluate((name) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File(['x'], 'x.jpg', { type: 'image/jpeg' }))
      document.body.dispatchEvent(new DragEvent(name, { bubbles: true, dataTransfer }))
    }, type)
  const veil = panel.getByText('Rilascia per caricare')
  await bring('dragenter')
  await expect(veil).toHaveCount(0)
  await bring('dragleave')
  await openKind(panel, 'photo-gallery')
  await bring('dragenter')
  // Browsers dispatch dragover repeatedly while files are held over the page.
  await expect
    .poll(async () => {
      await bring('dragover')
      return veil.isVisible()
    })
    .toBe(true)
  await bring('dragleave')
  await expect(veil).toHaveCount(0)
})
