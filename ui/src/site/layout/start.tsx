// Loads the one chunk of the page at hand, then takes over its markup in one go.

import { hydrate, render } from 'preact'
import { closeByBack } from '../../lib/dialog-history'
import type { PageState, ReadyPage } from '../page'
import { routes } from '../routes'
import { afterPaint } from './after-paint'
import { App } from './app'
import { listenForNavigation } from './client-navigation'
import { countContactClicks } from './contact-clicks'
import { tellOpened } from './prefetch'
import { stylesheetReady } from './stylesheet-ready'

/** Brings in the code of a page. */
export async function ready(state: PageState): Promise<ReadyPage> {
  const route = routes.find((candidate) => candidate.page === state.page)
  if (route === undefined) throw new Error(`no route for the page ${state.page}`)
  return { ...state, Page: await route.load() }
}

/** Whether the browser had fetched this page before it was opened: nobody has counted it. */
function cameAhead(): boolean {
  const [entry] = performance.getEntriesByType('navigation')
  return (entry as { deliveryType?: string } | undefined)?.deliveryType === 'navigational-prefetch'
}

/** In a tab behind others there is none to wait for. */
function frame(): Promise<void> {
  const isSeen = document.visibilityState === 'visible'
  return isSeen ? new Promise(afterPaint) : Promise.resolve()
}

export async function startSite(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.querySelector('script#page-data')?.textContent
  // Without data this is no page of ours, and what the server sent stays as it is.
  if (!root || !data) return
  const state: PageState = JSON.parse(data)
  const [page] = await Promise.all([ready(state), stylesheetReady()])
  // A frame each for what the sheet has changed, for the taking over and for what listens then: together they
  // were one long task.
  await frame()
  hydrate(<App page={page} />, root)
  await frame()
  // Says that the page answers to clicks; browser tests wait for it.
  document.documentElement.dataset.hydrated = ''
  closeByBack()
  // A copy of plain files says no: whoever answers there counts nobody.
  const { countsVisits } = state.data
  if (countsVisits) countContactClicks()
  if (countsVisits && cameAhead()) tellOpened(new URL(location.href))
  listenForNavigation(ready, (page) => render(<App page={page} />, root), countsVisits)
}
