// Tests of the article editor that no other file covers: each entry of the block menu, moving between title and text,
// undo of every action, the phone layout, and the message preview.

import type { Locator } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { openArea, originOf, toast } from './admin-screen'
import {
  goToEnd,
  makeArticle,
  openArticle,
  saveArticle,
  slowMs,
  stored,
  textOf,
} from './article-sheet'
import { italian } from './italian'

const listOf = (dialog: Locator) => dialog.getByRole('listbox', { name: 'Inserisci' })

/** Finds the entry by its exact name; the same row also shows the Markdown shortcut. */
const entryOf = (dialog: Locator, name: string) =>
  listOf(dialog)
    .getByRole('option')
    .filter({ has: dialog.page().getByText(name, { exact: true }) })

test('each entry of the list puts in what its name says', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Tutte le voci', {})
  const dialog = await openArticle(panel, 'Tutte le voci')
  const { keyboard } = panel
  await textOf(dialog).focus()
  const entries = [
    ['Titolo di sezione', 'grande', '## grande'],
    ['Titolo più piccolo', 'piccolo', '### piccolo'],
    ['Elenco', 'punto', '- punto'],
    ['Elenco numerato', 'primo', '1. primo'],
    ['Citazione', 'detto', '> detto'],
  ] as const
  for (const [name, word] of entries) {
    await keyboard.type('/')
    await entryOf(dialog, name).click()
    await keyboard.type(word)
    await keyboard.press('Enter')
    // A second Enter leaves a list or a quotation.
    if (!name.startsWith('Titolo')) await keyboard.press('Enter')
  }
  await keyboard.type('/linea')
  await keyboard.press('Enter')
  await keyboard.type('fine')
  await saveArticle(panel, dialog)
  const written = entries.map(([, , markdown]) => markdown)
  expect(await stored(panel, item.id)).toBe([...written, '---', 'fine'].join('\n\n'))
  await forget(panel, 'blog', item.id)
})

test('the list opens at the start of a line and after a blank, not inside of words', async ({
  panel,
}) => {
  const item = await makeArticle(panel, 'Dove si apre', {})
  const dialog = await openArticle(panel, 'Dove si apre')
  const { keyboard } = panel
  await textOf(dialog).focus()
  await keyboard.type('e/o')
  await expect(textOf(dialog)).toHaveText('e/o')
  await expect(listOf(dialog)).toHaveCount(0)
  await keyboard.type(' /')
  await expect(listOf(dialog)).toBeVisible()
  // When no block has such a name, the slash is ordinary text.
  await keyboard.type('xyz')
  await expect(listOf(dialog)).toHaveCount(0)
  await keyboard.press('Enter')
  await expect(textOf(dialog).locator('> p')).toHaveText(['e/o /xyz', ''])
  await forget(panel, 'blog', item.id)
})

test('more of Markdown becomes what it means while it is typed', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Segni a mano', {})
  const dialog = await openArticle(panel, 'Segni a mano')
  const { keyboard } = panel
  await textOf(dialog).focus()
  await keyboard.type('### piccolo')
  await keyboard.press('Enter')
  await keyboard.type('1. primo')
  await keyboard.press('Enter')
  await keyboard.type('secondo')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('> detto')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('con _garbo_ e ~~fretta~~ fine')
  await expect(textOf(dialog).locator('ol > li')).toHaveCount(2)
  await expect(textOf(dialog).locator('em')).toHaveText('garbo')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(
    '### piccolo\n\n1. primo\n2. secondo\n\n> detto\n\ncon *garbo* e ~~fretta~~ fine',
  )
  await forget(panel, 'blog', item.id)
})

