// What the binary runs to make the pages: three pure functions, JSON text in and out.

import { renderToString } from 'preact-render-to-string'
import type { Input, Read } from './site/data'
import { newsletterMail } from './site/mail/newsletter-mail'
import { headMarkup } from './site/meta'
import type { PageModule, PageState } from './site/page'
import { missingKey, type Route, routes as table } from './site/routes'
import { App } from './site/shell/app'
import { fontPreloads } from './site/shell/fonts'
import { socialPictures } from './site/social'
import { startTypesetting } from './site/typesetting'

/** A row as the binary reads it: which addresses there are, and what their pages read. */
type Row = {
  readonly page: string
  readonly path: string
  readonly sitemap: boolean
  readonly formerPaths: readonly string[]
  readonly social: (typeof socialPictures)[keyof typeof socialPictures] | null
  readonly reads: readonly Read[]
  readonly needsServer: boolean
} & (
  | { readonly kind: 'page' }
  | { readonly kind: 'screen'; readonly status: number }
  | { readonly kind: 'missing'; readonly status: number; readonly prefix: string | null }
)

const modules = import.meta.glob<PageModule>('./site/pages/*.tsx', { eager: true })

function sourceOf(page: string): string {
  return `src/site/pages/${page}.tsx`
}

function moduleOf(page: string): PageModule {
  const module = modules[`./site/pages/${page}.tsx`]
  if (module === undefined) throw new Error(`no file for the page ${page}`)
  return module
}

/** Every row: pages, screens without an address, and what stands where nothing is. */
function routes(): string {
  return JSON.stringify(table.flatMap(rowsOf))
}

function rowsOf(route: Route): Row[] {
  const {
    page,
    path,
    formerPaths = [],
    isUnlisted,
    keys = [],
    screens = {},
    missing,
    needsServer = false,
  } = route
  const { reads = [] } = moduleOf(page)
  const social = route.social === undefined ? null : socialPictures[route.social]
  const row = { page, path, sitemap: false, formerPaths, social, reads, needsServer }
  const hasAddress = !path.includes('{key}') || reads.some((read) => read.how === 'each')
  const at = (key: string) => ({ ...row, path: path.replace('{key}', key), formerPaths: [] })
  const [prefix = ''] = path.split('{')
  return [
    ...(hasAddress ? [{ ...row, kind: 'page', sitemap: !isUnlisted } as const] : []),
    ...keys.map((key) => ({ ...at(key), kind: 'page', sitemap: !isUnlisted }) as const),
    ...Object.entries(screens).map(
      ([key, status]) => ({ ...at(key), kind: 'screen', status }) as const,
    ),
    ...(missing === undefined
      ? []
      : [
          {
            ...at(missingKey),
            kind: 'missing',
            ...missing,
            prefix: prefix === '/' ? null : prefix,
          } as const,
        ]),
  ]
}

/** One page as markup. */
function page(name: string, path: string, inputJson: string): string {
  const module = moduleOf(name)
  const input: Input = { ...JSON.parse(inputJson), path }
  const data = module.slice(input, path.split('/').at(-1) ?? '')
  const state: PageState = { page: name, path, data }
  return JSON.stringify({
    head: headMarkup(module.meta(data), data) + fontPreloads,
    html: renderToString(<App page={{ ...state, Page: module.Page }} />),
    entry: sourceOf(name),
    data: JSON.stringify(state),
  })
}

/** A newsletter as markup and as plain text. */
function mail(inputJson: string): string {
  return JSON.stringify(newsletterMail(JSON.parse(inputJson)))
}

startTypesetting()
Object.assign(globalThis, { respiro: { routes, page, mail } })
