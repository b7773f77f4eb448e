// Addresses that links lead to; their prefix decides the kind.

import { choicePath, currentChoicePath } from '../../../../lib/contact-page-urls'
import { visibleText } from '../../../../lib/invisible-characters'
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

/** The kind of an address; null for one that cannot be used. */
export function kindOfLink(word: FieldValue): LinkKind | null {
  if (typeof word !== 'string') return null
  if (word === '') return 'page'
  const lower = word.toLowerCase()
  if (lower.startsWith('//')) return null
  const known = BEGINNINGS.find(([, beginning]) => lower.startsWith(beginning))
  if (known !== undefined) return known[0]
  // An address without a scheme will be completed; an unknown scheme is refused.
  return /^[a-z][a-z0-9+.-]*:/i.test(word) ? null : 'web'
}

/** A number without country code: a leading `+` would make it a foreign number. */
const IS_NATIONAL = /^(3\d{8,9}|0\d*)$/

/** The part of an address that the admin edits: without the prefix for phone, email and messaging. */
export function restOf(href: string): string {
  const kind = kindOfLink(href)
  if (kind === 'email') return href.slice(href.indexOf(':') + 1)
  if (kind === 'phone') return href.slice(href.indexOf(':') + 1).replaceAll('-', ' ')
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
      // Empty until the admin chooses an event or article; an empty link cannot be published.
      return text
    case 'web':
      return text === '' ? 'https://' : visibleText(text).trim()
    case 'phone':
      // Groups stay: `02 1234 5678` is Italian, while `0212345678` may be Swiss.
      return `tel:${groupsOf(text)}`
    case 'email':
      return `mailto:${visibleText(text).trim()}`
    case 'messaging':
      return `https://wa.me/${text.replace(/\D/g, '')}`
  }
}

/** Digits with a hyphen between groups, because a `tel:` address holds no blank; without them after a country code. */
function groupsOf(text: string): string {
  const seen = visibleText(text)
  if (/^\s*(?:\+|00)/.test(seen)) return seen.replace(/[^\d+]/g, '')
  return seen.replace(/[^\d+()]+/g, '-').replace(/^-/, '')
}

/** What 'Prova il link' opens; null when there is no safe target. */
export function targetOf(href: string): string | null {
  const kind = kindOfLink(href)
  const isWhole = href.length > 'https://'.length || href.startsWith('/') || href.startsWith('#')
  return kind === null || !isWhole ? null : href
}

/** Whether a path of one segment is no page of the site. Deeper paths are not known here. */
export function isBroken(href: string): boolean {
  const [path = ''] = href.toLowerCase().split(/[?#]/)
  const page = path.replace(/\/$/, '')
  // A path with a dot is a file.
  return /^\/[^/.]+$/.test(page) && !SITE_PAGES.some(({ pattern }) => pattern === page)
}

/** Fragments of the site's addresses, and the block that each one leads to. */
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

/** The block whose section the fragment of an address leads to. */
export function blockBehind(word: FieldValue): string | undefined {
  if (typeof word !== 'string' || kindOfLink(word) !== 'page') return undefined
  return PARTS[word.split('#')[1]?.toLowerCase() ?? '']
}

/** Whether an address leads to a section that is hidden from visitors. */
export function linksToHidden(href: string, isHidden: (block: string) => boolean): boolean {
  const block = blockBehind(href)
  return block !== undefined && isHidden(block)
}

/** The fields, as `block:path`, whose links lead to the section of block `id`. */
export function blocksLinkingTo(id: string, blocks: readonly LinkingBlock[]): readonly string[] {
  return blocks.flatMap((block) =>
    block.hidden
      ? []
      : flatten(block.fields, block.value).flatMap(({ path, word }) =>
          blockBehind(word) === id ? [`${block.id}:${path}`] : [],
        ),
  )
}

/** The list of prepared contact messages that buttons link to. */
export const MESSAGES = { block: 'contatti.messages', list: 'asks' } as const

type Message = {
  readonly title: string
  /** Null for a new message: publishing gives it its address. */
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

/** Whether an address leads to a prepared message that no longer exists. */
export function isGone(href: string, messages: readonly Message[]): boolean {
  const [path = ''] = currentChoicePath(href).split(/[&#]/)
  return path.startsWith(choicePath('')) && !messages.some((one) => one.path === path)
}
