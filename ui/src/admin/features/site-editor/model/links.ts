// The addresses that words may lead to, told apart by how they begin.
import { choicePath } from '../../../../lib/choice-paths'
import type { Block, Field, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { SITE_PAGES } from './editable-pages'
import { entryTitle, flatten, isList, isObjectValue } from './field-path'

type LinkingBlock = Pick<Block, 'id' | 'fields' | 'value' | 'hidden'>

export type LinkKind = 'page' | 'event' | 'article' | 'web' | 'phone' | 'email' | 'messaging'

export const LINK_KINDS: readonly LinkKind[] = [
  'page',
  'event',
  'article',
  'web',
  'phone',
  'email',
  'messaging',
]

const BEGINNINGS: readonly (readonly [LinkKind, string])[] = [
  ['messaging', 'https://wa.me/'],
  ['phone', 'tel:'],
  ['email', 'mailto:'],
  ['web', 'https://'],
  ['web', 'http://'],
  ['event', '/evento/'],
  ['article', '/blog/'],
  ['page', '/'],
  ['page', '#'],
]

/** Null for an address that cannot be used. */
export function kindOfLink(word: FieldValue): LinkKind | null {
  if (typeof word !== 'string') return null
  if (word === '') return 'page'
  const lower = word.toLowerCase()
  if (lower.startsWith('//')) return null
  const known = BEGINNINGS.find(([, beginning]) => lower.startsWith(beginning))
  if (known !== undefined) return known[0]
  // Without a beginning it is one that will be completed; with another it is refused.
  return /^[a-z][a-z0-9+.-]*:/i.test(word) ? null : 'web'
}

/** Typed without its country: with a sign before it, it would be somebody else's abroad. */
const IS_NATIONAL = /^(3\d{8,9}|0\d*)$/

/** What is typed of an address of this kind. */
export function restOf(href: string): string {
  const kind = kindOfLink(href)
  if (kind === 'phone' || kind === 'email') return href.slice(href.indexOf(':') + 1)
  if (kind === 'messaging') {
    const digits = href.slice('https://wa.me/'.length)
    return IS_NATIONAL.test(digits) ? digits : `+${digits}`
  }
  return href
}

export function linkOf(kind: LinkKind, text: string): string {
  switch (kind) {
    case 'page':
      return text === '' ? '/' : text
    case 'event':
    case 'article':
      // Until one is chosen it leads nowhere, and cannot be published.
      return text
    case 'web':
      return text === '' ? 'https://' : text.trim()
    case 'phone':
      return `tel:${text.replace(/[^\d+]/g, '')}`
    case 'email':
      return `mailto:${text.trim()}`
    case 'messaging':
      return `https://wa.me/${text.replace(/\D/g, '')}`
  }
}

/** What 'Prova il link' opens; null where nothing safe can be. */
export function targetOf(href: string): string | null {
  const kind = kindOfLink(href)
  const isWhole = href.length > 'https://'.length || href.startsWith('/') || href.startsWith('#')
  return kind === null || !isWhole ? null : href
}

/** Whether an address of one part is none of the site's pages; those of deeper ones are not known here. */
export function isBroken(href: string): boolean {
  const [path = ''] = href.toLowerCase().split(/[?#]/)
  const page = path.replace(/\/$/, '')
  // What has a dot is a file.
  return /^\/[^/.]+$/.test(page) && !SITE_PAGES.some(({ pattern }) => pattern === page)
}

/** What stands behind '#' in an address of the site, and the block that holds it. */
const PARTS: Readonly<Record<string, string>> = {
  aziende: 'flip-cards.business',
  sport: 'flip-cards.sport',
  faq: 'contatti.faq',
  timeline: 'chi-sono.timeline',
  booking: 'booking.section',
  benefits: 'benefits.section',
  physical: 'benefits.physical',
  mental: 'benefits.mental',
}

/** The block of the part of a page that an address leads to. */
export function blockBehind(word: FieldValue): string | undefined {
  if (typeof word !== 'string' || kindOfLink(word) !== 'page') return undefined
  return PARTS[word.split('#')[1]?.toLowerCase() ?? '']
}

/** Whether an address leads to a part of a page that visitors do not see. */
export function leadsToHidden(href: string, isHidden: (block: string) => boolean): boolean {
  const block = blockBehind(href)
  return block !== undefined && isHidden(block)
}

/** The places whose links lead to a part of a page. */
export function leadersTo(id: string, blocks: readonly LinkingBlock[]): readonly string[] {
  return blocks.flatMap((block) =>
    block.hidden
      ? []
      : flatten(block.fields, block.value).flatMap(({ path, word }) =>
          blockBehind(word) === id ? [`${block.id}:${path}`] : [],
        ),
  )
}

/** The list of messages that are ready for who presses a button. */
export const MESSAGES = { block: 'contatti.messages', list: 'asks' } as const

type Message = {
  readonly title: string
  /** Null for one that is not published yet: it is given its address then. */
  readonly path: string | null
}

const NAMED: readonly Field[] = [{ name: 'title', label: '', type: 'line' }]

export function messagesIn(entries: FieldValue | undefined): readonly Message[] {
  return (isList(entries) ? entries : []).map((entry) => {
    const id = isObjectValue(entry) && typeof entry.id === 'string' ? entry.id : null
    const title = entryTitle(entry, NAMED, wording.entries.new)
    return { title, path: id === null ? null : choicePath(id) }
  })
}

/** Whether an address is that of a message which is there no more. */
export function isGone(href: string, messages: readonly Message[]): boolean {
  const [path] = href.split(/[?#]/)
  return (path ?? '').startsWith(choicePath('')) && !messages.some((one) => one.path === path)
}
