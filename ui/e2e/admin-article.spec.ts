// Tests of the article editor: the editor shows what readers see, and the stored content stays Markdown.

import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { originOf, rows } from './admin-screen'
import {
  goToEnd,
  makeArticle,
  openArticle,
  paste,
  saveArticle,
  slowMs,
  stored,
  textOf,
} from './article-sheet'
import { italian } from './italian'
import { expectAccessible, settled } from './test'

test('a mark leaves the caret where it was: the next letter replaced the whole line', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Segni', { content: 'prima riga' })
  const dialog = await openArticle(panel, 'Segni')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Control+Alt+2')
  await panel.keyboard.type('!')
  await expect(text.locator('h2')).toHaveText('prima riga!')
  await panel.keyboard.press('Enter')
  for (const [name, element] of [
    ['Elenco', 'ul'],
    ['Citazione', 'blockquote'],
  ] as const) {
    await panel.keyboard.type(`/${name.toLowerCase()}`)
    await dialog.getByRole('option').first().click()
    await expect(text.locator(element)).toBeVisible()
    await panel.keyboard.type(`x${element}`)
    await expect(text.locator(element)).toHaveText(`x${element}`)
    await panel.keyboard.press('Enter')
    await panel.keyboard.press('Enter')
  }
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe('## prima riga!\n\n- xul\n\n> xblockquote')
  await forget(panel, 'blog', item.id)
})

test('an article that was only opened is not rewritten, and other blocks stay as they were', async ({
  panel,
}) => {
  test.slow()
  const content = 'Titolo\n===\n\n* uno\n* due\n\n__forte__ e _piano_,\nsu due righe.'
  const item = await makeArticle(panel, 'Di prima', { content, excerpt: 'a' })
  let dialog = await openArticle(panel, 'Di prima')
  await textOf(dialog).click()
  await dialog.getByLabel(italian.riassunto).fill('b')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(content)
  dialog = await openArticle(panel, 'Di prima')
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Nuovo.')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(`${content}\n\nNuovo.`)
  await forget(panel, 'blog', item.id)
})

test('what is written while the form still draws the words before is not lost', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Di corsa', {})
  const dialog = await openArticle(panel, 'Di corsa')
  const text = textOf(dialog)
  await text.focus()
  const words = ['uno ', 'due ', 'tre ', 'quattro.']
  await text.evaluate(async (field, words) => {
    // The form renders between two of these steps, and its effects have not run yet.
    const turn = async () => {
      for (let step = 0; step < 20; step += 1) await null
    }
    for (const word of words) {
      document.execCommand('insertText', false, word)
      await turn()
      // Blur flushes the text. Regression: the form treated an older text of its own as a change from elsewhere.
      field.dispatchEvent(new FocusEvent('blur'))
      await turn()
    }
  }, words)
  await expect(text).toHaveText(words.join(''))
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(words.join(''))
  await forget(panel, 'blog', item.id)
})

test('the list of the slash is filtered, walked and left by keys', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Barra', {})
  const dialog = await openArticle(panel, 'Barra')
  const text = textOf(dialog)
  const { keyboard } = panel
  await text.focus()
  await keyboard.type('/')
  const list = dialog.getByRole('listbox', { name: 'Inserisci' })
  await expect(list.getByRole('option')).toHaveCount(10)
  // axe reports too little contrast while the colour transition of the button runs.
  await expect(dialog.getByRole('button', { name: italian.salvaModifiche })).toBeEnabled()
  await expectAccessible(panel)
  await keyboard.type('ele')
  await expect(list.getByRole('option')).toHaveCount(2)
  await keyboard.press('ArrowDown')
  const chosen = list.getByRole('option', { selected: true })
  await expect(chosen).toHaveText(/Elenco numerato/)
  await expect(text).toHaveAttribute(
    'aria-activedescendant',
    (await chosen.getAttribute('id')) ?? '',
  )
  await keyboard.press('Enter')
  await keyboard.type('primo')
  await expect(text.locator('ol')).toHaveText('primo')
  await keyboard.press('Enter')
  await keyboard.press('Enter')
  await keyboard.type('/pu')
  await keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(dialog).toBeVisible()
  await keyboard.type('nto')
  await expect(text.locator('> p').first()).toHaveText('/punto')
  await keyboard.press('Control+z')
  await keyboard.press('Control+z')
  await keyboard.press('Control+z')
  await forget(panel, 'blog', item.id)
})

