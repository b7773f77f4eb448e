// Writing an article: what is seen is what readers see, and what is stored stays Markdown.

import type { Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, expect, forget, type Item, test } from './admin-kit'
import { expectToast, openKind, originOf, rows } from './admin-screen'
import { expectAccessible } from './test'

const slowMs = 30_000

async function make(panel: Page, title: string, fields: object = {}): Promise<Item> {
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return await ask<Item>(panel, 'POST', '/api/admin/blog', { title, slug, ...fields })
}

async function open(panel: Page, title: string): Promise<Locator> {
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: 'Modifica Articolo' })
  await expect(textOf(dialog)).toBeVisible({ timeout: slowMs })
  return dialog
}

function textOf(dialog: Locator): Locator {
  return dialog.getByRole('textbox', { name: 'Testo', exact: true })
}

async function stored(panel: Page, id: string): Promise<unknown> {
  return (await ask<Item>(panel, 'GET', `/api/admin/blog/${id}`)).content
}

async function save(panel: Page, dialog: Locator) {
  await dialog.getByRole('button', { name: 'Salva Modifiche' }).click()
  await expectToast(panel, 'Articolo aggiornato con successo!')
}

/** As a browser tells of a paste. */
async function paste(text: Locator, html: string, plain: string) {
  await text.evaluate(
    (field, [html, plain]) => {
      const clipboardData = new DataTransfer()
      if (html) clipboardData.setData('text/html', html)
      clipboardData.setData('text/plain', plain ?? '')
      field.dispatchEvent(
        new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }),
      )
    },
    [html, plain] as const,
  )
}

test('a mark leaves the caret where it was: the next letter replaced the whole line', async ({
  panel,
}) => {
  test.slow()
  const item = await make(panel, 'Segni', { content: 'prima riga' })
  const dialog = await open(panel, 'Segni')
  const text = textOf(dialog)
  await text.click()
  await panel.keyboard.press('Control+End')
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
  await save(panel, dialog)
  expect(await stored(panel, item.id)).toBe('## prima riga!\n\n- xul\n\n> xblockquote')
  await forget(panel, 'blog', item.id)
})

test('an article that was only opened is not rewritten, and other blocks stay as they were', async ({
  panel,
}) => {
  test.slow()
  const content = 'Titolo\n===\n\n* uno\n* due\n\n__forte__ e _piano_,\nsu due righe.'
  const item = await make(panel, 'Di prima', { content, excerpt: 'a' })
  let dialog = await open(panel, 'Di prima')
  await textOf(dialog).click()
  await dialog.getByLabel('Riassunto').fill('b')
  await save(panel, dialog)
  expect(await stored(panel, item.id)).toBe(content)
  dialog = await open(panel, 'Di prima')
  await textOf(dialog).click()
  await panel.keyboard.press('Control+End')
  await panel.keyboard.press('Enter')
  await panel.keyboard.type('Nuovo.')
  await save(panel, dialog)
  expect(await stored(panel, item.id)).toBe(`${content}\n\nNuovo.`)
  await forget(panel, 'blog', item.id)
})

test('the list of the slash is filtered, walked and left by keys', async ({ panel }) => {
  test.slow()
  const item = await make(panel, 'Barra', {})
  const dialog = await open(panel, 'Barra')
  const text = textOf(dialog)
  const { keyboard } = panel
  await text.focus()
  await keyboard.type('/')
  const list = dialog.getByRole('listbox', { name: 'Inserisci' })
  await expect(list.getByRole('option')).toHaveCount(9)
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
  const item = await make(panel, 'Scritto a mano', {})
  const dialog = await open(panel, 'Scritto a mano')
  const { keyboard } = panel
  await textOf(dialog).focus()
  for (const line of ['## Sezione', 'Molto **forte** e *piano*.', '- uno']) {
    await keyboard.type(line)
    await keyboard.press('Enter')
  }
  await keyboard.press('Enter')
  await keyboard.type('---')
  await keyboard.type('[qui](https://example.com) fine')
  await save(panel, dialog)
  expect(await stored(panel, item.id)).toBe(
    '## Sezione\n\nMolto **forte** e *piano*.\n\n- uno\n\n---\n\n[qui](https://example.com) fine',
  )
  await forget(panel, 'blog', item.id)
})

