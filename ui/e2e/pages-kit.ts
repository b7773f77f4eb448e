// The editor of pages, as its tests open and publish one.

import type { FrameLocator, Page } from '@playwright/test'
import { ask, test as base, expect } from './admin-kit'
import { originOf, toast } from './admin-screen'
import { italian } from './italian'

export const test = base.extend({
  panel: async ({ page, house }, use) => {
    await page
      .context()
      .addCookies([{ name: 'respiro-session', value: house.cookie, url: house.origin }])
    await page.goto(`${house.origin}/admin#/pagine`)
    await use(page)
  },
})

/** An unoptimised renderer on a busy machine takes its time over a page. */
export const drawnMs = 30_000

export async function openPage(panel: Page, name: string): Promise<FrameLocator> {
  await panel.goto(`${originOf(panel)}/admin#/pagine/${name}`)
  const frame = panel.frameLocator('iframe')
  await expect(frame.getByRole('textbox').first()).toBeVisible({ timeout: drawnMs })
  return frame
}

export async function publish(panel: Page) {
  await panel.getByRole('button', { name: italian.pubblica, exact: true }).click()
  await expect(toast(panel)).toContainText(/1 pagina aggiornata in \d+ ms/, { timeout: drawnMs })
}

export async function publicText(panel: Page, path: string): Promise<string> {
  return (await panel.request.get(originOf(panel) + path)).text()
}

/** Takes back all that a test changed of a block. */
export function reset(panel: Page, id: string) {
  return ask(panel, 'PUT', `/api/admin/words/${id}`, { value: null, hidden: false })
}