test('Markdown typed becomes what it means', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Scritto a mano', {})
  const dialog = await openArticle(panel, 'Scritto a mano')
  const { keyboard } = panel
  await textOf(dialog).focus()
  for (const line of ['## Sezione', 'Molto **forte** e *piano*.', '- uno']) {
    await keyboard.type(line)
    await keyboard.press('Enter')
  }
  await keyboard.press('Enter')
  await keyboard.type('---')
  await keyboard.type('[qui](https://example.com) fine')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(
    '## Sezione\n\nMolto **forte** e *piano*.\n\n- uno\n\n---\n\n[qui](https://example.com) fine',
  )
  await forget(panel, 'blog', item.id)
})

/** Pattern of the stored address of a picture, to which a chosen focus point is appended. */
const address = '/objects/uploads/[a-z2-7]{26}'

async function putPicture(panel: Page, dialog: Locator): Promise<Locator> {
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  const chooser = panel.waitForEvent('filechooser')
  await panel.keyboard.type('/imm')
  await panel.keyboard.press('Enter')
  await (await chooser).setFiles(pictures.slice(0, 1))
  const figure = textOf(dialog).locator('figure')
  await expect(figure.locator('img')).toBeVisible({ timeout: slowMs })
  return figure
}

/** Dispatches the event by which browsers report files that are dropped on an element or pasted into it. */
async function give(target: Locator, type: 'drop' | 'paste', files: readonly string[]) {
  const contents = files.map((file) => readFileSync(file).toString('base64'))
  const box = await target.boundingBox()
  const clientX = (box?.x ?? 0) + 5
  const clientY = (box?.y ?? 0) + (box?.height ?? 0) / 2
  await target.evaluate(
    (element, { type, contents, clientX, clientY }) => {
      const data = new DataTransfer()
      for (const [place, content] of contents.entries()) {
        const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
        data.items.add(new File([bytes], `${place}.jpg`, { type: 'image/jpeg' }))
      }
      const init = { bubbles: true, cancelable: true }
      if (type === 'paste') {
        element.dispatchEvent(new ClipboardEvent('paste', { ...init, clipboardData: data }))
        return
      }
      for (const name of ['dragenter', 'dragover', 'drop']) {
        const where = { ...init, clientX, clientY, dataTransfer: data }
        element.dispatchEvent(new DragEvent(name, where))
      }
    },
    { type, contents, clientX, clientY },
  )
}

test('a picture and a button stand in the text and on the page', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Con immagine', { content: 'Prima.', published: true })
  const dialog = await openArticle(panel, 'Con immagine')
  const { keyboard } = panel
  const figure = await putPicture(panel, dialog)
  // The figure is selected after the upload, so its text fields are open.
  await figure.getByLabel(italian.testoAlternativo).fill('Una sala')
  await figure.getByLabel('Didascalia').fill('La sala prima')
  await expectAccessible(panel)
  await textOf(dialog).locator('> p').last().click()
  await keyboard.type('/pulsante')
  await keyboard.press('Enter')
  await dialog.getByLabel('Testo del pulsante').fill('Vieni')
  await dialog.getByLabel(italian.dovePorta).selectOption('/eventi')
  await saveArticle(panel, dialog)
  const content = String(await stored(panel, item.id))
  expect(content).toMatch(
    new RegExp(
      `^Prima\\.\n\n!\\[Una sala\\]\\(${address} "La sala prima"\\)\n\n\\[Vieni\\]\\(/eventi "pulsante"\\)$`,
    ),
  )
  await panel.goto(`${originOf(panel)}/blog/con-immagine`)
  const shown = panel.getByRole('figure', { name: '' }).filter({ hasText: 'La sala prima' })
  await expect(shown.getByRole('img', { name: 'Una sala' })).toHaveAttribute('loading', 'lazy')
  await expect(panel.getByRole('link', { name: italian.vieni })).toHaveAttribute('href', '/eventi')
  await expectAccessible(panel)
  await forget(panel, 'blog', item.id)
})