test('a picture and a button stand in the text and on the page', async ({ panel }) => {
  test.slow()
  const item = await make(panel, 'Con immagine', { content: 'Prima.', published: true })
  const dialog = await open(panel, 'Con immagine')
  const { keyboard } = panel
  await textOf(dialog).focus()
  await keyboard.press('Control+End')
  await keyboard.press('Enter')
  panel.once('filechooser', (chooser) => void chooser.setFiles(pictures.slice(0, 1)))
  await keyboard.type('/imm')
  await keyboard.press('Enter')
  const figure = textOf(dialog).locator('figure')
  await expect(figure.locator('img')).toBeVisible({ timeout: slowMs })
  await figure.locator('img').click()
  await dialog.getByLabel('Testo alternativo').first().fill('Una sala')
  await figure.getByLabel('Didascalia').fill('La sala prima')
  await expectAccessible(panel)
  await textOf(dialog).locator('> p').last().click()
  await keyboard.type('/pulsante')
  await keyboard.press('Enter')
  await dialog.getByLabel('Testo del pulsante').fill('Vieni')
  await dialog.getByLabel('Dove porta').selectOption('/eventi')
  await save(panel, dialog)
  const content = String(await stored(panel, item.id))
  expect(content).toMatch(
    /^Prima\.\n\n!\[Una sala\]\(\/objects\/uploads\/[a-z2-7]{26} "La sala prima"\)\n\n\[Vieni\]\(\/eventi "pulsante"\)$/,
  )
  await panel.goto(`${originOf(panel)}/blog/con-immagine`)
  const shown = panel.getByRole('figure', { name: '' }).filter({ hasText: 'La sala prima' })
  await expect(shown.getByRole('img', { name: 'Una sala' })).toHaveAttribute('loading', 'lazy')
  await expect(panel.getByRole('link', { name: 'Vieni' })).toHaveAttribute('href', '/eventi')
  await expectAccessible(panel)
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
  const item = await make(panel, 'Incollati', {})
  const expected = [
    [word, 'x', '## Titolo da Word\n\nUna parola **forte** e *piano*.\n\n- uno\n- due'],
    [docs, 'x', 'Da Docs **forte** *piano* [qui](https://example.com/a)\n\n- uno'],
    ['', whatsapp, 'ciao **forte** e *piano*\\\nseconda riga'],
  ] as const
  for (const [html, plain, markdown] of expected) {
    const dialog = await open(panel, 'Incollati')
    const text = textOf(dialog)
    await text.focus()
    await panel.keyboard.press('Control+a')
    await panel.keyboard.press('Delete')
    await paste(text, html, plain)
    await save(panel, dialog)
    expect(await stored(panel, item.id)).toBe(markdown)
  }
  await forget(panel, 'blog', item.id)
})

for (const scheme of ['light', 'dark'] as const) {
  test(`the toolbar stands at the foot of a phone, ${scheme}`, async ({ panel }) => {
    test.slow()
    const item = await make(panel, `Telefono ${scheme}`, { content: 'Una parola.' })
    await panel.emulateMedia({ colorScheme: scheme })
    await panel.setViewportSize({ width: 360, height: 640 })
    const dialog = await open(panel, `Telefono ${scheme}`)
    await textOf(dialog).focus()
    const bar = dialog.getByRole('toolbar', { name: 'Formato del testo' })
    await expect(bar).toBeInViewport()
    const box = await bar.boundingBox()
    expect(Math.round((box?.y ?? 0) + (box?.height ?? 0))).toBe(640)
    await bar.getByRole('button', { name: 'Inserisci' }).click()
    await expect(dialog.getByRole('option')).toHaveCount(9)
    await panel.keyboard.press('Escape')
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: 'Dettagli' }).click()
    await expect(dialog.getByLabel('Riassunto')).toBeVisible()
    await expectAccessible(panel)
    await forget(panel, 'blog', item.id)
  })
}

test('a long article has its contents and its time', async ({ panel }) => {
  const words = 'parola '.repeat(150)
  const content = `## Uno\n\n${words}\n\n## Due\n\n${words}\n\n## Tre\n\n${words}`
  const item = await make(panel, 'Lungo lungo', { content, published: true })
  await panel.goto(`${originOf(panel)}/blog/lungo-lungo`)
  const contents = panel.getByRole('navigation', { name: 'In questo articolo' })
  await contents.getByRole('link', { name: 'Due' }).click()
  await expect(panel.getByRole('heading', { name: 'Due' })).toBeInViewport()
  await expect(panel.getByText('2 minuti di lettura')).toBeVisible()
  await forget(panel, 'blog', item.id)
})

test('a text that grows too long stays, and is told of', async ({ panel }) => {
  test.slow()
  const item = await make(panel, 'Troppo', {})
  const dialog = await open(panel, 'Troppo')
  await textOf(dialog).focus()
  await paste(textOf(dialog), '', 'parola '.repeat(8_700))
  await expect(dialog.getByText(/supera il limite di \d+ caratteri/)).toBeVisible()
  await expect(rows(panel)).not.toHaveCount(0)
  await forget(panel, 'blog', item.id)
})
