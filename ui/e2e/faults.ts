// Collects what went wrong in every page and frame of a test: console errors and warnings (the browser reports CSP
// violations there), uncaught errors, failed requests. Each fault is one line, so that a test can name it by a pattern.

import type { Browser, BrowserContext, Request, Response } from '@playwright/test'

/** Network errors that only `route.abort`, `setOffline` or a stopped server cause: the test named them by its call. */
const isCausedByTest = /ERR_(FAILED|INTERNET_DISCONNECTED|CONNECTION_REFUSED|CONNECTION_RESET)/

/** The page cancelled the request itself, by a navigation or an `AbortController`. */
const isCancelled = /ERR_ABORTED/

/** Repeats a failed request without its method; the request is a line of its own. */
const isRepeated = /^Failed to load resource|net::ERR_|Failed to fetch dynamically imported module/

/** axe runs in every frame and posts messages to it. A preview is sandboxed: it runs no script and has no origin. */
const isOfAxe =
  /postMessage.*recipient window's origin \('null'\)|^Blocked script execution in 'about:srcdoc'/

/**
 * The site editor's iframe: `allow-same-origin`, because the panel edits its document, and `allow-scripts`, without which
 * WebKit dispatches no events there. The policy that it inherits refuses the scripts.
 */
const isAccepted = /allow-scripts and allow-same-origin/

/**
 * Refusals that the API answers by contract and the panel shows; the tests that cause them check what is shown. Malformed
 * requests (400, 405), 5xx and everything outside of `/api/` are faults.
 */
const refusals = [401, 403, 404, 409, 410, 412, 413, 415, 422, 429, 507]

/** Watches all contexts that the browser creates from now on. `end` stops and returns the faults. */
export function watchFaults(browser: Browser) {
  const faults: string[] = []
  const open: Promise<unknown>[] = []
  const onContext = (context: BrowserContext) => {
    context.on('console', (message) => {
      const type = message.type()
      const text = message.text()
      if (
        (type === 'error' || type === 'warning') &&
        !isRepeated.test(text) &&
        !isOfAxe.test(text) &&
        !isAccepted.test(text)
      )
        faults.push(`console ${type}: ${text}`)
    })
    context.on('weberror', (error) => {
      const text = String(error.error())
      if (!isRepeated.test(text)) faults.push(`page error: ${text}`)
    })
    context.on('requestfailed', (request) => {
      const why = request.failure()?.errorText ?? ''
      if (!isCausedByTest.test(why) && !isCancelled.test(why)) faults.push(lineOf(request, why))
    })
    context.on('response', (response) => {
      if (response.status() >= 400) open.push(isAnswerOfServer(response).then(add(response)))
    })
  }
  const add = (response: Response) => (isOfServer: boolean) => {
    if (isOfServer) faults.push(lineOf(response.request(), `${response.status()}`))
  }
  browser.on('context', onContext)
  return async () => {
    browser.off('context', onContext)
    await Promise.all(open)
    return faults
  }
}

/**
 * Whether the test has to name the status. It asked for the documents that it opens, and it wrote the responses of
 * `route.fulfill`, which have no server address.
 */
async function isAnswerOfServer(response: Response): Promise<boolean> {
  const request = response.request()
  if (request.isNavigationRequest()) return false
  const isApi = new URL(response.url()).pathname.startsWith('/api/')
  if (isApi && refusals.includes(response.status())) return false
  return (await response.serverAddr().catch(() => null)) !== null
}

function lineOf(request: Request, why: string): string {
  const { pathname } = new URL(request.url())
  return `${why} ${request.method()} ${pathname}`
}
