// Selects and resolves the content blocks of a page for the renderer, and lists all definitions for
// the server.

import { choicePath, eventChoicePath } from '../../lib/contact-page-urls'
import type { Settings } from '../page-data'
import { type BlockId, blocks, type Words } from './blocks'
import { type BlockValues, ContentRenderer, MarkerTable, type Prices } from './resolve'
import type { BlockDefinition, Field, Fields } from './schema'

const all: readonly BlockDefinition[] = blocks
const offersId = 'servizi.offers' satisfies BlockId
const packagesId = 'pricing.packages' satisfies BlockId
/** Blocks whose texts may contain a price. */
const priced: readonly string[] = ['booking.cards'] satisfies BlockId[]
const headsOnly = 'seo.'
const contactPattern = '/contatti'
/** Contact page with a prepared message. */
const messagePattern = choicePath('{key}')
/** Contact page with any choice. */
const choicePatterns = [messagePattern, eventChoicePath('{key}')]
/** Blocks that the renderer needs for the price of a choice; the browser does not get them. */
const prices: readonly string[] = [offersId, packagesId]
const messagesId = 'contatti.messages' satisfies BlockId
const ofChoice: readonly string[] = ['contatti.choice', messagesId] satisfies BlockId[]
/** Path of the testimonial form, which previews the card of the testimonial. */
const invitedPath = '/testimonianza/{key}'
const ofInvited: readonly string[] = ['testimonianze.words'] satisfies BlockId[]

/** Blocks used in newsletter emails. The legal texts are those of every page's footer. */
const lettersId = 'newsletter.letters' satisfies BlockId
const inLetters = [lettersId, 'footer.legal'] as const satisfies readonly BlockId[]
export type LetterWords = Pick<Words, (typeof inLetters)[number]>

/** Whether a block belongs to the page at `path`, a path of the route table. */
function isOn(block: BlockDefinition, path: string): boolean {
  if (block.id === lettersId) return false
  if (path === messagePattern && prices.includes(block.id)) return true
  if (ofChoice.includes(block.id)) return choicePatterns.includes(path)
  if (path === invitedPath && ofInvited.includes(block.id)) return true
  // The contact page with a choice has the blocks of the contact page.
  const own = choicePatterns.includes(path) ? contactPattern : path
  const same = (page: string) => page.replace(/\{\w+\}/, '{key}') === own
  return block.pages.includes('*') || block.pages.some(same)
}

/**
 * Returns the pattern whose blocks the page needs in an export for a static host: the contact page
 * there serves every choice.
 */
export function patternInFiles(path: string): string {
  return path === contactPattern ? messagePattern : path
}

const known = new Map<string, readonly BlockDefinition[]>()

/** Cached, because every render of a page needs it. */
function blocksOn(path: string): readonly BlockDefinition[] {
  const found = known.get(path) ?? all.filter((block) => isOn(block, path))
  known.set(path, found)
  return found
}

/** Returns the ids of the blocks that the page shows or needs for rendering. */
export function idsOn(path: string): readonly string[] {
  const ids = blocksOn(path).map(({ id }) => id)
  return ids.some((id) => priced.includes(id)) ? [...ids, offersId] : ids
}

type Shown = { readonly words: Words; readonly places: readonly string[] }

/** Resolves the content of the page at `path`, a path of the route table. */
export function shownWords(
  path: string,
  given: BlockValues | undefined,
  settings: Settings,
): Shown {
  const kept = (block: BlockDefinition) => {
    const own = given?.blocks[block.id]
    return own === undefined ? block.value : own
  }
  const places = new MarkerTable()
  const mark = given?.marked ? places.mark : undefined
  const offers = all.filter(
    ({ id }) => id === offersId || (path === messagePattern && prices.includes(id)),
  )
  const priceList = pricesIn(offers.map(kept))
  const shower = new ContentRenderer(settings, priceList, mark)
  const words: Record<string, object | null> = {}
  for (const block of blocksOn(path)) {
    const value = kept(block)
    // Metadata and prefilled messages cannot hold source markers.
    const isUnseen = block.id.startsWith(headsOnly) || block.id === messagesId
    const own = isUnseen ? new ContentRenderer(settings, priceList) : shower
    words[block.id] = value === null ? null : own.block(block, value)
  }
  return { words: words as Words, places: places.paths }
}

/** Resolves the content around a newsletter email. */
export function letterWords(given: BlockValues | undefined, settings: Settings): LetterWords {
  const shower = new ContentRenderer(settings, new Map())
  const shown = all
    .filter(({ id }) => inLetters.some((one) => one === id))
    .map((block) => [block.id, shower.block(block, given?.blocks[block.id] ?? block.value)])
  return Object.fromEntries(shown) as LetterWords
}

/** Returns the price of each offer by its id. */
function pricesIn(values: readonly (object | null)[]): Prices {
  const lists = values.flatMap((value) => Object.values(value ?? {}))
  const entries = lists.flatMap((list) => (Array.isArray(list) ? list : []))
  return new Map(entries.map(({ id, price }) => [id, price]))
}

/** Leaves out the blocks that the browser does not need: the head already contains theirs. */
export function forBrowsers(path: string, words: Words): object {
  const isKept = (id: string) =>
    !id.startsWith(headsOnly) &&
    id !== messagesId &&
    !(path === messagePattern && prices.includes(id))
  return Object.fromEntries(Object.entries(words).filter(([id]) => isKept(id)))
}

/** Returns all definitions as JSON for the server. */
export function definitions(): string {
  return JSON.stringify(
    all.map(({ id, label, pages, fields, value, hideable, toConfirm, quotes }) => ({
      id,
      label,
      pages,
      fields: fieldsOf(fields),
      default: whole(fields, value as Values),
      hideable,
      toConfirm,
      quotes,
    })),
  )
}

function fieldsOf(fields: Fields): readonly object[] {
  return Object.entries(fields).map(([name, field]) => ({
    name,
    ...field,
    ...(field.type === 'list' && { fields: fieldsOf(field.fields) }),
  }))
}

type Values = Readonly<Record<string, unknown>>

/** Adds null for each optional field without a value. */
function whole(fields: Fields, values: Values): Values {
  const named = Object.entries(fields).map(([name, field]) => [name, wholeOf(field, values[name])])
  return { ...values, ...Object.fromEntries(named) }
}

function wholeOf(field: Field, value: unknown): unknown {
  if (field.type !== 'list') return value ?? null
  return (value as readonly Values[]).map((entry) => whole(field.fields, entry))
}
