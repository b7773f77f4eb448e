// Fetches the page that is probably next as soon as somebody means to go there.

import { afterPaint } from './after-paint'

/** How long a pointer rests on a link that is meant. */
const restMs = 65
/** Older than this a page is fetched again: it may have changed. */
const freshMs = 10_000
/** A finger that wanders over a list must not fetch all of it. */
const aheadMax = 6

type Ahead<Page> = {
  readonly page: Promise<Page>
  readonly at: number
  /** Once it is there: what must be waited for, however shortly, comes a frame later. */
  arrived?: Page
}
type Fetch<Page> = (url: URL, isAhead: boolean) => Promise<Page>

/**
 * `linkAt` tells which page a link leads to, null when it is none of ours. What is returned gives a
 * page: the one fetched ahead, at once where it has arrived, or one fetched now.
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
    if (isCounted) afterPaint(() => tellOpened(url))
    return found.arrived ?? found.page.catch(() => fetchPage(url, false))
  }
}

/** The program counts pages that are opened, and has not counted this one: it says 304 and does. */
export function tellOpened(url: URL): void {
  fetch(keyOf(url), { headers: { accept: 'text/html' } }).catch(() => {})
}

function keyOf(url: URL): string {
  return url.pathname + url.search
}

function isHere(url: URL): boolean {
  return keyOf(url) === location.pathname + location.search
}

type Connection = { readonly saveData?: boolean; readonly effectiveType?: string }

/** Whether nothing is fetched that was not asked for. */
function isSparing(): boolean {
  const { connection } = navigator as Navigator & { readonly connection?: Connection }
  return connection?.saveData === true || /2g|3g/.test(connection?.effectiveType ?? '')
}