for (const viewport of [
  { width: 390, height: 844 },
  { width: 1366, height: 768 },
]) {
  test(`Enter in a caption goes on with the text, ${viewport.width} pixels wide`, async ({
    panel,
  }) => {
    test.slow()
    await panel.setViewportSize(viewport)
    const item = await makeArticle(panel, 'Dopo la foto', { content: 'Prima.' })
    const dialog = await openArticle(panel, 'Dopo la foto')
    const { keyboard } = panel
    const figure = await putPicture(panel, dialog)
    await figure.getByLabel(italian.testoAlternativo).fill('Una sala')
    await keyboard.press('Enter')
    await figure.getByLabel('Didascalia').fill('La sala')
    await keyboard.press('Enter')
    await keyboard.type('Poi nel testo')
    await expect(dialog).toBeVisible()
    await expect(textOf(dialog).locator('> p').last()).toHaveText('Poi nel testo')
    await saveArticle(panel, dialog)
    expect(await stored(panel, item.id)).toMatch(
      new RegExp(`^Prima\\.\n\n!\\[Una sala\\]\\(${address} "La sala"\\)\n\nPoi nel testo$`),
    )
    await forget(panel, 'blog', item.id)
  })
}

test('a picture is chosen by a click, keeps its point, and a letter does not take its place', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Punto', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'Punto')
  const { keyboard } = panel
  const figure = await putPicture(panel, dialog)
  await textOf(dialog).locator('> p').first().click()
  await expect(figure.getByLabel(italian.testoAlternativo)).toBeHidden()
  await figure.locator('img').click()
  await expect(figure.getByLabel(italian.testoAlternativo)).toBeVisible()
  await keyboard.type('Dopo')
  await expect(textOf(dialog).locator('figure + p, div + p').first()).toHaveText('Dopo')
  await figure.locator('img').click()
  await figure.getByRole('button', { name: 'Punto da non tagliare' }).click()
  const dot = figure.getByRole('button', { name: /^Punto da non tagliare: 50%/ })
  await dot.focus()
  await keyboard.press('ArrowRight')
  await keyboard.press('Shift+ArrowUp')
  await expect(figure.getByRole('button', { name: /: 52% da sinistra, 40% dall/ })).toBeFocused()
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toMatch(
    new RegExp(`^Prima\\.\n\n!\\[\\]\\(${address}#52,40\\)\n\nDopo$`),
  )
  await forget(panel, 'blog', item.id)
})

test('pictures dropped into the text and pasted stand where they fell, and not in the cover', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Caduta', { content: 'Prima.\n\nDopo.' })
  const dialog = await openArticle(panel, 'Caduta')
  const text = textOf(dialog)
  await give(text.locator('> p').first(), 'drop', pictures.slice(0, 1))
  await expect(text.locator('figure img')).toHaveCount(1, { timeout: slowMs })
  await expect(text.locator('> *').nth(1).locator('img')).toBeVisible()
  await text.locator('> p').last().click()
  await panel.keyboard.press('End')
  await give(text, 'paste', pictures.slice(1, 2))
  await expect(text.locator('figure img')).toHaveCount(2, { timeout: slowMs })
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toMatch(
    new RegExp(`^Prima\\.\n\n!\\[\\]\\(${address}\\)\n\nDopo\\.\n\n!\\[\\]\\(${address}\\)$`),
  )
  const { imageUrl } = await ask<Item>(panel, 'GET', `/api/admin/blog/${item.id}`)
  expect(imageUrl ?? '').toBe('')
  await forget(panel, 'blog', item.id)
})

test('a gallery takes more pictures and goes with its last', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Galleria', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'Galleria')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Enter')
  let chooser = panel.waitForEvent('filechooser')
  await panel.keyboard.type('/gall')
  await panel.keyboard.press('Enter')
  await (await chooser).setFiles(pictures.slice(0, 2))
  const gallery = text.locator('[data-gallery]')
  await expect(gallery.locator('img')).toHaveCount(2, { timeout: slowMs })
  await gallery.locator('img').last().click()
  await gallery.getByLabel(italian.testoAlternativo).fill('La seconda')
  chooser = panel.waitForEvent('filechooser')
  await gallery.getByRole('button', { name: 'Aggiungi immagini' }).click()
  await (await chooser).setFiles(pictures.slice(2, 3))
  await expect(gallery.locator('img')).toHaveCount(3, { timeout: slowMs })
  await expectAccessible(panel)
  await saveArticle(panel, dialog)
  const line = `!\\[[^\\]]*\\]\\(${address}\\)`
  const content = String(await stored(panel, item.id))
  expect(content).toMatch(new RegExp(`^Prima\\.\n\n${line}\n${line}\n${line}$`))
  expect(content.split('\n')[3]).toMatch(/^!\[La seconda\]/)
  await openArticle(panel, 'Galleria')
  for (let left = 3; left > 0; left -= 1) {
    await expect(gallery.locator('img')).toHaveCount(left)
    await gallery.locator('img').first().click()
    await gallery.getByRole('button', { name: 'Elimina immagine' }).click()
  }
  await expect(gallery).toHaveCount(0)
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe('Prima.')
  await forget(panel, 'blog', item.id)
})

