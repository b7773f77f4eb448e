// Tests of pasted text: numbers, tables and links of other programs arrive as facts that readers can see.

import { readFileSync } from 'node:fs'
import { expect, forget, test } from './admin-kit'
import {
  goToEnd,
  makeArticle,
  openArticle,
  paste,
  saveArticle,
  stored,
  textOf,
} from './article-sheet'
import { PASTED } from './pasted-html'

// The test of the WordPress import reads the same tables.
const tables: [html: string, lines: string][] = JSON.parse(
  readFileSync('../tests/data/tables.json', 'utf8'),
)

test('a paste keeps years, numbers, letters, tables and working links', async ({ panel }) => {
  test.slow()
  const item = await makeArticle(panel, 'Fatti incollati', {})
  for (const [name, html, plain, markdown] of [
    ...PASTED,
    ...tables.map(([html, lines]) => [html, html, 'x', lines] as const),
  ]) {
    const dialog = await openArticle(panel, 'Fatti incollati')
    const text = textOf(dialog)
    await text.focus()
    await panel.keyboard.press('Control+a')
    await panel.keyboard.press('Delete')
    await paste(text, html, plain)
    await saveArticle(panel, dialog)
    expect.soft(await stored(panel, item.id), name).toBe(markdown)
  }
  await forget(panel, 'blog', item.id)
})

test('an address that is typed is a link, and one pasted over words links them', async ({
  panel,
}) => {
  test.slow()
  const item = await makeArticle(panel, 'Indirizzi', { content: 'Leggi la scheda' })
  const dialog = await openArticle(panel, 'Indirizzi')
  const text = textOf(dialog)
  await goToEnd(panel, dialog)
  const { keyboard } = panel
  await keyboard.press('Control+Shift+ArrowLeft')
  await expect.poll(() => panel.evaluate(() => String(getSelection()))).toBe('scheda')
  await paste(text, '', 'https://example.com/scheda?utm_source=x')
  await expect(text.getByRole('link', { name: 'scheda' })).toHaveAttribute(
    'href',
    'https://example.com/scheda',
  )
  await keyboard.type('. Vedi www.example.it, ')
  await expect(text.getByRole('link', { name: 'www.example.it', exact: true })).toBeVisible()
  await keyboard.type('scrivi a anna@example.it')
  await keyboard.press('Enter')
  await expect(text.getByRole('link', { name: 'anna@example.it' })).toBeVisible()
  // Regression: a list began and counted on from the year.
  await keyboard.type('2019. Corso')
  await keyboard.press('Enter')
  await keyboard.type('Fine: sito.it')
  await saveArticle(panel, dialog)
  expect(await stored(panel, item.id)).toBe(
    'Leggi la [scheda](https://example.com/scheda). Vedi [www.example.it](https://www.example.it), ' +
      'scrivi a [anna@example.it](mailto:anna@example.it)\n\n2019\\. Corso\n\nFine: [sito.it](https://sito.it)',
  )
  await forget(panel, 'blog', item.id)
})
