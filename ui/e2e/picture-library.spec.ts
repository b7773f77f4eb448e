// Tests of pictures that are chosen again, cropped and turned, and of the list of their places.

import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { type Kind, pictures } from './admin-kinds'
import { ask, expect, forget, forgetDrafts, type Item, test } from './admin-kit'
import { expectToast, openKind, openUpload, originOf, rows } from './admin-screen'
import { goToEnd, makeArticle, openArticle, saveArticle, slowMs, stored } from './article-sheet'
import { italian } from './italian'
import { openPage, publish, reset } from './pages-kit'
import { expectAccessible } from './test'

type Stored = {
  readonly url: string
  readonly width: number
  readonly height: number
  readonly alt: string | null
}

const ALT = 'Una barca rossa sul lago di Como'
const library = (panel: Page) => panel.getByRole('dialog', { name: 'Le tue immagini' })
const editor = (panel: Page) => panel.getByRole('dialog', { name: 'Ritaglia e ruota' })
const choose = (within: Locator) => within.getByRole('button', { name: 'Scegli fra le tue' })
/** What a dialog says; its toasts are outside of its body. */
const said = (dialog: Locator) => dialog.locator('[data-body]').getByRole('status')
const crop = (within: Locator) => within.getByRole('button', { name: 'Ritaglia e ruota' })

/** Makes an item of the gallery with a picture of its own. */
async function makePhoto(panel: Page, fields: object): Promise<Item> {
  const { uploadURL } = await ask<{ uploadURL: string }>(panel, 'POST', '/api/admin/upload')
  const { pathname, search } = new URL(uploadURL)
  const answer = await panel.request.put(originOf(panel) + pathname + search, {
    data: readFileSync(pictures[0] ?? ''),
    headers: { 'content-type': 'image/jpeg' },
  })
  expect(answer.status()).toBe(200)
  return ask<Item>(panel, 'POST', '/api/admin/photo-gallery', {
    imageUrl: pathname,
    sortOrder: 1000,
    ...fields,
  })
}

function makeEvent(panel: Page, title: string): Promise<Item> {
  return ask<Item>(panel, 'POST', '/api/admin/events', { title, published: false, sortOrder: 1000 })
}

/** Opens a list that was loaded before its items were made. */
async function openFresh(panel: Page, kind: Kind) {
  await panel.reload()
  await openKind(panel, kind)
}

async function openEvent(panel: Page, title: string): Promise<Locator> {
  await openFresh(panel, 'events')
  const row = rows(panel).filter({ hasText: title })
  await row.getByRole('button', { name: /^Modifica: / }).click()
  return panel.getByRole('dialog', { name: italian.modificaEvento })
}

async function countPictures(panel: Page): Promise<number> {
  const { data } = await ask<{ data: { pictures: number } }>(panel, 'GET', '/api/admin/status')
  return data.pictures
}

async function expectNoSidewaysScroll(dialog: Locator) {
  const overflow = await dialog.evaluate((element) => {
    const body = element.querySelector('[data-body]') ?? element
    return body.scrollWidth - body.clientWidth
  })
  expect(overflow, 'scrolls sideways').toBeLessThanOrEqual(0)
}

/** Width and height that the editor names. */
async function sidesIn(size: Locator): Promise<number[]> {
  return ((await size.textContent()) ?? '').match(/\d+/g)?.map(Number) ?? []
}

async function sizeOf(panel: Page, path: string): Promise<Stored> {
  return ask<Stored>(panel, 'GET', path.replace('/objects/uploads/', '/api/admin/pictures/'))
}

