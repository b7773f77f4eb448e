// Tests that the device stores typed text before any typing pause, and when a phone puts the panel in the background.

import type { Page } from '@playwright/test'
import { expect, forget } from './admin-kit'
import { goToEnd, makeArticle, openArticle, textOf } from './article-sheet'
import { italian } from './italian'
import { openPage, test } from './pages-kit'

/** Returns all of localStorage as JSON. */
function keptIn(panel: Page): Promise<string> {
  return panel.evaluate(() => JSON.stringify({ ...localStorage }))
}

// Regression: text was stored only at the first typing pause of 0.3 s, and lost when a phone ended the tab before.
test('an article is kept while it is written without a pause, and when it is put aside', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'In un fiato', { content: 'Prima.' })
  const dialog = await openArticle(panel, 'In un fiato')
  await goToEnd(panel, dialog)
  await panel.keyboard.type(` Scritto in un fiato, ${'senza fermarsi, '.repeat(2)}`, { delay: 90 })
  expect(await keptIn(panel)).toContain('Prima. Scritto in un')
  const kept = await textOf(dialog).evaluate(async () => {
    document.execCommand('insertText', false, 'e poi via.')
    // The editor reads the typed text a few microtasks later.
    for (let turn = 0; turn < 20; turn += 1) await null
    document.dispatchEvent(new Event('visibilitychange'))
    return JSON.stringify({ ...localStorage })
  })
  expect(kept).toContain('e poi via.')
  await forget(panel, 'blog', item.id)
})

test('a text of a page is kept when the panel is put aside', async ({ panel }) => {
  test.slow()
  const frame = await openPage(panel, 'servizi')
  const title = frame.getByRole('textbox', { name: italian.aperturaTitolo })
  await title.click()
  const kept = await title.evaluate(async (element) => {
    element.ownerDocument.execCommand('insertText', false, 'Appena scritto')
    // Input and the change of visibility are two tasks of the browser.
    await new Promise((next) => setTimeout(next))
    window.parent.document.dispatchEvent(new Event('visibilitychange'))
    return JSON.stringify({ ...window.parent.localStorage })
  })
  expect(kept).toContain('Appena scritto')
})
