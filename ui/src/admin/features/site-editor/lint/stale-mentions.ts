// Finds sentences that still contain the price, duration or name that a draft or an item changes.

import { readPrice } from '../../../../lib/amount'
import {
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  textOf as textIn,
  type Values,
} from '../../../api/schema'
import type { Block, FieldValue, ObjectValue } from '../api/content-api'
import { flatten } from '../model/field-path'
import {
  type Entry,
  entriesOf,
  entryIn,
  OFFERS,
  PACKAGES,
  type PriceContext,
  priceContext,
  TEXTS,
} from '../model/price-context'
import {
  amountsIn,
  amountText,
  type ChipContext,
  type Part,
  partsOfText,
  shownPart,
  textOf,
  type Written,
} from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'
import { stemsOf } from './package-counts'

export type ChangeKind = 'price' | 'duration' | 'name'

/** A value that the draft of a service or package changes, or that an item changes. */
export type ValueChange = {
  readonly kind: ChangeKind
  readonly entry: string
  /** Former and new name of the entry. */
  readonly titles: readonly string[]
  readonly was: string
  readonly is: string
}

/** The field that a text stands in: of a content block, or of an item. */
export type TextSource =
  | { readonly block: Block; readonly path: string }
  | { readonly item: Item; readonly kind: Kind; readonly field: string }

export type StaleMention = {
  readonly source: TextSource
  /** Identifies the field: `servizi.offers:offers[0].text`, `events/ID:description`. */
  readonly place: string
  readonly kind: ChangeKind
  readonly word: FieldValue
  /** Index of the part of the text, and the range in it. */
  readonly part: number
  readonly from: number
  readonly to: number
  readonly was: string
  readonly is: string
  /** Replaces the range; null if it is not certain which value is meant. */
  readonly fix: string | null
}

type DraftIn = (block: Block) => ObjectValue

/** An item with its kind. */
export type KindItem = { readonly kind: Kind; readonly item: Item }

/** What is compared with the texts: the changes, and the values that are right now. */
export type ChangeSet = { readonly changes: readonly ValueChange[]; readonly current: Current }

/** Returns the mentions of all values that the drafts change, in the order of the blocks. */
export function findStaleMentions(
  blocks: readonly Block[],
  draftIn: DraftIn,
): readonly StaleMention[] {
  return mentionsInBlocks(blocks, draftIn, draftChanges(blocks, draftIn))
}

export function mentionsInBlocks(
  blocks: readonly Block[],
  draftIn: DraftIn,
  { changes, current }: ChangeSet,
): readonly StaleMention[] {
  if (changes.length === 0) return []
  return blocks.flatMap((block) => mentionsIn(block, draftIn(block), changes, current))
}

/** Returns the values that the drafts of services and packages change. */
export function draftChanges(blocks: readonly Block[], draftIn: DraftIn): ChangeSet {
  const offers = blocks.find(({ id }) => id === OFFERS)
  const packages = blocks.find(({ id }) => id === PACKAGES)
  if (offers === undefined || packages === undefined) {
    return { changes: [], current: { amounts: new Set(), titles: new Set() } }
  }
  const before = [...entriesOf(offers.value.offers), ...entriesOf(packages.value.packages)]
  const after = [...entriesOf(draftIn(offers).offers), ...entriesOf(draftIn(packages).packages)]
  const now = priceContext(draftIn(offers), draftIn(packages))
  const changes = [
    ...priceChanges(priceContext(offers.value, packages.value), now),
    ...before.flatMap((entry) => {
      const next = after.find(({ id }) => id === entry.id)
      return next === undefined ? [] : wordChanges(entry, next)
    }),
  ]
  const current = {
    amounts: new Set(now.flatMap(({ of, amount }) => (of === 'price' ? [amount] : []))),
    titles: new Set(after.map((entry) => titleIn(entry).toLowerCase())),
  }
  return { changes, current }
}

