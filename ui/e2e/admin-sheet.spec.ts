// Tests of the controls around the article text: undo and redo, stored drafts, the
// collapsible sidebar, and the previews for search engines and link previews.

import { ask, expect, forget, type Item, test } from './admin-kit'
import { openKind, originOf } from './admin-screen'
import { goToEnd, makeArticle, openArticle, saveArticle, textOf } from './article-sheet'
import { italian } from './italian'
import { expectAccessible } from './test'

test('over the sheet one goes back and forth and sees that the text is kept', async ({ panel }) => {
  const item = await makeArticle(panel, 'Avanti e indietro', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'Avanti e indietro')
  const undo = dialog.getByRole('button', { name: 'Annulla (Ctrl+Z)' })
  const redo = dialog.getByRole('button', { name: 'Ripeti (Ctrl+Maiusc+Z)' })
  await expect(undo).toBeDisabled()
  await expect(redo).toBeDisabled()
  await expect(dialog.getByText('Bozza conservata alle')).toHaveCount(0)
  await goToEnd(panel, dialog)
  await panel.keyboard.type(' Poi.')
  await expect(dialog.getByText(/^Bozza conservata alle \d\d:\d\d$/)).toBeVisible()
  await undo.click()
  await expect(textOf(dialog)).toHaveText('Prima.')
  await expect(textOf(dialog)).toBeFocused()
  await expect(undo).toBeDisabled()
  // The text equals the saved one, so the device stores no draft.
  await expect(dialog.getByText('Bozza conservata alle')).toHaveCount(0)
  await redo.click()
  await expect(textOf(dialog)).toHaveText('Prima. Poi.')
  await saveArticle(panel, dialog)
  await forget(panel, 'blog', item.id)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the side folds away, and stays so until it is wanted (${colorScheme})`, async ({
    panel,
  }) => {
    await panel.emulateMedia({ colorScheme })
    const item = await makeArticle(panel, `Di lato ${colorScheme}`, { content: 'Parole.' })
    const dialog = await openArticle(panel, `Di lato ${colorScheme}`)
    const side = dialog.getByRole('region', { name: 'L’articolo' })
    await expect(side.getByRole('region', { name: 'Nei motori di ricerca' })).toBeVisible()
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: 'Nascondi il pannello' }).click()
    await expect(side).toHaveCount(0)
    await panel.reload()
    await panel.getByRole('button', { name: `Modifica: Di lato ${colorScheme}` }).click()
    await expect(textOf(dialog)).toBeVisible()
    await expect(side).toHaveCount(0)
    await expectAccessible(panel)
    await dialog.getByRole('button', { name: 'Mostra il pannello' }).click()
    await expect(side.getByLabel(italian.riassunto)).toBeVisible()
    await forget(panel, 'blog', item.id)
  })
}

test('a button leads to any event, to a past one too, and says when its page is gone', async ({
  panel,
}) => {
  const make = (title: string, fields: object) =>
    ask<Item>(panel, 'POST', '/api/admin/events', { title, published: true, ...fields })
  const past = await make('Serata ripetuta', { date: '3 marzo 2020' })
  const coming = await make('Serata ripetuta', { date: '3 marzo 2099' })
  const draft = await make('Serata segreta', { published: false })
  const content = `[Vieni](/evento/${past.id} "pulsante")`
  const item = await makeArticle(panel, 'Con pulsante', { content })
  let dialog = await openArticle(panel, 'Con pulsante')
  await textOf(dialog).getByText(italian.vieni).click()
  const target = dialog.getByLabel(italian.dovePorta)
  const chosen = () => target.evaluate((field: HTMLSelectElement) => field.selectedOptions[0]?.text)
  // Two events have the same title, so the option names the date.
  await expect.poll(chosen).toBe('Evento: Serata ripetuta · 3 marzo 2020')
  await expect(target).toContainText('Evento: Serata segreta · Nascosto')
  await target.selectOption(`/evento/${coming.id}`)
  await saveArticle(panel, dialog)
  expect((await ask<Item>(panel, 'GET', `/api/admin/blog/${item.id}`)).content).toBe(
    `[Vieni](/evento/${coming.id} "pulsante")`,
  )
  for (const { id } of [past, coming, draft]) await forget(panel, 'events', id)
  dialog = await openArticle(panel, 'Con pulsante')
  await textOf(dialog).getByText(italian.vieni).click()
  await expect.poll(chosen).toBe('La pagina a cui porta non esiste più.')
  await forget(panel, 'blog', item.id)
})

test('an article shows while it is written what engines and messengers will show', async ({
  panel,
}) => {
  const texts = { content: 'Parole.', excerpt: 'In breve.' }
  const item = await makeArticle(panel, 'Trovato', { ...texts, published: true })
  const dialog = await openArticle(panel, 'Trovato')
  const search = dialog.getByRole('region', { name: 'Nei motori di ricerca' })
  const google = search.getByRole('img', { name: 'Anteprima in Google' })
  const chat = search.getByRole('img', { name: 'Anteprima in una chat' })
  await expect(google).toContainText(/› blog/)
  await expect(google).toContainText('In breve.')
  await dialog.getByLabel(italian.titolo, { exact: true }).fill('Trovato da chi cerca')
  await expect(google.locator('b')).toHaveText(/^Trovato da chi cerca \| /)
  await expect(chat.locator('b')).toHaveText(/^Trovato da chi cerca \| /)
  await expect(chat.locator('img')).toHaveAttribute('src', `/social/blog/${item.slug}.jpg`)
  const long = 'Un respiro che comincia piano '.repeat(8).trim()
  await dialog.getByLabel(italian.riassunto).fill(long)
  await expect(search.getByText(/^Lungo: si ferma a «/)).toBeVisible()
  // An empty field is not reported as missing, because the site's own text is used.
  await dialog.getByLabel(italian.riassunto).fill('')
  await expect(search.getByText('Vuoto: resta il testo di partenza')).toBeVisible()
  await expect(google.locator('p')).not.toBeEmpty()
  await forget(panel, 'blog', item.id)
})

test('an event shows the very picture that messengers get', async ({ panel }) => {
  await openKind(panel, 'events')
  const events = await ask<Item[]>(panel, 'GET', '/api/admin/events')
  const shown = events.find(({ imageUrl, published }) => imageUrl && published)
  await panel.getByRole('button', { name: `Modifica: ${shown?.title}` }).click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  const chat = dialog.getByRole('img', { name: 'Anteprima in una chat' })
  const page = await (await panel.request.get(`${originOf(panel)}/evento/${shown?.id}`)).text()
  const told = /property="og:image" content="https?:\/\/[^/]+([^"]+)"/.exec(page)?.[1]
  const title = /property="og:title" content="([^"]+)"/.exec(page)?.[1]
  const source = await chat.locator('img').getAttribute('src')
  expect(source?.split('?')[0]).toBe(told?.split('?')[0])
  expect((await panel.request.get(originOf(panel) + source)).headers()['content-type']).toBe(
    'image/jpeg',
  )
  const plain = (text: string) => text.replace(/[\u00a0\u202f]/g, ' ').replace(/[’‘]/g, "'")
  // The site's name arrives shortly after the form.
  await expect
    .poll(async () => plain((await chat.locator('b').textContent()) ?? ''))
    .toBe(plain(title ?? ''))
})
