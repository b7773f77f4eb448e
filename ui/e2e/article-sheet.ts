// Helpers of the article editor tests: open an article, find its text, save it.

import type { Locator, Page } from '@playwright/test'
import { ask, expect, type Item } from './admin-kit'
import { expectToast, openKind } from './admin-screen'
import { italian } from './italian'

export const slowMs = 60_000

export async function makeArticle(panel: Page, title: string, fields: object = {}): Promise<Item> {
  const slug = title.toLowerCase().replace(/[^a-z0-9]+/g, '-')
  return await ask<Item>(panel, 'POST', '/api/admin/blog', { title, slug, ...fields })
}

export async function openArticle(panel: Page, title: string): Promise<Locator> {
  await openKind(panel, 'blog')
  await panel.getByRole('button', { name: `Modifica: ${title}` }).click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaArticolo })
  await expect(textOf(dialog)).toBeVisible({ timeout: slowMs })
  return dialog
}

export function textOf(dialog: Locator): Locator {
  return dialog.getByRole('textbox', { name: italian.testo, exact: true })
}

/**
 * Puts the caret at the end of the text. The editor restores its own caret 20 ms after focus, and learns of a moved
 * caret by another timer: keys pressed sooner, which no person manages, were typed at the start.
 */
export async function goToEnd(panel: Page, dialog: Locator) {
  const pause = () => panel.evaluate(() => new Promise((done) => setTimeout(done, 50)))
  await textOf(dialog).focus()
  await pause()
  await panel.keyboard.press('Control+End')
  await pause()
}

export async function saveArticle(panel: Page, dialog: Locator) {
  await dialog.getByRole('button', { name: italian.salvaModifiche }).click()
  // The toast of the previous save may still be visible.
  await expect(dialog).toBeHidden()
  await expectToast(panel, italian.articoloAggiornatoConSuccesso)
}

/** Returns the Markdown of a stored article. */
export async function stored(panel: Page, id: string): Promise<unknown> {
  return (await ask<Item>(panel, 'GET', `/api/admin/blog/${id}`)).content
}

/** Dispatches a paste event as browsers do. */
export async function paste(text: Locator, html: string, plain: string) {
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