for (const width of [390, 1440]) {
  test.describe(`at ${width}`, () => {
    test.use({ viewport: { width, height: 844 } })

    test('a picture of the site is found by its text, and chosen by keys with that text', async ({
      panel,
    }) => {
      test.slow()
      const photo = await makePhoto(panel, { title: 'Nesso', imageAlt: ALT })
      const event = await makeEvent(panel, 'Con una di prima')
      const before = await countPictures(panel)
      const dialog = await openEvent(panel, 'Con una di prima')
      await choose(dialog).click()
      const all = library(panel)
      await expect(said(all)).toHaveText(/^\d+ immagini$/)
      await expectAccessible(panel)
      await expectNoSidewaysScroll(all)
      const search = all.getByRole('searchbox', { name: 'Cerca fra le tue immagini' })
      await search.fill('nessuna come questa')
      await expect(said(all)).toContainText('Niente per «nessuna come questa»')
      await search.fill('BARCA como')
      await expect(said(all)).toHaveText('1 immagine')
      const tile = all.getByRole('button', { name: `${ALT} In 1 posto` })
      await search.press('Tab')
      // WebKit and Chromium have a button of their own in a search field only while it has text.
      await expect(tile).toBeFocused()
      await panel.keyboard.press('Enter')
      await expect(all).toHaveCount(0)
      await expect(choose(dialog)).toBeFocused()
      await expect(dialog.getByLabel(italian.testoAlternativo)).toHaveValue(ALT)
      await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
      await expectToast(panel, italian.eventoAggiornatoConSuccesso)
      const saved = await ask<Item>(panel, 'GET', `/api/admin/events/${event.id}`)
      expect(saved.imageUrl).toBe(photo.imageUrl)
      expect(await countPictures(panel), 'stored once').toBe(before)

      // The deletion of one says where the picture stays, and leaves it there.
      await openFresh(panel, 'photo-gallery')
      await rows(panel)
        .filter({ hasText: 'Nesso' })
        .getByRole('button', { name: /^Elimina/ })
        .click()
      const question = panel.getByRole('alertdialog')
      await expect(question.getByText('La stessa immagine è anche qui')).toBeVisible()
      const place = question.getByRole('link', { name: /Eventi · Con una di prima/ })
      await expect(place).toHaveAttribute('href', `#/contenuti/events/${event.id}`)
      await expect(place).toHaveAttribute('target', '_blank')
      await expectAccessible(panel)
      await question.getByRole('button', { name: italian.elimina, exact: true }).click()
      await expect(question).toHaveCount(0)
      await ask(panel, 'DELETE', `/api/admin/trash/${photo.id}`)
      const picture = await panel.request.get(`${originOf(panel)}${photo.imageUrl}`)
      expect(picture.status()).toBe(200)
      await forget(panel, 'events', event.id)
    })

    test('a picture is cropped by keys, pointer and proportions, turned, and its original is back', async ({
      panel,
    }) => {
      test.slow()
      const photo = await makePhoto(panel, { title: 'Da ritagliare', imageAlt: ALT })
      const { width: wide, height: high } = await sizeOf(panel, String(photo.imageUrl))
      await openFresh(panel, 'photo-gallery')
      const edit = rows(panel)
        .filter({ hasText: 'Da ritagliare' })
        .getByRole('button', { name: /^Modifica: / })
      await edit.click()
      const form = panel.getByRole('dialog', { name: 'Modifica Foto' })
      await crop(form).click()
      const dialog = editor(panel)
      const size = said(dialog)
      await expect(size).toHaveText(`${wide} × ${high} pixel`)
      await expect(
        dialog.getByRole('link', { name: /Galleria Fotografica · Da ritagliare/ }),
      ).toBeVisible()
      await expectAccessible(panel)
      await expectNoSidewaysScroll(dialog)

      const corner = dialog.getByRole('button', { name: 'Angolo in basso a destra' })
      await corner.focus()
      for (let step = 0; step < 4; step += 1) await panel.keyboard.press('Shift+ArrowLeft')
      await expect(size).toHaveText(`${Math.round(wide * 0.8)} × ${high} pixel`)
      const frame = dialog.getByRole('button', { name: /^Riquadro/ })
      await frame.press('ArrowRight')
      await expect(frame).toHaveAccessibleName(/, 1% da sinistra, 0% dall’alto/)

      await dialog.getByRole('radio', { name: 'Quadrate' }).check()
      await expect(size).toHaveText(`${high} × ${high} pixel`)
      const box = await corner.boundingBox()
      if (box === null) throw new Error('no corner')
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
      await panel.mouse.move(x, y)
      await panel.mouse.down()
      await panel.mouse.move(x - 60, y - 20, { steps: 4 })
      await panel.mouse.up()
      const [across = 0, down = 0] = await sidesIn(size)
      expect(across).toBeLessThan(high)
      expect(Math.abs(across - down)).toBeLessThanOrEqual(1)
      await dialog.getByRole('button', { name: 'Ruota a destra' }).click()
      await expect(dialog.getByRole('radio', { name: 'Libere' })).toBeChecked()
      await dialog.getByRole('button', { name: 'Usa così' }).click()
      await expect(dialog).toHaveCount(0, { timeout: slowMs })
      await expect(crop(form)).toBeFocused()
      await expect(form.getByLabel(italian.testoAlternativo)).toHaveValue(ALT)
      await form.getByRole('button', { name: italian.salvaModifiche }).click()
      await expectToast(panel, italian.fotoAggiornataConSuccesso)
      const saved = await ask<Item>(panel, 'GET', `/api/admin/photo-gallery/${photo.id}`)
      expect(saved.imageUrl).not.toBe(photo.imageUrl)
      const made = await sizeOf(panel, String(saved.imageUrl))
      expect(Math.abs(made.width - across)).toBeLessThanOrEqual(1)
      expect(Math.abs(made.height - across)).toBeLessThanOrEqual(1)

      // The frame is where it was left, and the original is one press away.
      await edit.click()
      await crop(form).click()
      await expect(size).toContainText('pixel')
      const [left = 0] = await sidesIn(size)
      expect(Math.abs(left - made.width)).toBeLessThanOrEqual(1)
      await dialog.getByRole('button', { name: 'Torna all’originale' }).click()
      await expect(size).toHaveText(`${wide} × ${high} pixel`)
      await dialog.getByRole('button', { name: 'Usa così' }).click()
      await expect(dialog).toHaveCount(0, { timeout: slowMs })
      await form.getByRole('button', { name: italian.salvaModifiche }).click()
      await expect(form).toBeHidden()
      const back = await ask<Item>(panel, 'GET', `/api/admin/photo-gallery/${photo.id}`)
      // Another picture with the same original may stand in for it.
      const bytesOf = async (path: unknown) =>
        await (await panel.request.get(originOf(panel) + String(path))).body()
      expect(back.imageUrl).not.toBe(saved.imageUrl)
      expect(await bytesOf(back.imageUrl)).toEqual(await bytesOf(photo.imageUrl))
      await forget(panel, 'photo-gallery', photo.id)
    })
  })
}