const word = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0}</style></head><body>
<!--StartFragment--><h2><span style='font-family:"Calibri"'>Titolo da Word<o:p></o:p></span></h2>
<p class=MsoNormal>Una parola <b style='mso-bidi-font-weight:normal'>forte</b> e <i>piano</i>.<o:p></o:p></p>
<p class=MsoListParagraphCxSpFirst style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span style='font-family:Symbol'>·<span>&nbsp;&nbsp;</span></span><!--[endif]-->uno<o:p></o:p></p>
<p class=MsoListParagraphCxSpLast style='mso-list:l0 level1 lfo1'><!--[if !supportLists]--><span>·</span><!--[endif]-->due<o:p></o:p></p><!--EndFragment--></body></html>`
const docs = `<meta charset='utf-8'><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr"><span style="font-weight:400;">Da Docs </span><span style="font-weight:700;">forte</span><span style="font-style:italic;"> piano</span> <a href="https://www.google.com/url?q=https://example.com/a&amp;sa=D"><span>qui</span></a></p><ul><li dir="ltr"><p dir="ltr"><span>uno</span></p></li></ul></b>`
const whatsapp = '[10:32, 11/2/2025] Anna: ciao *forte* e _piano_\nseconda riga'

test('a paste from Word, Google Docs and WhatsApp keeps what the site can show', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Incollati', {})
  const expected = [
    [word, 'x', '## Titolo da Word\n\nUna parola **forte** e *piano*.\n\n- uno\n- due'],
    [docs, 'x', 'Da Docs **forte** *piano* [qui](https://example.com/a)\n\n- uno'],
    ['', whatsapp, 'ciao **forte** e *piano*\\\nseconda riga'],
  ] as const
  for (const [html, plain, markdown] of expected) {
    const dialog = await openArticle(panel, 'Incollati')
    const text = textOf(dialog)
    await text.focus()
    await panel.keyboard.press('Control+a')
    await panel.keyboard.press('Delete')
    await paste(text, html, plain)
    await saveArticle(panel, dialog)
    expect(await stored(panel, item.id)).toBe(markdown)
  }
  await forget(panel, 'blog', item.id)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the toolbar stands at the foot of a phone, ${scheme}`, async ({ panel }) => {
    test.slow()
    const item = await makeArticle(panel, `Telefono ${scheme}`, { content: 'Una parola.' })
    await panel.emulateMedia({ colorScheme: scheme })
    await panel.setViewportSize({ width: 360, height: 640 })
    const dialog = await openArticle(panel, `Telefono ${scheme}`)
    await textOf(dialog).focus()
    const bar = dialog.getByRole('toolbar', { name: italian.formatoDelTesto })
    await expect(bar).toBeInViewport()
    // Waits until the opening animation of the form has ended.
    await settled(panel)
    const foot = () => bar.evaluate((element) => element.getBoundingClientRect().bottom)
    await expect.poll(async () => Math.round(await foot())).toBe(640)
    await bar.getByRole('button', { name: 'Inserisci' }).click()
    await expect(dialog.getByRole('option')).toHaveCount(10)
    await panel.keyboard.press('Escape')
    await expect(dialog.getByRole('button', { name: italian.salvaModifiche })).toBeEnabled()
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: 'Dettagli' }).click()
    await expect(dialog.getByLabel(italian.riassunto)).toBeVisible()
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: 'Dettagli' }).click()
    // Regression: the header of a draft was wider than the phone, and the save button was off screen.
    for (const name of ['Anteprima', 'Dettagli', 'Pubblica', 'Salva Modifiche']) {
      await expect(dialog.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
    }
    // Regression: the header took a quarter of the screen, half of the space that a keyboard leaves.
    const saves = await dialog.getByRole('button', { name: italian.salvaModifiche }).boundingBox()
    expect((saves?.y ?? 0) + (saves?.height ?? 0)).toBeLessThan(116)
    await forget(panel, 'blog', item.id)
  })
}

test('on a phone a mark that is pressed on an empty line is that of the next letters', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Riga vuota', {})
  await panel.setViewportSize({ width: 360, height: 640 })
  const dialog = await openArticle(panel, 'Riga vuota')
  await textOf(dialog).focus()
  const bar = dialog.getByRole('toolbar', { name: italian.formatoDelTesto })
  const bold = bar.getByRole('button', { name: /^Grassetto/ })
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'true')
  await panel.keyboard.type('forte')
  await bold.click()
  await expect(bold).toHaveAttribute('aria-pressed', 'false')
  await panel.keyboard.type(' piano')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe('**forte** piano')
  await forget(panel, 'blog', item.id)
})

test('from the end of a line to the next no words are selected, and a link brings its own', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Fra le righe', { content: 'Prima.\n\nDopo.' })
  const dialog = await openArticle(panel, 'Fra le righe')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  const { keyboard } = panel
  await keyboard.press('Shift+Home')
  const bar = dialog.getByRole('toolbar', { name: italian.formatoDelTesto })
  await expect(bar).toBeVisible()
  await keyboard.press('ArrowLeft')
  await keyboard.press('Shift+ArrowLeft')
  await expect.poll(() => panel.evaluate(() => getSelection()?.isCollapsed)).toBe(false)
  // Regression: the bar appeared although nothing selected can be formatted, and an applied link was lost.
  await expect(bar).toBeHidden()
  await keyboard.press('Control+k')
  await keyboard.type('example.com')
  await keyboard.press('Enter')
  await expect(text.getByRole('link', { name: 'https://example.com' })).toBeVisible()
  await expect(text.locator('> p')).toHaveCount(2)
  await forget(panel, 'blog', item.id)
})

// Browsers dispatch `selectionchange` after key events that are already queued. Regression: on a busy machine Enter
// right after an arrow key deleted the text that had been selected.
test('a key that overtakes the news of a moved selection takes nothing along', async ({
  panel,
}) => {
  const item = await makeArticle(panel, 'Tasti veloci', { content: 'Due volte' })
  const dialog = await openArticle(panel, 'Tasti veloci')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  await panel.keyboard.press('Shift+ControlOrMeta+ArrowLeft')
  await expect(dialog.getByRole('toolbar', { name: italian.formatoDelTesto })).toBeVisible()
  await text.evaluate((element) => {
    getSelection()?.collapseToEnd()
    const enter = { key: 'Enter', keyCode: 13, bubbles: true, cancelable: true }
    element.dispatchEvent(new KeyboardEvent('keydown', enter))
  })
  await expect(text.locator('> p')).toHaveCount(2)
  await expect(text).toContainText('Due volte')
  await panel.keyboard.press('Escape')
  await forget(panel, 'blog', item.id)
})

test('a long article has its contents and its time', async ({ panel }) => {
  const words = 'parola '.repeat(150)
  const content = `## Uno\n\n${words}\n\n## Due\n\n${words}\n\n## Tre\n\n${words}`
  const item = await makeArticle(panel, 'Lungo lungo', { content, published: true })
  await panel.goto(`${originOf(panel)}/blog/lungo-lungo`)
  const contents = panel.getByRole('navigation', { name: 'In questo articolo' })
  await contents.getByRole('link', { name: 'Due' }).click()
  await expect(panel.getByRole('heading', { name: 'Due' })).toBeInViewport()
  await expect(panel.getByText('2 minuti di lettura')).toBeVisible()
  await forget(panel, 'blog', item.id)
})