/** Returns the values that the form of an item changes. */
export function itemChanges(
  kind: Kind,
  id: string,
  before: Values,
  after: Values,
): readonly ValueChange[] {
  const entry = (values: Values): Entry => ({ ...textValues(kind, values), id })
  const [old, fresh] = [entry(before), entry(after)]
  const titles = [titleIn(old), titleIn(fresh)]
  const prices = priceFields(kind).flatMap((field): readonly ValueChange[] => {
    const [was, is] = [before, after].map((values) => priceText(values[field]))
    if (was === undefined || is === undefined || was === is) return []
    return [{ kind: 'price', entry: id, titles, was, is }]
  })
  return [...prices, ...wordChanges(old, fresh)]
}

/** Adds the values of items to those that are right now. */
export function withItems({ amounts, titles }: Current, items: readonly KindItem[]): Current {
  const prices = items.flatMap(({ kind, item }) =>
    priceFields(kind).flatMap((field) => priceText(textIn(item, field)) ?? []),
  )
  const names = items.map(({ item }) => textIn(item, 'title').trim().toLowerCase())
  return {
    amounts: new Set([...amounts, ...prices]),
    titles: new Set([...titles, ...names]),
  }
}

function priceFields(kind: Kind): readonly string[] {
  const fields = Object.entries(kindSpecs[kind].fields)
  return fields.flatMap(([name, { type }]) => (type === 'price' ? [name] : []))
}

/** The amount of a price as texts write it; undefined for a price in words. */
function priceText(price: unknown): string | undefined {
  const read = typeof price === 'string' ? readPrice(price) : null
  return read === null || read.cents === null
    ? undefined
    : amountText({ ...read, cents: read.cents })
}

/** Values of the fields that hold prose. */
function textValues(kind: Kind, values: Values): Readonly<Record<string, string>> {
  const fields = Object.entries(kindSpecs[kind].fields)
  const texts = fields.flatMap(([name, { type }]) => {
    const value = values[name]
    const isProse = type === 'line' || type === 'lines' || type === 'markdown'
    return isProse && typeof value === 'string' ? [[name, value] as const] : []
  })
  return Object.fromEntries(texts)
}

/** Returns the mentions in the texts of items. */
export function mentionsInItems(
  items: readonly KindItem[],
  { changes, current }: ChangeSet,
): readonly StaleMention[] {
  return items.flatMap(({ kind, item }) =>
    Object.entries(textValues(kind, formValues(kind, item))).flatMap(([field, text]) => {
      const found = [
        ...amountMatches(text, item.id, changes, current),
        ...wordMatches(text, item.id, changes, current),
      ]
      const place = `${kind}/${item.id}:${field}`
      const source = { item, kind, field }
      return found.map((match) => ({ source, place, word: text, part: 0, ...match }))
    }),
  )
}

/** Words to search for items that may mention a former value. */
export function searchWords({ kind, was }: ValueChange): string {
  // `1.200 €` may be written `1200`: the last group of digits is in both.
  return kind === 'price' ? (/\d+(?=\D*$)/.exec(was.replace(/,\d\d(?=\D*$)/, ''))?.[0] ?? was) : was
}

/** Savings and totals that follow from a price are left to the warnings beside the page: their texts vary too much. */
function priceChanges(before: PriceContext, now: PriceContext): readonly ValueChange[] {
  return before.flatMap((sum): readonly ValueChange[] => {
    const next = now.find(({ entry, of }) => entry === sum.entry && of === 'price')
    if (sum.of !== 'price' || next === undefined || next.amount === sum.amount) return []
    const { entry, amount: was } = sum
    return [{ kind: 'price', entry, titles: [sum.title, next.title], was, is: next.amount }]
  })
}

function wordChanges(before: Entry, after: Entry): readonly ValueChange[] {
  const titles = [titleIn(before), titleIn(after)]
  const [was = '', is = ''] = titles
  const own = { entry: before.id, titles }
  const changes: ValueChange[] = []
  if (was.length >= NAME_MIN && is !== '' && was !== is)
    changes.push({ ...own, kind: 'name', was, is })
  const [old, fresh] = [durationsOf(before), durationsOf(after)]
  const [gone, ...othersGone] = old.filter((one) => !fresh.includes(one))
  const [come, ...othersCome] = fresh.filter((one) => !old.includes(one))
  if (gone && come && othersGone.length + othersCome.length === 0) {
    changes.push({ ...own, kind: 'duration', was: gone, is: come })
  }
  return changes
}

