// What the binary runs to make the pages: two pure functions, JSON text in and out.

import { renderToString } from 'preact-render-to-string'
import type { Snapshot } from './site/data'
import { headMarkup } from './site/meta'
import type { PageModule, PageState } from './site/page'
import { isMissing, missingKey, type Route, routes } from './site/routes'
import { App } from './site/shell/app'
import { fontPreloads } from './site/shell/fonts'

type PlannedPage = {
  readonly path: string
  readonly slice: string
  readonly kind: 'page' | 'screen' | 'notFound' | 'eventNotFound' | 'articleNotFound'
  readonly sitemap: boolean
  readonly lastModified: string | null
}

const modules = import.meta.glob<PageModule>('./site/pages/*.tsx', { eager: true })

function sourceOf(page: string): string {
  return `src/site/pages/${page}.tsx`
}

function moduleOf(page: string): PageModule {
  const module = modules[`./site/pages/${page}.tsx`]
  if (module === undefined) throw new Error(`no file for the page ${page}`)
  return module
}

/** Every page to publish, and the screens for addresses that name nothing. */
function plan(snapshotJson: string): string {
  const snapshot: Snapshot = JSON.parse(snapshotJson)
  return JSON.stringify(routes.flatMap((route) => plannedPages(route, snapshot)))
}

function plannedPages(route: Route, snapshot: Snapshot): PlannedPage[] {
  const keys = route.keys?.(snapshot) ?? ['']
  const pages = [
    ...keys.map((key) => planned(route, snapshot, key, 'page')),
    ...(route.screens ?? []).map((key) => planned(route, snapshot, key, 'screen')),
  ]
  return route.missing === undefined
    ? pages
    : [...pages, planned(route, snapshot, missingKey, route.missing)]
}

function planned(
  { page, path: pattern, isUnlisted = false }: Route,
  snapshot: Snapshot,
  key: string,
  kind: PlannedPage['kind'],
): PlannedPage {
  const data = moduleOf(page).slice(snapshot, kind === 'page' || kind === 'screen' ? key : '')
  const path = pattern.replace('{key}', () => key)
  const state: PageState = { page, path, data }
  return {
    path,
    slice: JSON.stringify(state),
    kind,
    sitemap: kind === 'page' && !isUnlisted,
    lastModified: lastChange(data),
  }
}

/** The newest change among the items a page shows; RFC 3339 in UTC compares as text. */
function lastChange(data: object): string | null {
  let newest: string | null = null
  for (const value of Object.values(data)) {
    for (const item of Array.isArray(value) ? value : [value]) {
      const changed: unknown = item?.updatedAt
      if (typeof changed === 'string' && (newest === null || changed > newest)) newest = changed
    }
  }
  return newest
}

/** One page as markup. */
function page(path: string, sliceJson: string): string {
  const state: PageState = JSON.parse(sliceJson)
  const module = moduleOf(state.page)
  const meta = module.meta(state.data)
  return JSON.stringify({
    status: isMissing(path) ? 404 : 200,
    head: headMarkup(meta, state.data) + fontPreloads,
    html: renderToString(<App page={{ ...state, Page: module.Page }} />),
    entry: sourceOf(state.page),
  })
}

Object.assign(globalThis, { respiro: { plan, page } })
