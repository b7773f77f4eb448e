// What the binary runs to make the pages: four pure functions, text in and out, mostly JSON.

import { renderToString } from 'preact-render-to-string'
import { choiceKeys } from './lib/choice-paths'
import { scriptJson } from './lib/escape'
import { definitions, forBrowsers, idsOn, letterWords, shownWords } from './site/content/for-page'
import type { GivenWords } from './site/content/resolve'
import type { Input, Read, SiteData } from './site/data'
import { App } from './site/layout/app'
import { fontPreloads } from './site/layout/fonts'
import { type MailInput, newsletterMail } from './site/mail/newsletter-mail'
import { headMarkup } from './site/meta'
import type { PageModule, PageState } from './site/page'
import { missingKey, type Route, routes as table } from './site/routes'
import { socialPictures } from './site/social'
import { startTypesetting } from './site/typeset-vnodes'

/** A row as the binary reads it: which addresses there are, and what their pages read. */
type Row = {
  readonly page: string
  readonly path: string
  readonly sitemap: boolean
  readonly formerPaths: readonly string[]
  /** The picture that messengers show for it, and the block that says its title. */
  readonly social: { readonly path: string; readonly words: string } | null
  readonly reads: readonly Read[]
  /** Whether a host of plain files shows something else. */
  readonly isOtherInFiles: boolean
  /** Ids of the blocks of words that it shows. */
  readonly words: readonly string[]
  /** A page for each entry of a list of words, but for these ids. */
  readonly entries?: {
    readonly block: string
    readonly list: string
    readonly but: readonly string[]
  }
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

/** What she adds to the messages has a page too; the list's own have theirs by name, whatever she does. */
const added: Readonly<Record<string, Row['entries']>> = {
  '/contatti/per/{key}': {
    block: 'contatti.messages',
    list: 'asks',
    but: [...Object.entries(choiceKeys).flat(), missingKey],
  },
}

/** Every row: pages, screens without an address, and what stands where nothing is. */
function routes(): string {
  return JSON.stringify(table.flatMap(rowsOf))
}

function rowsOf(route: Route): Row[] {
  const { page, path, formerPaths = [], isUnlisted, keys = [], screens = {}, missing } = route
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
    words: idsOn(path),
  }
  const hasAddress = !path.includes('{key}') || reads.some((read) => read.how === 'each')
  const at = (key: string) => ({ ...row, path: path.replace('{key}', key), formerPaths: [] })
  const [prefix = ''] = path.split('{')
  const entries = added[path]
  return [
    ...(hasAddress ? [{ ...row, kind: 'page', sitemap: !isUnlisted } as const] : []),
    ...keys.map((key) => ({ ...at(key), kind: 'page', sitemap: !isUnlisted }) as const),
    ...(entries === undefined
      ? []
      : [{ ...row, kind: 'page', sitemap: !isUnlisted, entries } as const]),
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

/** One page as the binary takes it, text by text: quoted in JSON they would be gone through once more. */
type Made = {
  readonly head: string
  readonly html: string
  /** Source file of the page. */
  readonly entry: string
  /** What the browser gets, as JSON. */
  readonly data: string
}

function page(name: string, path: string, inputJson: string): Made {
  const module = moduleOf(name)
  const { words: given, ...read }: FromBinary = JSON.parse(inputJson)
  const pattern = patternOf(name, path)
  const { settings } = read.site
  const first = shownWords(pattern, given, settings)
  const input: Input = { ...read, site: { ...read.site, words: first.words }, path }
  const sliced = module.slice(input, path.split('/').at(-1) ?? '')
  // What was chosen begins every message: links in words follow the settings of the page.
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

/** A newsletter as markup and as plain text. */
function mail(inputJson: string): string {
  const { words: given, ...input }: LetterFromBinary = JSON.parse(inputJson)
  return JSON.stringify(newsletterMail({ ...input, words: letterWords(given, input.settings) }))
}

type LetterFromBinary = Omit<MailInput, 'words'> & { readonly words?: GivenWords }

/** The row of the table that a page at this address belongs to: a page may have several. */
function patternOf(name: string, path: string): string {
  const rows = table.filter((route) => route.page === name)
  const begins = ({ path: pattern }: Route) => path.startsWith(pattern.split('{')[0] ?? '')
  const longest = rows.filter(begins).sort((a, b) => b.path.length - a.path.length)[0]
  return (longest ?? rows[0])?.path ?? path
}

type FromBinary = Omit<Input, 'site' | 'path'> & {
  readonly site: Omit<SiteData, 'words'>
  readonly words?: GivenWords
}

/** Where the marked texts of a page come from, by their numbers: for the editor. */
function placesMarkup(places: readonly string[]): string {
  if (places.length === 0) return ''
  return `<script type="application/json" id="words-places">${scriptJson(places)}</script>`
}

startTypesetting()
Object.assign(globalThis, { respiro: { routes, page, mail, definitions } })
