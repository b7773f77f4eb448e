// Navigates between pages without reloading: fetches the target's HTML, takes its data and head,
// and renders the page. After any error the browser loads the target itself.

import { navigate } from 'wouter/use-browser-location'
import { closeAllLayers, isBare } from '../../lib/dialog-history'
import { buildIdOf } from '../build-id'
import type { PageState, ReadyPage } from '../page-module'
import { afterPaint } from './after-paint'
import { showNavigationProgress } from './navigation-progress'
import { prefetchPages } from './prefetch'
import { isStylesheetReady } from './stylesheet-ready'

type Ready = (state: PageState, search: string) => Promise<ReadyPage>
type Draw = (page: ReadyPage) => void
type Fetched = { readonly page: ReadyPage; readonly head: Head; readonly url: string }
type Head = { readonly title: string; readonly elements: readonly Element[] }

const managedHead =
  'meta[name]:not([name="viewport"]), meta[property], link[rel="canonical"], ' +
  'link[rel="prev"], link[rel="next"], ' +
  'link[rel="alternate"], script[type="application/ld+json"]'

/** Paths that are no pages: files, the admin panel, the API. */
const outsidePaths = /^\/(admin|api|objects|assets)(\/|$)|\.\w+$/

let latest = 0

export function listenForNavigation(ready: Ready, draw: Draw, isCounted: boolean): void {
  let shownAddress = addressOf(location)
  const fetchNext = prefetchPages(
    (url, isAhead) => fetchPage(url, ready, isAhead),
    pageAt,
    isCounted,
  )
  let endWaiting = () => {}
  const show = (fetched: Fetched, url: URL, isReturn: boolean) => {
    if (!isReturn) navigate(withHash(fetched.url, url.hash))
    shownAddress = addressOf(location)
    draw(fetched.page)
    document.title = fetched.head.title
    arrive(isReturn)
    afterPaint(() => replaceHead(fetched.head))
  }
  const wait = async (page: Promise<Fetched>, url: URL, isReturn: boolean) => {
    const turn = latest
    const fetched = await page.catch(() => null)
    // A later click has started another navigation.
    if (turn !== latest) return
    endWaiting()
    // The visitor went on in the history meanwhile. Without this check, Forward and then Back
    // rendered one page at the address of the other.
    if (isReturn && addressOf(location) !== addressOf(url)) return
    if (!isReturn) await closeAllLayers()
    if (fetched === null) location.assign(url)
    else show(fetched, url, isReturn)
  }
  const go = (url: URL, isReturn: boolean, pressed: Element | null = null) => {
    latest += 1
    endWaiting()
    const next = fetchNext(url)
    // A prefetched page is visible in the next frame.
    if (!(next instanceof Promise) && (isReturn || isBare())) return show(next, url, isReturn)
    endWaiting = showNavigationProgress(pressed)
    void wait(Promise.resolve(next), url, isReturn)
  }
  document.addEventListener('click', (event) => {
    const url = targetOf(event)
    if (url === null || isSamePage(url)) return
    event.preventDefault()
    rememberPosition()
    go(url, false, event.target instanceof Element ? event.target.closest('a') : null)
  })
  addEventListener('popstate', () => {
    // The browser handles a change of the hash alone.
    if (addressOf(location) !== shownAddress) go(new URL(location.href), true)
  })
  keepPositions()
}

/**
 * `arrive` restores the scroll position within the document. The browser would scroll smoothly as
 * well, and both together scrolled twice as far; for other documents the browser still restores it.
 */
function keepPositions(): void {
  history.scrollRestoration = 'manual'
  addEventListener('pageshow', () => {
    history.scrollRestoration = 'manual'
  })
  addEventListener('pagehide', () => {
    rememberPosition()
    history.scrollRestoration = 'auto'
  })
  const top: number = history.state?.top ?? 0
  if (scrollY === 0 && top > 0) scrollTo({ top, behavior: 'instant' })
}

/** Returns the page that a click asks for; null when the browser should handle the click. */
function targetOf(event: MouseEvent): URL | null {
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey
  return event.defaultPrevented || !isPlain || event.altKey ? null : pageAt(event.target)
}

/** Returns the page that the link at an element leads to; null for a link outside the site. */
function pageAt(target: EventTarget | null): URL | null {
  const link = target instanceof Element ? target.closest('a[href]') : null
  if (!(link instanceof HTMLAnchorElement)) return null
  if (link.target !== '' || link.hasAttribute('download')) return null
  const url = new URL(link.href)
  return url.origin === location.origin && !outsidePaths.test(url.pathname) ? url : null
}

function isSamePage(url: URL): boolean {
  return addressOf(url) === addressOf(location) && url.hash !== ''
}

async function fetchPage(url: URL, ready: Ready, isAhead: boolean): Promise<Fetched> {
  // A page that the browser loads itself brings its inline rules along.
  if (!isStylesheetReady()) throw new Error('the style sheet is not there')
  // The server does not count prefetched pages.
  const purpose = isAhead ? { purpose: 'prefetch' } : {}
  const headers = { accept: 'text/html', ...purpose }
  const answer = await fetch(addressOf(url), { headers })
  // Inline rules are for a full page load; here the content security policy of the current page
  // blocks them and reports an error.
  const text = (await answer.text()).replace(/<style>.*?<\/style>/s, '')
  const html = new DOMParser().parseFromString(text, 'text/html')
  const data = html.querySelector('script#page-data')?.textContent
  // A newer release is installed: its pages need its own code.
  if (!data || buildIdOf(html) !== buildIdOf(document)) throw new Error('no page of this release')
  const state: PageState = JSON.parse(data)
  const elements = [...html.head.querySelectorAll(managedHead)]
  const page = await ready(state, new URL(answer.url).search)
  return { page, head: { title: html.title, elements }, url: answer.url }
}

/** Returns the address without the hash. */
function addressOf({ pathname, search }: URL | Location): string {
  return pathname + search
}

/** The path after redirects, with the hash of the link. */
function withHash(answered: string, hash: string): string {
  return addressOf(new URL(answered)) + hash
}

function replaceHead({ elements }: Head): void {
  for (const old of document.head.querySelectorAll(managedHead)) old.remove()
  document.head.append(...elements.map((element) => document.importNode(element, true)))
}

function arrive(isReturn: boolean): void {
  document.querySelector('main')?.focus({ preventScroll: true })
  const target = anchorTarget(location.hash.slice(1))
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  if (isReturn) scrollTo({ top: history.state?.top ?? 0, behavior: 'instant' })
  else if (target) target.scrollIntoView()
  else scrollTo({ top: 0, behavior: isStill ? 'instant' : 'smooth' })
}

/** The element of an anchor; null also for one that is not valid percent-encoding, such as `100%`. */
function anchorTarget(anchor: string): HTMLElement | null {
  try {
    return anchor === '' ? null : document.getElementById(decodeURIComponent(anchor))
  } catch {
    return document.getElementById(anchor)
  }
}

function rememberPosition(): void {
  // Skips unchanged positions: each write is a message to the browser process.
  if (scrollY !== (history.state?.top ?? 0))
    history.replaceState({ ...history.state, top: scrollY }, '')
}
