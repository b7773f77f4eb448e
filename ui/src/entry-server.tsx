// Entry point of server-side rendering: four pure functions that the binary calls with text, mostly JSON.

import { renderToString } from 'preact-render-to-string'
import { scriptJson } from './lib/escape-html'
import {
  definitions,
  forBrowsers,
  idsOn,
  letterWords,
  patternInFiles,
  shownWords,
} from './site/content/blocks-for-page'
import type { BlockValues } from './site/content/resolve'
import { App } from './site/layout/app'
import { fontPreloads } from './site/layout/fonts'
import { type MailInput, newsletterMail } from './site/mail/newsletter-mail'
import { headMarkup } from './site/meta'
import type { Input, Read, SiteData } from './site/page-data'
import type { PageModule, PageState } from './site/page-module'
import { missingKey, type Route, routes as table } from './site/routes'
import { socialPictures } from './site/social-images'
import { socialProfiles } from './site/social-profiles'
import { startTypesetting } from './site/typeset-vnodes'

/** A route as the binary reads it: the paths, and the data that their pages read. */
type Row = {
  readonly page: string
  readonly path: string
  readonly sitemap: boolean
  readonly formerPaths: Readonly<Record<string, string>>
  /** Path of the link preview picture, and the content block with the title. */
  readonly social: { readonly path: string; readonly words: string } | null
  readonly reads: readonly Read[]
  /** Whether the page differs in an export of static files. */
  readonly isOtherInFiles: boolean
  /** Ids of the content blocks that the page shows. */
  readonly words: readonly string[]
  readonly entries?: Route['entries']
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

/** Returns all routes as JSON: pages, screens without a path of their own, and the pages for missing paths. */
function routes(): string {
  return JSON.stringify(table.flatMap(rowsOf))
}

function rowsOf(route: Route): Row[] {
  const { page, path, formerPaths = {}, isUnlisted, entries, screens = {}, missing } = route
  const { reads = [], isOtherInFiles = false } = moduleOf(page)
  const social =
    route.social === undefined ? null : { path: socialPictures[route.social], words: `seo.${page}` }
  const row = {
    page,
    path,
    sitemap: false,
    formerPaths,
    social,
    reads,
    isOtherInFiles,
    words: idsOn(patternInFiles(path)),
  }
  const hasAddress =
    !path.includes('{key}') || entries !== undefined || reads.some((read) => read.how === 'each')
  const at = (key: string) => ({ ...row, path: path.replace('{key}', key), formerPaths: {} })
  const [prefix = ''] = path.split('{')
  return [
    ...(hasAddress ? [{ ...row, kind: 'page', sitemap: !isUnlisted, entries } as const] : []),
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

/** A rendered page. The binary takes each text by itself: as JSON they would be escaped and parsed once more. */
type Made = {
  readonly head: string
  readonly html: string
  /** Path of the page's source file. */
  readonly entry: string
  /** Data for hydration, as JSON. */
  readonly data: string
}

function page(name: string, path: string, inputJson: string): Made {
  const module = moduleOf(name)
  const { words: given, ...read }: FromBinary = JSON.parse(inputJson)
  const own = patternOf(name, path)
  const pattern = read.isStatic ? patternInFiles(own) : own
  const { settings } = read.site
  const first = shownWords(pattern, given, settings)
  const profiles = socialProfiles(settings.socialProfiles)
  const site = { ...read.site, ...(profiles.length > 0 && { profiles }), words: first.words }
  const input: Input = { ...read, site, path }
  const sliced = module.slice(input, path.split(/[/=]/).at(-1) ?? '')
  // A page for a choice changes the settings, so that every message begins with the choice: links in content use them.
  const again = sliced.settings === settings ? first : shownWords(pattern, given, sliced.settings)
  const { words, places } = again
  const data = { ...sliced, words }
  const state: PageState = { page: name, path, data }
  return {
    head: headMarkup(module.meta(data), data) + fontPreloads + placesMarkup(places),
    html: renderToString(<App page={{ ...state, Page: module.Page }} />),
    entry: sourceOf(name),
    data: JSON.stringify({ ...state, data: { ...data, words: forBrowsers(pattern, words) } }),
  }
}

/** Renders a newsletter as HTML and as plain text. */
function mail(inputJson: string): string {
  const { words: given, ...input }: LetterFromBinary = JSON.parse(inputJson)
  return JSON.stringify(newsletterMail({ ...input, words: letterWords(given, input.settings) }))
}

type LetterFromBinary = Omit<MailInput, 'words'> & { readonly words?: BlockValues }

/** Returns the route pattern of a page at this path: a page may have several routes. */
function patternOf(name: string, path: string): string {
  const rows = table.filter((route) => route.page === name)
  const begins = ({ path: pattern }: Route) => path.startsWith(pattern.split('{')[0] ?? '')
  const longest = rows.filter(begins).sort((a, b) => b.path.length - a.path.length)[0]
  return (longest ?? rows[0])?.path ?? path
}

type FromBinary = Omit<Input, 'site' | 'path'> & {
  readonly site: Omit<SiteData, 'words'>
  readonly words?: BlockValues
}

/** Returns the field paths of the page's markers, for the editor (`lib/content-source-map.ts`). */
function placesMarkup(places: readonly string[]): string {
  if (places.length === 0) return ''
  return `<script type="application/json" id="words-places">${scriptJson(places)}</script>`
}

startTypesetting()
Object.assign(globalThis, { respiro: { routes, page, mail, definitions } })
