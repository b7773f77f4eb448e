// Readable text of each field of a block, to compare two versions of it.

import { counted } from '../../../../lib/plural'
import type { Block, FieldType, ImageValue, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { idOf } from '../model/draft-diff'
import { entryTitle, flatten, getIn, isList } from '../model/field-path'
import { formatValue, pictureIn } from '../model/format-value'
import type { ChipContext } from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'
import { type Piece, pieces } from './text-diff'

const { versions: own } = wording

export type Texts = ReadonlyMap<string, Shown>

export type Shown = {
  readonly label: string
  readonly text: string
  readonly type?: FieldType
  /** For picture fields only; null where the site draws an illustration. */
  readonly picture?: ImageValue | null
  /** For the order of a list: the ids of its entries, so that a new title is no new order. */
  readonly order?: string
}

export function differs(one: Shown | undefined, other: Shown | undefined): boolean {
  if (one?.order !== undefined || other?.order !== undefined) return one?.order !== other?.order
  return one?.text !== other?.text || one?.picture?.path !== other?.picture?.path
}

export function otherPlaces(now: Texts, then: Texts): readonly string[] {
  const places = [...new Set([...now.keys(), ...then.keys()])]
  return places.filter((place) => differs(now.get(place), then.get(place)))
}

/** Summarizes what a version changed in the one before it. */
export function summaryOf(now: Texts, before: Texts): string {
  const kinds = new Set<string>()
  let words = 0
  for (const place of otherPlaces(now, before)) {
    const [is, was] = [now.get(place), before.get(place)]
    const { type, order } = is ?? was ?? {}
    if (place === '*') kinds.add(is?.text ?? '')
    else if (order !== undefined) kinds.add(own.summary.order)
    else if (type === 'picture') kinds.add(own.summary.picture)
    else if (type === 'amount') kinds.add(own.summary.price)
    else words += wordsApart(was?.text ?? '', is?.text ?? '')
  }
  const { word, words: many } = own.summary
  const count = words === 0 ? [] : [counted(words, word, many)]
  return [...count, ...kinds].join(', ')
}

/** Number of added words or, if there are none, of removed words; at least 1. */
function wordsApart(was: string, is: string): number {
  const all = pieces(was, is)
  const count = (kind: Piece['kind']) =>
    all
      .filter((piece) => piece.kind === kind)
      .flatMap(({ text }) => text.match(/[\p{L}\p{N}]+/gu) ?? []).length
  return Math.max(1, count('added') || count('removed'))
}

/** Texts without Markdown, unless they differ in nothing else. */
export function readable(...both: readonly (Shown | undefined)[]): readonly string[] {
  const texts = both.map((one) => one?.text ?? '')
  const bare = texts.map(stripMarkdown)
  return both.some((one) => one?.type === 'richText') && bare[0] !== bare[1] ? bare : texts
}

/** Texts by path with entry ids, so that a moved entry is compared with itself. */
export function textsOf(
  block: Block,
  value: ObjectValue,
  isHidden: boolean,
  known: ChipContext,
): Texts {
  const texts = new Map<string, Shown>()
  if (block.hideable) {
    const { hidden: away, shown } = own.summary
    texts.set('*', { label: own.now, text: isHidden ? away : shown })
  }
  for (const { path, field, word } of flatten(block.fields, value)) {
    texts.set(byIds(path, value), {
      label: field.label,
      text: formatValue(word, known, field),
      type: field.type,
      ...(field.type === 'picture' ? { picture: pictureIn(word) } : {}),
    })
  }
  for (const field of block.fields.filter(({ type }) => type === 'list')) {
    const entries = value[field.name]
    const titles = isList(entries)
      ? entries.map((entry) => entryTitle(entry, field.fields ?? [], '…'))
      : []
    const label = `${field.label}: ${own.summary.order}`
    const order = isList(entries) ? entries.map(idOf).join() : ''
    texts.set(`${field.name}*`, { label, text: titles.join(', '), order })
  }
  return texts
}

/** The path with the ids of entries instead of their indices. */
export function byIds(path: string, value: ObjectValue): string {
  return path.replace(/\[\d+\]/g, (index, offset: number) => {
    const entry = getIn(value, path.slice(0, offset) + index)
    return `[${(entry === undefined ? null : idOf(entry)) ?? index}]`
  })
}
