// The pages of the site that can be opened for editing, and which blocks are on them.

import type { Block } from '../api/content-api'
import { wording } from '../messages'

export type SitePage = {
  /** The page's segment in the panel's route `#/pagine/…`. */
  readonly name: string
  readonly label: string
  /** As in `Block.pages`; `/evento/{id}` and `/blog/{slug}` stand for all events and articles. */
  readonly pattern: string
  readonly group: 'main' | 'legal'
  /** Says what the editable texts surround, on a page whose main content is an event or article. */
  readonly hint?: string
  /** Name of the page's social preview picture. */
  readonly social: string
  /** Pages and screens without a card of their own, whose blocks are edited here. */
  readonly also?: readonly string[]
}

/** A block that appears on many pages and is opened by itself. */
export type SharedPart = {
  readonly label: string
  readonly text: string
  readonly block: string
}

const { pages, list } = wording

export const SHARED_PARTS: readonly SharedPart[] = [
  { ...list.shared.header, block: 'header.menu' },
  { ...list.shared.booking, block: 'booking.section' },
  { ...list.shared.footer, block: 'footer.certificate' },
  { ...list.shared.cookieBanner, block: 'cookies.banner' },
]

export const SITE_PAGES: readonly SitePage[] = [
  {
    name: 'home',
    label: pages.home,
    pattern: '/',
    group: 'main',
    social: 'home',
    also: ['/{key}'],
  },
  { name: 'chi-sono', label: pages.about, pattern: '/chi-sono', group: 'main', social: 'about' },
  {
    name: 'rebirthing',
    label: pages.rebirthing,
    pattern: '/rebirthing',
    group: 'main',
    social: 'rebirthing',
  },
  {
    name: 'servizi',
    label: pages.services,
    pattern: '/servizi',
    group: 'main',
    social: 'services',
  },
  {
    name: 'testimonianze',
    label: pages.testimonials,
    pattern: '/testimonianze',
    group: 'main',
    social: 'testimonials',
    also: [
      '/testimonianze/parole',
      '/testimonianze/foto',
      '/testimonianze/ringraziamenti',
      '/testimonianze/media',
    ],
  },
  { name: 'eventi', label: pages.events, pattern: '/eventi', group: 'main', social: 'events' },
  {
    name: 'blog',
    label: pages.blog,
    pattern: '/blog',
    group: 'main',
    social: 'blog',
    also: ['/newsletter/{key}'],
  },
  {
    name: 'contatti',
    label: pages.contact,
    pattern: '/contatti',
    group: 'main',
    social: 'contact',
  },
  {
    name: 'evento',
    label: pages.event,
    pattern: '/evento/{id}',
    group: 'main',
    hint: pages.eventHint,
    social: 'default',
  },
  {
    name: 'articolo',
    label: pages.article,
    pattern: '/blog/{slug}',
    group: 'main',
    hint: pages.articleHint,
    social: 'default',
  },
  { name: 'privacy', label: pages.privacy, pattern: '/privacy', group: 'legal', social: 'default' },
  { name: 'termini', label: pages.terms, pattern: '/terms', group: 'legal', social: 'default' },
  { name: 'cookie', label: pages.cookies, pattern: '/cookies', group: 'legal', social: 'default' },
]

const EVERYWHERE = '*'

export function pageNamed(name: string): SitePage | undefined {
  return SITE_PAGES.find((page) => page.name === name)
}

export function isOn(block: Block, page: SitePage): boolean {
  return block.pages.includes(EVERYWHERE) || hasOwn(block, page)
}

function hasOwn(block: Pick<Block, 'pages'>, { pattern, also = [] }: SitePage): boolean {
  return [pattern, ...also].some((one) => block.pages.includes(one))
}

/** Blocks of the page: its own first, then those it shares with other pages. */
export function blocksOn(blocks: readonly Block[], page: SitePage): readonly Block[] {
  const here = blocks.filter((block) => isOn(block, page))
  return [...here].sort((one, other) => Number(isShared(one)) - Number(isShared(other)))
}

export function isShared({ pages: shown }: Block): boolean {
  return shown.includes(EVERYWHERE) || shown.length > 1
}

/** The page to open for a block: its own, the first of several, or the home page. */
export function homeOf(block: Pick<Block, 'pages'>): SitePage {
  const own = SITE_PAGES.find((page) => hasOwn(block, page))
  return own ?? (SITE_PAGES[0] as SitePage)
}

/** Stands for the field in a link that opens the version history of a block. */
export const VERSIONS = '@versioni'

export function versionsHref(block: Block): string {
  return editHref(homeOf(block), `${block.id}:${VERSIONS}`)
}

/** `hit` is the search text that was found at `place`. */
export function editHref(page: SitePage, place?: string, hit?: string): string {
  const rest = [place, hit].flatMap((part) => (part === undefined ? [] : encodeURIComponent(part)))
  return `#/pagine/${[page.name, ...rest].join('/')}`
}
