// Makes requests fail by interception, and checks the message that the panel shows.

import type { Page, Request } from '@playwright/test'
import { expectToast } from './admin-screen'

export type Failure = 500 | 409 | 'offline'

export const failures: readonly Failure[] = [500, 409, 'offline']

/** Text under the toast's title for each failure. */
export const reasons: Readonly<Record<Failure, string | null>> = {
  500: null,
  409: 'Qualcun altro ha cambiato questo elemento.',
  offline: 'Connessione assente. Controlla la rete e riprova.',
}

/** Makes matching requests fail until the caller calls the returned function; all others reach the server. */
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

/** Expects an error toast with its reason under the title. */
export async function expectFailure(page: Page, text: string, how: Failure) {
  await expectToast(page, text, 'alert', reasons[how])
}

/** Waits for one matching write request and returns it. */
export function sent(page: Page, method: string, path: RegExp): Promise<Request> {
  return page.waitForRequest(
    (request) => request.method() === method && path.test(new URL(request.url()).pathname),
  )
}
