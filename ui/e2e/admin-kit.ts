// What the tests of the panel share: a signed-in page on the worker's own server, and writes that fail.

import { resolve } from 'node:path'
import type { Locator, Page, Request } from '@playwright/test'
import { account, test as base, expect } from './test'

export { account, expect }

export type Item = {
  id: string
  title?: string | null
  name?: string
  published: boolean
  sortOrder: number
} & Record<string, unknown>

type House = { origin: string; cookie: string }
type Fixtures = { panel: Page }
type WorkerFixtures = { house: House }

/** `house` is one server and one session for all tests of a worker; they leave it as they find it. */
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
    await page
      .context()
      .addCookies([{ name: 'respiro-session', value: house.cookie, url: house.origin }])
    await page.goto(`${house.origin}/admin`)
    await expect(rows(page).first()).toBeVisible()
    await use(page)
  },
})

export type Kind =
  | 'course-testimonials'
  | 'photo-gallery'
  | 'special-thanks'
  | 'media-features'
  | 'events'
  | 'blog'

/** The words of the specification, kind by kind. */
export const kinds: readonly {
  kind: Kind
  tab: string
  add: string
  dialog: string
  empty: string
  confirm: string
  updated: string
  deleted: string
  on: string
  off: string
}[] = [
  {
    kind: 'course-testimonials',
    tab: 'Testimonianze Corsisti',
    add: 'Aggiungi Testimonianza',
    dialog: 'Nuova Testimonianza',
    empty: 'Nessuna testimonianza presente',
    confirm: 'Sei sicuro di voler eliminare questa testimonianza?',
    updated: 'Testimonianza aggiornata!',
    deleted: 'Testimonianza eliminata!',
    on: 'Pubblicata',
    off: 'Bozza',
  },
  {
    kind: 'photo-gallery',
    tab: 'Galleria Fotografica',
    add: 'Aggiungi Foto',
    dialog: 'Nuove Foto',
    empty: 'Nessuna foto presente',
    confirm: 'Sei sicuro di voler eliminare questa foto?',
    updated: 'Foto aggiornata con successo!',
    deleted: 'Foto eliminata con successo!',
    on: 'Pubblicata',
    off: 'Bozza',
  },
  {
    kind: 'special-thanks',
    tab: 'Ringraziamenti Speciali',
    add: 'Aggiungi Ringraziamento',
    dialog: 'Nuovo Ringraziamento',
    empty: 'Nessun ringraziamento presente',
    confirm: 'Sei sicuro di voler eliminare questo ringraziamento?',
    updated: 'Ringraziamento aggiornato!',
    deleted: 'Ringraziamento eliminato!',
    on: 'Pubblicato',
    off: 'Bozza',
  },
  {
    kind: 'media-features',
    tab: 'Parlano di noi',
    add: 'Aggiungi Media',
    dialog: 'Nuovi Media',
    empty: 'Nessun media presente',
    confirm: 'Sei sicuro di voler eliminare questo media?',
    updated: 'Media aggiornato!',
    deleted: 'Media eliminato!',
    on: 'Pubblicato',
    off: 'Bozza',
  },
  {
    kind: 'events',
    tab: 'Eventi',
    add: 'Aggiungi Evento',
    dialog: 'Nuovo Evento',
    empty: 'Nessun evento presente',
    confirm: 'Sei sicuro di voler eliminare questo evento?',
    updated: 'Evento aggiornato con successo!',
    deleted: 'Evento eliminato con successo!',
    on: 'Pubblicato',
    off: 'Nascosto',
  },
]

export const pictures = [1, 2, 3, 4].map((number) =>
  resolve(`../src/demo/pictures/gallery-${number}.jpg`),
)

/** Opens a tab or an area by its address and waits until its list is there. */
export async function openKind(page: Page, kind: Kind) {
  const hash = kind === 'blog' ? '#/blog' : `#/contenuti/${kind}`
  await page.goto(`${originOf(page)}/admin${hash}`)
  await expect(
    rows(page)
      .first()
      .or(page.getByText(/Nessun.* presente/)),
  ).toBeVisible()
}

export async function openArea(page: Page, area: string, heading: string) {
  await page.goto(`${originOf(page)}/admin#/${area}`)
  await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
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
  return page.getByRole('region', { name: 'Notifiche' })
}

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
  await expect(region.getByRole(role).locator('p')).toHaveText(paragraphs)
  await expect(region.locator('[role=status], [role=alert]')).toHaveCount(1)
}

/** Asks the server as the panel would, past the panel. */
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

/** A testimonial of this test's own, at the end of the list. */
export function makeTestimonial(page: Page, name: string, fields: object = {}): Promise<Item> {
  return ask<Item>(page, 'POST', '/api/admin/course-testimonials', {
    name,
    testimonial: `Parole di ${name}.`,
    published: true,
    sortOrder: 1000,
    ...fields,
  })
}

/** Deletes for good, so that the next test finds the lists and the trash as they were. */
export async function forget(page: Page, kind: Kind, id: string) {
  await ask(page, 'DELETE', `/api/admin/${kind}/${id}`)
  await ask(page, 'DELETE', `/api/admin/trash/${id}`)
}

export type Failure = 500 | 409 | 'offline'

export const failures: readonly Failure[] = [500, 409, 'offline']

/** What stands under the toast's title for a failure. */
export const reasons: Readonly<Record<Failure, string | null>> = {
  500: null,
  409: 'Qualcun altro ha cambiato questo elemento.',
  offline: 'Connessione assente. Controlla la rete e riprova.',
}

/** Makes requests fail until the answer is called; everything else reaches the server. */
export async function fail(page: Page, method: string, path: RegExp, how: Failure) {
  const matches = (url: URL) => path.test(url.pathname)
  await page.route(matches, (route) => {
    if (route.request().method() !== method) return route.fallback()
    if (how === 'offline') return route.abort('internetdisconnected')
    if (how === 500) return route.fulfill({ status: 500, body: '' })
    return route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Conflitto', status: 409, detail: reasons[409] }),
    })
  })
  return () => page.unroute(matches)
}

/** A failed toast with its reason under the title. */
export async function expectFailure(page: Page, text: string, how: Failure) {
  await expectToast(page, text, 'alert', reasons[how])
}

/** Waits for one write and returns what was sent. */
export function sent(page: Page, method: string, path: RegExp): Promise<Request> {
  return page.waitForRequest(
    (request) => request.method() === method && path.test(new URL(request.url()).pathname),
  )
}

/** Whether the page behind an open dialog stays where it is. */
export async function expectScrollLocked(page: Page) {
  const before = await page.evaluate(() => window.scrollY)
  await page.mouse.move(5, 5)
  await page.mouse.wheel(0, 600)
  await page.waitForTimeout(150)
  expect(await page.evaluate(() => window.scrollY)).toBe(before)
}

/** Waits until nothing fades or slides any more: colours halfway are nobody's. */
export async function settled(page: Page) {
  await page.evaluate(async () => {
    const frame = () => new Promise((next) => requestAnimationFrame(next))
    for (let quiet = 0; quiet < 3; quiet += 1) {
      await frame()
      const finite = document
        .getAnimations()
        .filter((one) => one.playState === 'running')
        .filter((one) => Number.isFinite(one.effect?.getComputedTiming().endTime))
      if (finite.length > 0) quiet = 0
      await Promise.all(finite.map((one) => one.finished.catch(() => null)))
    }
  })
}