test.describe('by touch', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('the frame follows a finger, and the sheet does not scroll with it', async ({ panel }) => {
    const photo = await makePhoto(panel, { title: 'Col dito', imageAlt: ALT })
    await openFresh(panel, 'photo-gallery')
    await rows(panel)
      .filter({ hasText: 'Col dito' })
      .getByRole('button', { name: /^Modifica: / })
      .click()
    await crop(panel.getByRole('dialog', { name: 'Modifica Foto' })).click()
    const dialog = editor(panel)
    const corner = dialog.getByRole('button', { name: 'Angolo in alto a sinistra' })
    await expect(said(dialog)).toContainText('pixel')
    const before = await said(dialog).textContent()
    const box = await corner.boundingBox()
    if (box === null) throw new Error('no corner')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const session = await panel.context().newCDPSession(panel)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', points: object[]) =>
      session.send('Input.dispatchTouchEvent', { type, touchPoints: points as never })
    await touch('touchStart', [{ x, y }])
    for (const step of [15, 30, 45, 60]) await touch('touchMove', [{ x: x + step, y: y + step }])
    await touch('touchEnd', [])
    await expect(said(dialog)).not.toHaveText(before ?? '')
    const scrolled = await dialog.locator('[data-body]').evaluate(({ scrollTop }) => scrollTop)
    expect(scrolled).toBe(0)
    await dialog.getByRole('button', { name: 'Lascia com’è' }).click()
    await expect(dialog).toHaveCount(0)
    await forget(panel, 'photo-gallery', photo.id)
  })
})