test('an article says when it was changed on a later day than it appeared, and only then', async ({
  panel,
}) => {
  const old = { createdAt: '2024-02-11T10:00:00Z', published: true }
  const items = [await makeArticle(panel, 'Di allora', old)]
  items.push(await makeArticle(panel, 'Di adesso', { published: true }))
  await panel.goto(`${originOf(panel)}/blog/di-allora`)
  await expect(panel.getByText('11 febbraio 2024')).toBeVisible()
  await expect(panel.getByText(/^Aggiornato il \d+ [a-z]+ \d{4}$/)).toBeVisible()
  await panel.goto(`${originOf(panel)}/blog/di-adesso`)
  await expect(panel.getByRole('heading', { level: 1, name: 'Di adesso' })).toBeVisible()
  await expect(panel.getByText('Aggiornato il')).toHaveCount(0)
  for (const { id } of items) await forget(panel, 'blog', id)
})

test('a text that grows too long stays, and is told of', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Troppo', {})
  const dialog = await openArticle(panel, 'Troppo')
  await textOf(dialog).focus()
  await paste(textOf(dialog), '', 'parola '.repeat(8_700))
  await expect(dialog.getByText(/Ci sono \d+ caratteri di troppo/)).toBeVisible()
  await expect(rows(panel)).not.toHaveCount(0)
  await forget(panel, 'blog', item.id)
})
