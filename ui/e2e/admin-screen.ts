// Page helpers of the panel tests: navigation, rows, toasts, waiting for a stable page.

import { expect, type Locator, type Page } from '@playwright/test'
import { type Kind, kinds } from './admin-kinds'
import { italian } from './italian'

/**
 * Closes the top layer of the panel and waits for its history.back(): on a busy machine that step cancelled a reload.
 */
export async function leaveLayer(panel: Page) {
  await panel.keyboard.press('Escape')
  await panel.waitForFunction(() => history.state?.layer === undefined)
}

/** Opens a tab or an area by its address, and waits until its list is rendered. */
export async function openKind(page: Page, kind: Kind) {
  const hash = kind === 'blog' ? '#/blog' : `#/contenuti/${kind}`
  await visit(page, `/admin${hash}`)
  // The rows of the former tab stay until the new ones are rendered.
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

/** Opens the sheet that creates items from pictures. */
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
 * Opens a path once no dialog is closing: a closed dialog removes its history entry asynchronously
 * (`lib/dialog-history.ts`), and would leave an address opened in the meantime.
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

/** The titles of the list from top to bottom. */
export function titles(page: Page): Promise<string[]> {
  return rows(page).getByRole('heading').allTextContents()
}

export function toast(page: Page): Locator {
  return page.getByRole('region', { name: italian.notifiche })
}

/** Timeout of a toast that follows picture uploads, which take long on a busy machine. */
const toastMs = 60_000

/** Expects exactly one toast, with this text and this role. */
export async function expectToast(
  page: Page,
  text: string,
  role: 'status' | 'alert' = 'status',
  reason: string | null = null,
) {
  const region = toast(page)
  // Paragraphs of their own: concatenated, a title and its reason would be read as one word.
  const paragraphs = reason === null ? [text] : [text, reason]
  await expect(region.getByRole(role).locator('p')).toHaveText(paragraphs, { timeout: toastMs })
  await expect(region.locator('[role=status]:not(:empty), [role=alert]')).toHaveCount(1)
}

/** Expects that the page behind an open dialog does not scroll. */
export async function expectScrollLocked(page: Page) {
  const before = await page.evaluate(() => window.scrollY)
  await page.mouse.move(5, 5)
  await page.mouse.wheel(0, 600)
  await page.waitForTimeout(150)
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
}
