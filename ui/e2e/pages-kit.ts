// Helpers of the page editor tests: open, publish and reset pages.

import { readFileSync } from 'node:fs'
import type { FrameLocator, Locator, Page } from '@playwright/test'
import { pictures } from './admin-kinds'
import { ask, test as base, expect, removeDrafts } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'

export const test = base.extend({
  panel: async ({ page, house }, use) => {
    await removeDrafts(house)
    await page
      .context()
      .addCookies([{ name: 'respiro-session', value: house.cookie, url: house.origin }])
    await page.goto(`${house.origin}/admin#/pagine`)
    await use(page)
  },
})

/** Timeout of a page render: an unoptimised renderer on a busy machine takes long. */
export const drawnMs = 30_000

export async function openPage(panel: Page, name: string): Promise<FrameLocator> {
  await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
  const frame = panel.frameLocator('iframe')
  await expect(frame.getByRole('textbox').first()).toBeVisible({ timeout: drawnMs })
  return frame
}

export async function publish(panel: Page) {
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in \d+ ms/, { timeout: drawnMs })
}

/** Publishes a changed price and leaves the sentences that still have the former one. */
export async function publishPrice(panel: Page) {
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await leaveSentences(panel)
  await expect(toast(panel)).toContainText(/aggiorna(ta|te) in \d+ ms/, { timeout: drawnMs })
}

export async function leaveSentences(panel: Page) {
  const question = panel.getByRole('alertdialog', { name: /^Resta(no \d+)? .*prezzo vecchio$/ })
  await question.getByRole('button', { name: 'Lascia così' }).click()
}

/** Replaces no-break spaces, which running text contains, by plain ones. */
export const plainly = (text: string) => text.replaceAll('\u00a0', ' ')

export async function publicText(panel: Page, path: string): Promise<string> {
  return plainly(await (await panel.request.get(originOf(panel) + path)).text())
}

/** Reverts all changes of a block. */
export function reset(panel: Page, id: string) {
  return ask(panel, 'PUT', `/api/admin/words/${id}`, { value: null, hidden: false })
}

/** Drops a picture file on an element. */
export async function letGo(over: Locator) {
  await over.evaluate(
    (element, content) => {
      const dataTransfer = new DataTransfer()
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0))
      dataTransfer.items.add(new File([bytes], 'mia.jpg', { type: 'image/jpeg' }))
      const init = { bubbles: true, cancelable: true, dataTransfer }
      for (const name of ['dragover', 'drop']) element.dispatchEvent(new DragEvent(name, init))
    },
    readFileSync(pictures[0] ?? '').toString('base64'),
  )
}

/** Presses on `grip` and moves in steps to the middle of `to`, without releasing the button. */
export async function drag(panel: Page, grip: Locator, to: Locator) {
  const from = await grip.boundingBox()
  const target = await to.boundingBox()
  if (from === null || target === null) throw new Error('nothing to drag')
  const { mouse } = panel
  await mouse.move(from.x + from.width / 2, from.y + from.height / 2)
  await mouse.down()
  await mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 12 })
}

export const BIOGRAPHY = '/api/admin/words/chi-sono.biography'

/** Publishes a text that contains a setting. Returns the value of the setting. */
export async function withChips(panel: Page) {
  const { value } = await ask<{ value: object }>(panel, 'GET', BIOGRAPHY)
  const text = { text: ['Mi chiamo ', { setting: 'brand' }, '.\n\nPoi altro.'] }
  await ask(panel, 'PUT', BIOGRAPHY, { value: { ...value, text } })
  const { brand } = await ask<{ brand: string }>(panel, 'GET', '/api/admin/settings')
  return brand
}

/**
 * Waits 250 ms. For 200 ms after focus the editor treats a caret at the very beginning as set by the browser, and
 * restores its own selection (`DOMObserver.flush` of prosemirror-view).
 */
export function settled(text: Locator) {
  return text.evaluate(() => new Promise((done) => setTimeout(done, 250)))
}
