// Fixtures and helpers of the panel tests: a signed-in page on the worker's own server, and test items.

import type { Page, Request } from '@playwright/test'
import type { Kind } from './admin-kinds'
import { openKind, originOf, rows } from './admin-screen'
import { italian } from './italian'
import { account, test as base, expect } from './test'

export { account, expect }

export type Item = {
  id: string
  title?: string | null
  name?: string
  published: boolean
  sortOrder: number
} & Record<string, unknown>

export type House = { origin: string; cookie: string }

type Fixtures = { panel: Page }

type WorkerFixtures = { house: House }

/** `house` is one server and one session for all tests of a worker; each test leaves its data as it found it. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  house: [
    async ({ site }, use) => {
      const answer = await fetch(`${site.origin}/api/auth/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: site.origin },
        body: JSON.stringify(account),
      })
      const cookie = /respiro-session=([^;]+)/.exec(answer.headers.get('set-cookie') ?? '')?.[1]
      if (cookie === undefined) throw new Error(`sign-in answered ${answer.status}`)
      await use({ origin: site.origin, cookie })
    },
    { scope: 'worker' },
  ],
  panel: async ({ page, house }, use) => {
    await confirmSession(house)
    await removeDrafts(house)
    await page
      .context()
      .addCookies([{ name: 'respiro-session', value: house.cookie, url: house.origin }])
    await page.goto(`${house.origin}/admin`)
    await expect(rows(page).first()).toBeVisible()
    // Enables file chooser events early: when a test enabled them only on waiting, the browser's answer came after the
    // key press that opened the chooser, and the event was lost.
    page.on('filechooser', () => undefined)
    await use(page)
  },
})

/** Confirms the session of the worker if it signed in more than ten minutes ago. */
async function confirmSession({ origin, cookie }: House) {
  const headers = {
    'content-type': 'application/json',
    origin,
    cookie: `respiro-session=${cookie}`,
  }
  const path = `${origin}/api/auth/confirm`
  if ((await fetch(path, { headers })).ok) return
  const body = JSON.stringify({ password: account.password })
  const answer = await fetch(path, { method: 'POST', headers, body })
  if (!answer.ok) throw new Error(`the confirmation answered ${answer.status}`)
}

type Listed = { drafts: { place: string }[] }

/** Removes the drafts that an earlier test of the worker left on the server. */
export async function removeDrafts({ origin, cookie }: House) {
  const headers = { origin, cookie: `respiro-session=${cookie}` }
  const path = `${origin}/api/admin/drafts`
  const { drafts } = (await (await fetch(path, { headers })).json()) as Listed
  for (const { place } of drafts) await fetch(`${path}/${place}`, { headers, method: 'DELETE' })
}

/** Removes all drafts, in the browser and on the server. */
export async function forgetDrafts(panel: Page) {
  await panel.evaluate(() => localStorage.clear())
  const { drafts } = await ask<Listed>(panel, 'GET', '/api/admin/drafts')
  for (const { place } of drafts) await ask(panel, 'DELETE', `/api/admin/drafts/${place}`)
}

/** A request that saves or publishes; a draft is stored while the admin types. */
export function isWrite(request: Request): boolean {
  return request.method() === 'PUT' && !request.url().includes('/api/admin/drafts/')
}

/** Sends a request to the server with the session of the panel, bypassing the UI. */
export async function ask<Answer>(
  page: Page,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  data?: object,
): Promise<Answer> {
  const origin = originOf(page)
  const answer = await page.request.fetch(origin + path, {
    method,
    headers: { origin },
    ...(data === undefined ? {} : { data }),
  })
  expect(answer.ok(), `${method} ${path}: ${answer.status()}`).toBe(true)
  const text = await answer.text()
  return (text === '' ? null : JSON.parse(text)) as Answer
}

/** Creates a testimonial for one test, at the end of the list. */
export function makeTestimonial(page: Page, name: string, fields: object = {}): Promise<Item> {
  return ask<Item>(page, 'POST', '/api/admin/course-testimonials', {
    name,
    testimonial: `Parole di ${name}.`,
    published: true,
    sortOrder: 1000,
    ...fields,
  })
}

/** Deletes an item permanently, so that the next test finds the lists and the trash unchanged. */
export async function forget(page: Page, kind: Kind, id: string) {
  await ask(page, 'DELETE', `/api/admin/${kind}/${id}`)
  await ask(page, 'DELETE', `/api/admin/trash/${id}`)
}

/** Makes an unpublished event and opens its form. */
export async function openNewEvent(panel: Page, fields: object) {
  const item = await ask<Item>(panel, 'POST', '/api/admin/events', {
    title: 'Cerchio di prova',
    published: false,
    sortOrder: 1000,
    ...fields,
  })
  await openKind(panel, 'events')
  await panel.reload()
  await panel.getByRole('button', { name: 'Modifica: Cerchio di prova' }).click()
  const dialog = panel.getByRole('dialog', { name: italian.modificaEvento })
  await expect(dialog.getByRole('button', { name: 'Apri il calendario' })).toBeVisible()
  return {
    item,
    dialog,
    date: dialog.getByLabel(italian.data, { exact: true }),
    time: dialog.getByLabel(italian.orario, { exact: true }),
    done: () => forget(panel, 'events', item.id),
  }
}