// Regression: only the direction from the title to the text worked.
test('Enter leads from the title into the text, and the arrow from its start back', async ({
  panel,
}) => {
  const item = await makeArticle(panel, 'Su e giu', { content: 'Prima riga.\n\nSeconda.' })
  const dialog = await openArticle(panel, 'Su e giu')
  const title = dialog.getByLabel(italian.titolo, { exact: true })
  const text = textOf(dialog)
  await title.focus()
  await panel.keyboard.press('Enter')
  await expect(text).toBeFocused()
  await goToEnd(panel, dialog)
  await panel.keyboard.press('ArrowUp')
  await expect(text).toBeFocused()
  await panel.keyboard.press('ControlOrMeta+Home')
  // The first arrow key collapses the selection.
  await panel.keyboard.press('Shift+ArrowRight')
  await expect.poll(() => panel.evaluate(() => String(getSelection()))).toBe('P')
  await panel.keyboard.press('ArrowUp')
  await expect(text).toBeFocused()
  await panel.keyboard.press('ArrowUp')
  await expect(title).toBeFocused()
  await expect(title).toHaveValue('Su e giu')
  await forget(panel, 'blog', item.id)
})

test('steps back take everything along: words, marks, a paste, and a picture taken away', async ({
  panel,
}) => {
  test.slow()
  const path = '/objects/uploads/'
  const item = await makeArticle(panel, 'Passi indietro', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'Passi indietro')
  const text = textOf(dialog)
  const { keyboard } = panel
  await goToEnd(panel, dialog)
  await keyboard.press('Enter')
  const chooser = panel.waitForEvent('filechooser')
  await keyboard.type('/imm')
  await keyboard.press('Enter')
  await (await chooser).setFiles(pictures.slice(0, 1))
  const picture = text.locator('figure img')
  await expect(picture).toBeVisible({ timeout: slowMs })
  await text.locator('> p').last().click()
  await keyboard.type('Dopo.')
  await text.locator('> p').last().selectText()
  await keyboard.press('Control+b')
  await expect(text.locator('strong')).toHaveText('Dopo.')
  await keyboard.press('ArrowRight')
  await text.evaluate((field) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text/html', '<p> Incollato <i>piano</i></p>')
    const init = { clipboardData, bubbles: true, cancelable: true }
    field.dispatchEvent(new ClipboardEvent('paste', init))
  })
  await expect(text.locator('em')).toHaveText('piano')
  await expect(toast(panel)).toContainText('Incollato: parole, grassetti, link ed elenchi.')
  await picture.click()
  await text.getByRole('button', { name: 'Elimina immagine' }).click()
  await expect(picture).toHaveCount(0)
  const back = () => keyboard.press('Control+z')
  await back()
  await expect(picture).toBeVisible()
  await back()
  await expect(text.locator('em')).toHaveCount(0)
  await back()
  await expect(text.locator('strong')).toHaveCount(0)
  await expect(text).toContainText('Dopo.')
  // Redo, with both common shortcuts.
  await keyboard.press('Control+Shift+z')
  await expect(text.locator('strong')).toHaveText('Dopo.')
  await keyboard.press('Control+y')
  await expect(text.locator('em')).toHaveText('piano')
  await keyboard.press('Control+y')
  await expect(picture).toHaveCount(0)
  await back()
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toContain(path)
  await forget(panel, 'blog', item.id)
})

test('a button that leads to the messenger writes to her number, and asks only while chosen', async ({
  panel,
}) => {
  test.slow()
  const { whatsapp } = await ask<Item>(panel, 'GET', '/api/admin/settings')
  await ask(panel, 'PUT', '/api/admin/settings', { whatsapp: '+393331234567' })
  const item = await makeArticle(panel, 'Scrivimi pure', { content: 'Prima.', published: true })
  const dialog = await openArticle(panel, 'Scrivimi pure')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('/puls')
  await panel.keyboard.press('Enter')
  const words = dialog.getByLabel('Testo del pulsante')
  await words.fill('Ti rispondo io')
  await dialog.getByLabel(italian.dovePorta).selectOption({ label: 'WhatsApp' })
  await text.locator('> p').first().click()
  await expect(words).toHaveCount(0)
  await expect(text.getByText('Ti rispondo io')).toBeVisible()
  await saveArticle(panel, dialog)
  await panel.goto(`${originOf(panel)}/blog/scrivimi-pure`)
  await expect(
    panel.getByRole('main').getByRole('link', { name: /^Ti rispondo io/ }),
  ).toHaveAttribute('href', /^https:\/\/wa\.me\/393331234567/)
  await ask(panel, 'PUT', '/api/admin/settings', { whatsapp })
  await forget(panel, 'blog', item.id)
})

