// Loads the chunk of the current page, then hydrates its markup.

import { hydrate, render } from 'preact'
import { closeByBack } from '../../lib/dialog-history'
import type { ExportedContactData } from '../contact-prefill-static'
import type { PageState, ReadyPage } from '../page-module'
import { routes } from '../routes'
import { afterPaint } from './after-paint'
import { App } from './app'
import { listenForNavigation } from './client-navigation'
import { countContactClicks } from './contact-clicks'
import { notifyPageOpened } from './prefetch'
import { stylesheetReady } from './stylesheet-ready'

/** Loads the component of a page. */
async function loaded(state: PageState): Promise<ReadyPage> {
  const route = routes.find((candidate) => candidate.page === state.page)
  if (route === undefined) throw new Error(`no route for the page ${state.page}`)
  return { ...state, Page: await route.load() }
}

/** Returns the page for a query that only the browser reads, on a static host. */
async function withQuery(page: ReadyPage, search: string): Promise<ReadyPage> {
  if (search === '' || !('fileChoices' in page.data)) return page
  try {
    const { prefillFromQuery } = await import('../contact-prefill-static')
    return { ...page, data: await prefillFromQuery(page.data as ExportedContactData, search) }
  } catch {
    return page
  }
}

async function ready(state: PageState, search: string): Promise<ReadyPage> {
  return withQuery(await loaded(state), search)
}

/** Whether the browser prefetched this page; the server has not counted the visit then. */
function cameAhead(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return (entry as { deliveryType?: string } | undefined)?.deliveryType === 'navigational-prefetch'
}

/** Resolves after the next frame; immediately in a hidden tab, which has no frames. */
function frame(): Promise<void> {
  const isSeen = document.visibilityState === 'visible'
  return isSeen ? new Promise(afterPaint) : Promise.resolve()
}

export async function startSite(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.querySelector('script#page-data')?.textContent
  // A document without page data is no page of the site and keeps the server's markup.
  if (!root || !data) return
  const state: PageState = JSON.parse(data)
  const [page] = await Promise.all([loaded(state), stylesheetReady()])
  // One frame each for the style sheet, for hydration and for the listeners: together they were one
  // long task.
  await frame()
  hydrate(<App page={page} />, root)
  await frame()
  // The page handles clicks from now on; browser tests wait for this.
  document.documentElement.dataset.hydrated = ''
  // A script of an extension may have failed before.
  delete document.documentElement.dataset.plain
  closeByBack()
  // False in an export for a static host, which counts no visits.
  const { countsVisits } = state.data
  if (countsVisits) countContactClicks()
  if (countsVisits && cameAhead()) notifyPageOpened(new URL(location.href))
  const draw = (page: ReadyPage) => render(<App page={page} />, root)
  listenForNavigation(ready, draw, countsVisits)
  const { href, search } = location
  // Hydration needs the data that the page was rendered with.
  const chosen = await withQuery(page, search)
  if (chosen !== page && location.href === href) draw(chosen)
}
