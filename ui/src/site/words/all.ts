// The blocks of a page for those who make pages, and the list of all for the binary.

import type { Settings } from '../data'
import { type BlockId, blocks, type Words } from '.'
import type { BlockDefinition, Field, Fields } from './fields'
import { type GivenWords, Places, Shower } from './show'

const all: readonly BlockDefinition[] = blocks
const offersId = 'servizi.offers' satisfies BlockId
/** Their texts may name a price. */
const priced: readonly string[] = ['booking.cards'] satisfies BlockId[]
const headsOnly = 'seo.'
/** Told to those who make a page of what was chosen, and to nobody else. */
const choicePath = '/contatti/per/{key}'
const ofChoice: readonly string[] = ['servizi.offers', 'pricing.packages'] satisfies BlockId[]

/** The page of every one of a kind, as the table of routes writes it. */
function isOn(block: BlockDefinition, path: string): boolean {
  if (path === choicePath && ofChoice.includes(block.id)) return true
  // The contact page with a choice says what the contact page says.
  const own = path.replace(/^\/contatti\/.*/, '/contatti')
  const same = (page: string) => page.replace(/\{\w+\}/, '{key}') === own
  return block.pages.includes('*') || block.pages.some(same)
}

/** What a page shows or needs to show it. */
export function idsOn(path: string): readonly string[] {
  const ids = all.filter((block) => isOn(block, path)).map(({ id }) => id)
  return ids.some((id) => priced.includes(id)) ? [...ids, offersId] : ids
}

type Shown = { readonly words: Words; readonly places: readonly string[] }

/** The words of the page at a path of the table of routes. */
export function shownWords(path: string, given: GivenWords | undefined, settings: Settings): Shown {
  const kept = (block: BlockDefinition) => {
    const own = given?.blocks[block.id]
    return own === undefined ? block.value : own
  }
  const offers = all.find(({ id }) => id === offersId)
  const places = new Places()
  const mark = given?.marked ? places.mark : undefined
  const shower = new Shower(settings, (offers ? kept(offers) : null) as never, mark)
  const words: Record<string, object | null> = {}
  for (const block of all.filter((block) => isOn(block, path))) {
    const value = kept(block)
    // The head has no room for marks.
    const own = block.id.startsWith(headsOnly) ? new Shower(settings, { offers: [] }) : shower
    words[block.id] = value === null ? null : own.block(block, value)
  }
  return { words: words as Words, places: places.paths }
}

/** What the head says stands in it already. */
export function forBrowsers(path: string, words: Words): object {
  const isKept = (id: string) =>
    !id.startsWith(headsOnly) && !(path === choicePath && ofChoice.includes(id))
  return Object.fromEntries(Object.entries(words).filter(([id]) => isKept(id)))
}

/** Every definition as the binary reads it. */
export function definitions(): string {
  return JSON.stringify(
    all.map(({ id, label, pages, fields, value, hideable }) => ({
      id,
      label,
      pages,
      fields: fieldsOf(fields),
      default: whole(fields, value as Values),
      hideable,
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

/** With a null for what nobody has filled in. */
function whole(fields: Fields, values: Values): Values {
  const named = Object.entries(fields).map(([name, field]) => [name, wholeOf(field, values[name])])
  return { ...values, ...Object.fromEntries(named) }
}

function wholeOf(field: Field, value: unknown): unknown {
  if (field.type !== 'list') return value ?? null
  return (value as readonly Values[]).map((entry) => whole(field.fields, entry))
}
