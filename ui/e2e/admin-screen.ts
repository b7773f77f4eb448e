// What a person does and sees in the panel: places, rows, toasts, a page that stands still.

import { expect, type Locator, type Page } from '@playwright/test'
import { type Kind, kinds } from './admin-kinds'
import { italian } from './italian'

/**
 * Leaves what lies over the panel, and waits for the step back that closing takes in the history: a
 * reload meanwhile was called off by it on a busy machine.
 */
export async function leaveLayer(panel: Page) {
  await panel.keyboard.press('Escape')
  await panel.waitForFunction(() => history.state?.layer === undefined)
}

/** Opens a tab or an area by its address and waits until its list is there. */
export async function openKind(page: Page, kind: Kind) {
  const hash = kind === 'blog' ? '#/blog' : `#/contenuti/${kind}`
  await visit(page, `/admin${hash}`)
  // The rows of the tab before stay until the other is drawn.
  await expect(
    page.locator(kind === 'blog' ? 'body:not(:has([role=tab]))' : tabOf(kind)),
  ).toBeVisible()
  await expect(
    rows(page)
      .first()
      .or(page.getByText(/Nessun.* presente/)),
  ).toBeVisible()
}

function tabOf(kind: Kind): string {
  return `[role=tab][data-kind="${kind}"][aria-selected=true]`
}

/** Opens the sheet that makes items from pictures. */
export async function openUpload(page: Page, kind: Kind) {
  await openKind(page, kind)
  const words = kinds.find((one) => one.kind === kind)
  await page.getByRole('button', { name: words?.add ?? '' }).click()
  return page.getByRole('dialog', { name: words?.dialog ?? '' })
}

export async function openArea(page: Page, area: string, heading: string) {
  await visit(page, `/admin#/${area}`)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
}

/**
 * A dialog that has closed leaves its entry of the history a moment later (`lib/dialog-history.ts`): an address
 * that is opened in that moment would be left with it.
 */
async function visit(page: Page, path: string) {
  const isSettled = () =>
    page.evaluate(() => document.querySelector('dialog:modal') !== null || !history.state?.layer)
  await expect.poll(isSettled).toBe(true)
  await page.goto(originOf(page) + path)
}

export function originOf(page: Page): string {
  return new URL(page.url()).origin
}

export function rows(page: Page): Locator {
  return page.getByRole('main').locator('ol > li')
}

/** The titles of the list, top to bottom. */
export function titles(page: Page): Promise<string[]> {
  return rows(page).getByRole('heading').allTextContents()
}

export function toast(page: Page): Locator {
  return page.getByRole('region', { name: italian.notifiche })
}

/** A toast may come after pictures that a busy machine takes its time over. */
const toastMs = 60_000

/** The one toast on the screen has these words and no others, as its own role. */
export async function expectToast(
  page: Page,
  text: string,
  role: 'status' | 'alert' = 'status',
  reason: string | null = null,
) {
  const region = toast(page)
  // Paragraphs of their own: run together, a title and its reason would be read as one word.
  const paragraphs = reason === null ? [text] : [text, reason]
  await expect(region.getByRole(role).locator('p')).toHaveText(paragraphs, { timeout: toastMs })
  await expect(region.locator('[role=status], [role=alert]')).toHaveCount(1)
}

/** Whether the page behind an open dialog stays where it is. */
export async function expectScrollLocked(page: Page) {
  const before = await page.evaluate(() => window.scrollY)
  await page.mouse.move(5, 5)
  await page.mouse.wheel(0, 600)
  await page.waitForTimeout(150)
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
}