test('the same file once more proposes the text that it has elsewhere', async ({ panel }) => {
  const photo = await makePhoto(panel, { title: 'Nesso', imageAlt: ALT })
  const event = await makeEvent(panel, 'Con la stessa')
  const dialog = await openEvent(panel, 'Con la stessa')
  await dialog.getByLabel(italian.immagine, { exact: true }).setInputFiles(pictures[0] ?? '')
  const proposal = dialog.getByText(`Altrove sul sito la stessa immagine dice: «${ALT}».`)
  await expect(proposal).toBeVisible({ timeout: slowMs })
  await expectAccessible(panel)
  await dialog.getByRole('button', { name: 'Usa questo testo' }).click()
  await expect(dialog.getByLabel(italian.testoAlternativo)).toHaveValue(ALT)
  await expect(proposal).toHaveCount(0)
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  await expect(dialog).toBeHidden()
  await forget(panel, 'events', event.id)
  await forget(panel, 'photo-gallery', photo.id)
})

test('a batch, an article and a page take a picture of the site with its text', async ({
  panel,
}) => {
  test.slow()
  const photo = await makePhoto(panel, { title: 'Nesso', imageAlt: ALT })
  const take = async () => {
    await library(panel).getByRole('searchbox').fill('barca rossa')
    await library(panel)
      .getByRole('button', { name: new RegExp(`^${ALT}`) })
      .click()
  }
  const sheet = await openUpload(panel, 'special-thanks')
  await choose(sheet).click()
  await take()
  await expect(sheet.getByRole('listitem').filter({ hasText: ALT })).toContainText('Caricata')
  await sheet.getByRole('button', { name: /^Carica/ }).click()
  await expect(sheet).toHaveCount(0)
  const thanks = await ask<Item[]>(panel, 'GET', '/api/admin/special-thanks')
  const added = thanks.find(({ imageUrl }) => imageUrl === photo.imageUrl)
  expect(added).toMatchObject({ imageAlt: ALT })

  const article = await makeArticle(panel, 'Con una di prima', { content: 'Prima.' })
  const text = await openArticle(panel, 'Con una di prima')
  await goToEnd(panel, text)
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('/una')
  await panel.keyboard.press('Enter')
  await take()
  await saveArticle(panel, text)
  expect(await stored(panel, article.id)).toContain(`![${ALT}](${photo.imageUrl}`)

  await openPage(panel, 'contatti')
  const side = panel.getByRole('complementary', { name: italian.apertura })
  const field = encodeURIComponent('contatti.hero:picture')
  await panel.goto(`${originOf(panel)}/admin#/pagine/contatti/${field}`)
  await choose(side).click()
  await take()
  await expect(side.getByLabel(italian.testoAlternativo)).toHaveValue(ALT)
  await publish(panel)
  const { value } = await ask<{ value: { picture: { path: string; alt: string } } }>(
    panel,
    'GET',
    '/api/admin/words/contatti.hero',
  )
  expect(value.picture).toMatchObject({ path: photo.imageUrl, alt: ALT })
  const own = await sizeOf(panel, String(photo.imageUrl))
  expect(own).toMatchObject({ alt: ALT })
  await forgetDrafts(panel)
  await reset(panel, 'contatti.hero')
  await forget(panel, 'special-thanks', added?.id ?? '')
  await forget(panel, 'blog', article.id)
  await forget(panel, 'photo-gallery', photo.id)
})