test('on a phone a picture of the phone comes in by the plus, and the bar rises with the keyboard', async ({
  panel,
}) => {
  test.slow()
  await panel.setViewportSize({ width: 360, height: 640 })
  const item = await makeArticle(panel, 'Dal telefono', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'Dal telefono')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  const bar = dialog.getByRole('toolbar', { name: italian.formatoDelTesto })
  // Headless browsers show no on-screen keyboard; this imitates the visualViewport that a phone reports.
  await panel.evaluate(() => {
    const viewport = window.visualViewport
    if (viewport === null) return
    Object.defineProperty(viewport, 'height', { value: 340, configurable: true })
    viewport.dispatchEvent(new Event('resize'))
  })
  const foot = () => bar.evaluate((element) => element.getBoundingClientRect().bottom)
  await expect.poll(async () => Math.round(await foot())).toBe(340)
  await bar.getByRole('button', { name: 'Inserisci' }).click()
  const list = listOf(dialog)
  await expect(list).toBeVisible()
  const box = await list.boundingBox()
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(340)
  const chooser = panel.waitForEvent('filechooser')
  await list.getByRole('option', { name: italian.immagine }).click()
  const files = await chooser
  // `accept` starts with image/, so phones offer the photo library as well as the camera.
  expect(await files.element().getAttribute('accept')).toMatch(/^image\//)
  await files.setFiles(pictures.slice(0, 1))
  await expect(text.locator('figure img')).toBeVisible({ timeout: slowMs })
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toMatch(/^Prima\.\n\n!\[\]\(\/objects\/uploads\/\w{26}\)$/)
  await forget(panel, 'blog', item.id)
})

test('no bar lies over the text before words are selected, and newsletters are written alike', async ({
  panel,
}) => {
  const item = await makeArticle(panel, 'Senza barra', { content: 'Una parola.' })
  let dialog = await openArticle(panel, 'Senza barra')
  const bar = panel.getByRole('toolbar', { name: italian.formatoDelTesto })
  await goToEnd(panel, dialog)
  await panel.keyboard.type(' Altra')
  await expect(textOf(dialog)).toHaveText('Una parola. Altra')
  await expect(bar).toHaveCount(0)
  await panel.keyboard.press('Shift+Home')
  await expect(bar).toBeVisible()
  await panel.keyboard.press('ArrowRight')
  await panel.keyboard.press('Escape')
  await panel.keyboard.press('Escape')
  await forget(panel, 'blog', item.id)

  const body = { title: 'Lettera', content: 'Ciao **forte**.' }
  const letter = await ask<Item>(panel, 'POST', '/api/admin/newsletters', body)
  await openArea(panel, 'newsletter', 'Newsletter')
  await panel.getByRole('button', { name: 'Apri: Lettera' }).click()
  await panel.getByRole('button', { name: /^Modifica/ }).click()
  dialog = panel.getByRole('dialog', { name: 'Modifica newsletter' })
  await expect(textOf(dialog).locator('strong')).toHaveText('forte', { timeout: slowMs })
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('/')
  await expect(listOf(dialog)).toBeVisible()
  await panel.keyboard.press('Escape')
  // The list gives the focus back, and the editor restores its selection 20 ms after that: faster keys than a person's.
  await expect(async () => {
    await panel.keyboard.press('Shift+Home')
    await expect(bar).toBeVisible({ timeout: 500 })
  }).toPass()
  await ask(panel, 'DELETE', `/api/admin/newsletters/${letter.id}`)
  await ask(panel, 'DELETE', `/api/admin/trash/${letter.id}`)
})