/** A shorter name would be found in other words' company too often. */
const NAME_MIN = 4
const DURATION =
  /(?<![\p{L}\d.,])\d{1,3}\s(?:minut[oi]|or[ae]|giorn[oi]|settiman[ae]|mes[ei])(?!\p{L})/giu

/** The durations in the texts of an entry, each once. */
function durationsOf(entry: Entry): readonly string[] {
  const texts = JSON.stringify(entry).match(DURATION) ?? []
  return [...new Set(texts.map((text) => text.replace(/\s/g, ' ').toLowerCase()))]
}

function titleIn({ title }: Entry): string {
  return typeof title === 'string' ? title.trim() : ''
}

export type Current = {
  readonly amounts: ReadonlySet<string>
  readonly titles: ReadonlySet<string>
}

function mentionsIn(
  block: Block,
  value: ObjectValue,
  changes: readonly ValueChange[],
  current: Current,
): readonly StaleMention[] {
  return flatten(block.fields, value).flatMap(({ path, field, word }) => {
    if (!TEXTS.includes(field.type)) return []
    const entry = isOwnBlock(block) ? entryIn(value, path) : undefined
    return (partsOfText(word) ?? []).flatMap((text, part) => {
      if (typeof text !== 'string') return []
      const found = [
        ...amountMatches(text, entry, changes, current),
        ...wordMatches(text, entry, changes, current),
      ]
      const source = { block, path }
      return found.map((match) => ({
        source,
        place: `${block.id}:${path}`,
        word,
        part,
        ...match,
      }))
    })
  })
}

function isOwnBlock({ id }: Block): boolean {
  return id === OFFERS || id === PACKAGES
}

type Match = Pick<StaleMention, 'kind' | 'from' | 'to' | 'was' | 'is' | 'fix'>

function amountMatches(
  text: string,
  entry: string | undefined,
  changes: readonly ValueChange[],
  { amounts }: Current,
): readonly Match[] {
  return amountsIn(text).flatMap((written): readonly Match[] => {
    const was = amountText(written)
    const all = changes.filter((change) => change.kind === 'price' && change.was === was)
    const sentence = sentenceAt(text, written.index)
    const own = all.filter((change) => change.entry === entry)
    const named = all.filter((change) => isNamed(change, sentence))
    // Another service may have this price now.
    const ways = amounts.has(was) ? [own, named] : [own, named, all]
    const likely = ways.find((way) => way.length > 0) ?? []
    const [first] = likely
    if (first === undefined) return []
    const isCertain = likely.every(({ is }) => is === first.is)
    const fix = isCertain ? amountLike(written, first.is) : null
    const from = written.index
    return [{ kind: 'price', from, to: from + written.written.length, was, is: first.is, fix }]
  })
}

