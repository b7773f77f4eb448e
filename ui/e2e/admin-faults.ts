// Requests that fail by interception, and what the panel then says.

import type { Page, Request } from '@playwright/test'
import { expectToast } from './admin-screen'

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
