// Loads the one chunk of the page at hand, then takes over its markup in one go.

import { hydrate, render } from 'preact'
import { closeByBack } from '../../lib/back'
import type { PageState, ReadyPage } from '../page'
import { routes } from '../routes'
import { afterFrame } from './after-frame'
import { tellOpened } from './ahead'
import { App } from './app'
import { listenForNavigation } from './client-navigation'
import { countPresses } from './presses'
import { wholeStyle } from './whole-style'

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

export async function startSite(): Promise<void> {
  const root = document.getElementById('app')
  const data = document.getElementById('page-data')?.textContent
  // Without data this is no page of ours, and what the server sent stays as it is.
  if (!root || !data) return
  const state: PageState = JSON.parse(data)
  const [page] = await Promise.all([ready(state), wholeStyle()])
  // A frame of its own for what the sheet has changed: with the taking over it was one long task.
  if (document.visibilityState === 'visible') await new Promise<void>(afterFrame)
  hydrate(<App page={page} />, root)
  // Says that the page answers to clicks; browser tests wait for it.
  document.documentElement.dataset.hydrated = ''
  closeByBack()
  // A copy of plain files says no: whoever answers there counts nobody.
  const { countsVisits } = state.data
  if (countsVisits) countPresses()
  if (countsVisits && cameAhead()) tellOpened(new URL(location.href))
  listenForNavigation(ready, (page) => render(<App page={page} />, root), countsVisits)
}