/** Writes the amount as the former one was written: `95 euro` becomes `100 euro`. Null for a price of zero. */
function amountLike({ written, currency }: Written, is: string): string | null {
  const [amount] = amountsIn(is)
  if (amount === undefined || amount.cents === 0) return null
  const [number = ''] = amountText(amount).split('\u00a0')
  if (amount.currency !== currency || /[.,][-–]/.test(written)) return amountText(amount)
  return written.replace(/\d[\d.,'’\s]*\d|\d/, number)
}

function wordMatches(
  text: string,
  entry: string | undefined,
  changes: readonly ValueChange[],
  { titles }: Current,
): readonly Match[] {
  return changes.flatMap((change): readonly Match[] => {
    const { kind, was, is } = change
    if (kind === 'price' || (kind === 'name' && titles.has(was.toLowerCase()))) return []
    const pattern = was.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/\s+/g, '\\s+')
    const whole = new RegExp(`(?<![\\p{L}\\d])${pattern}(?![\\p{L}\\d])`, 'giu')
    return [...text.matchAll(whole)].flatMap(({ 0: found, index }) => {
      // A duration belongs to many services: only the sentence says to which.
      const isMeant =
        kind === 'name' || change.entry === entry || isNamed(change, sentenceAt(text, index))
      const fix = /^\p{Ll}/u.test(found) ? is.charAt(0).toLowerCase() + is.slice(1) : is
      return isMeant ? [{ kind, from: index, to: index + found.length, was, is, fix }] : []
    })
  })
}

/** Whether the sentence has the long words of the entry's name, in singular or plural. */
function isNamed({ titles }: ValueChange, sentence: string): boolean {
  const stems = stemsOf(sentence)
  return titles.some((title) => {
    const own = stemsOf(title)
    return own.length > 0 && own.every((stem) => stems.includes(stem))
  })
}

const SENTENCE_ENDS = /[.!?…]+(?=\s|$)|\n+/g

function sentenceRange(text: string, index: number): readonly [number, number] {
  let start = 0
  for (const { 0: end, index: at } of text.matchAll(SENTENCE_ENDS)) {
    if (at >= index) return [start, at + end.length]
    start = at + end.length
  }
  return [start, text.length]
}

function sentenceAt(text: string, index: number): string {
  return text.slice(...sentenceRange(text, index))
}

/** A sentence with its first stale value. */
export type StaleSentence = {
  readonly mention: StaleMention
  readonly before: string
  readonly stale: string
  readonly after: string
}

/** Returns the sentences as visitors read them, each once. */
export function sentencesOf(
  mentions: readonly StaleMention[],
  known: ChipContext,
): readonly StaleSentence[] {
  const seen = new Set<string>()
  return mentions.flatMap((mention): readonly StaleSentence[] => {
    const shown = (partsOfText(mention.word) ?? []).map((part) => shownPart(part, known))
    const offset = shown.slice(0, mention.part).join('').length
    const text = shown.join('')
    const [from, to] = [offset + mention.from, offset + mention.to]
    const [start, end] = sentenceRange(text, from)
    const key = `${mention.place}@${start}`
    if (seen.has(key)) return []
    seen.add(key)
    return [
      {
        mention,
        before: stripMarkdown(text.slice(start, from)).trimStart(),
        stale: text.slice(from, to),
        after: stripMarkdown(text.slice(to, end)).trimEnd(),
      },
    ]
  })
}

/** The corrected text of each field that can be corrected. */
export function correctionsOf(
  mentions: readonly StaleMention[],
): readonly { readonly source: TextSource; readonly word: FieldValue }[] {
  const isFirst = ({ place }: StaleMention, index: number) =>
    mentions.findIndex((other) => other.place === place) === index
  return mentions.filter(isFirst).flatMap(({ source, place, word }) => {
    const all = mentions.filter((one) => one.place === place)
    if (all.every(({ fix }) => fix === null)) return []
    const parts = (partsOfText(word) ?? []).map((part, index): Part => {
      if (typeof part !== 'string') return part
      const own = all.filter((mention) => mention.part === index && mention.fix !== null)
      // From the end, so that the earlier ranges stay valid.
      return own
        .sort((one, other) => other.from - one.from)
        .reduce((text, { from, to, fix }) => text.slice(0, from) + fix + text.slice(to), part)
    })
    return [{ source, word: textOf(parts) }]
  })
}

/** What a dismissal stores by field: it is valid until one of the values changes again. */
export function dismissalsOf(mentions: readonly StaleMention[]): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const { place, was, is } of mentions) {
    const own = `${was} → ${is}`
    const before = values.get(place)
    if (before?.split('\n').includes(own) !== true) {
      values.set(place, before === undefined ? own : `${before}\n${own}`)
    }
  }
  return values
}

/** The mentions whose field was not dismissed with these values. */
export function withoutDismissed(
  mentions: readonly StaleMention[],
  dismissed: Readonly<Record<string, string>>,
): readonly StaleMention[] {
  const values = dismissalsOf(mentions)
  return mentions.filter(({ place }) => dismissed[place] !== values.get(place))
}
