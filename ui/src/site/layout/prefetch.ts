// Prefetches a page as soon as the visitor is likely to open it.

import { afterPaint } from './after-paint'

/** A pointer that rests on a link for this time is likely to press it. */
const restMs = 65
/** Maximum age of a prefetched page; its content may have changed after that. */
const freshMs = 10_000
/** Maximum number of prefetched pages: a finger that moves over a list must not fetch all of it. */
const aheadMax = 6

type Ahead<Page> = {
  readonly page: Promise<Page>
  readonly at: number
  /** Set once the page has arrived; awaiting a resolved promise would cost the render a frame. */
  arrived?: Page
}
type Fetch<Page> = (url: URL, isAhead: boolean) => Promise<Page>

/**
 * `linkAt` returns the page that a link leads to, null for a link outside the site. The returned
 * function gets a page: the prefetched one, synchronously if it has arrived, else by a new request.
 */
export function prefetchPages<Page>(
  fetchPage: Fetch<Page>,
  linkAt: (target: EventTarget | null) => URL | null,
  isCounted: boolean,
): (url: URL) => Page | Promise<Page> {
  const ahead = new Map<string, Ahead<Page>>()
  const known = (url: URL) => {
    const found = ahead.get(keyOf(url))
    return found && performance.now() - found.at < freshMs ? found : undefined
  }
  const intend = (url: URL) => {
    if (isSparing() || isHere(url) || known(url)) return
    const next: Ahead<Page> = { page: fetchPage(url, true), at: performance.now() }
    next.page.then(
      (page) => {
        next.arrived = page
      },
      () => ahead.delete(keyOf(url)),
    )
    ahead.set(keyOf(url), next)
    const [oldest] = ahead.keys()
    if (ahead.size > aheadMax && oldest !== undefined) ahead.delete(oldest)
  }
  let resting: ReturnType<typeof setTimeout> | undefined
  document.addEventListener('pointerover', (event) => {
    clearTimeout(resting)
    const url = event.pointerType === 'mouse' ? linkAt(event.target) : null
    if (url) resting = setTimeout(() => intend(url), restMs)
  })
  const press = (event: Event) => {
    const url = linkAt(event.target)
    if (url) intend(url)
  }
  document.addEventListener('touchstart', press, { passive: true })
  document.addEventListener('mousedown', press)
  return (url) => {
    const found = known(url)
    ahead.delete(keyOf(url))
    if (!found) return fetchPage(url, false)
    if (isCounted) afterPaint(() => notifyPageOpened(url))
    return found.arrived ?? found.page.catch(() => fetchPage(url, false))
  }
}

/** Requests a prefetched page again, so that the server counts the visit. The answer is a 304. */
export function notifyPageOpened(url: URL): void {
  fetch(keyOf(url), { headers: { accept: 'text/html' } }).catch(() => {})
}

function keyOf(url: URL): string {
  return url.pathname + url.search
}

function isHere(url: URL): boolean {
  return keyOf(url) === location.pathname + location.search
}

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

/** Whether the visitor saves data or has a slow connection; nothing is prefetched then. */
function isSparing(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: Connection }
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? '')
}
