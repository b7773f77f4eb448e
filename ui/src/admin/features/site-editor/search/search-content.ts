// Full-text search over all content: ignores case and accents, finds prices in any notation and phone numbers by
// their digits.

import { typedAmount } from '../../../../lib/amount'
import { UNSEEN } from '../../../../lib/invisible-characters'
import type { Block } from '../api/content-api'
import { homeOf, type SitePage } from '../model/editable-pages'
import { flatten } from '../model/field-path'
import {
  amountsIn,
  amountText,
  type ChipContext,
  shownText,
  type Written,
} from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'

export type SearchHit = {
  readonly page: SitePage
  readonly block: Block
  /** `servizi.offers:offers[2].price` */
  readonly place: string
  readonly label: string
  readonly text: string
}

export const LETTERS_MIN = 2
const DIGITS_MIN = 4

/** Folds case, accents, invisible characters, apostrophes and runs of whitespace. */
export function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(UNSEEN, '')
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** Whether the text contains the query as text, amount or digits. */
export function matches(text: string, query: string): boolean {
  const wanted = foldText(query.trim())
  if (wanted.length < LETTERS_MIN) return false
  if (foldText(text).includes(wanted) || amountIn(text, query) !== undefined) return true
  return numberIn(text, query) !== null
}

/** Range of a number that contains the digits of the query, grouped or not. */
function numberIn(text: string, query: string): Stretch | null {
  const wanted = query.replace(/\D/g, '')
  if (wanted.length < DIGITS_MIN || !/^[\d\s()+./-]+$/.test(query)) return null
  // The digits must belong to one number, not to two adjacent ones.
  for (const { 0: run, index } of text.matchAll(/[\d\s()+./-]+/g)) {
    const digits = [...run.matchAll(/\d/g)]
    const found = digits.map(([digit]) => digit).join('')
    const at = found.indexOf(wanted)
    const [first, last] = [digits[at], digits[at + wanted.length - 1]]
    if (first !== undefined && last !== undefined) {
      return { from: index + first.index, to: index + last.index + 1 }
    }
  }
  return null
}

/** The amount that equals the query; undefined when there is none or the query is not an amount. */
function amountIn(text: string, query: string): Written | undefined {
  const wanted = typedAmount(query)
  // A bare number may be anything: it is searched as text.
  if (wanted === null || /^\d+$/.test(query.trim())) return undefined
  const { cents, currency } = wanted
  const isWanted = (one: Written) =>
    one.cents === cents && (currency === null || one.currency === currency)
  return amountsIn(text).find(isWanted)
}

/** `blocks` contain the drafts. Choices are skipped, because they are no text of the admin. */
export function findIn(
  blocks: readonly Block[],
  query: string,
  known: ChipContext,
): readonly SearchHit[] {
  return blocks.flatMap((block) =>
    flatten(block.fields, block.value).flatMap(({ path, field, word }) => {
      if (field.type === 'choice' || field.type === 'entry') return []
      const isNumber = field.type === 'year' || field.type === 'integer'
      const text =
        field.type === 'amount'
          ? amountText(word)
          : isNumber
            ? String(word)
            : field.type === 'richText'
              ? stripMarkdown(shownText(word, known))
              : shownText(word, known)
      if (!matches(text, query)) return []
      const place = `${block.id}:${path}`
      return [{ page: homeOf(block), block, place, label: field.label, text }]
    }),
  )
}

const AROUND = 60

type Stretch = { readonly from: number; readonly to: number }

/** Range of the first hit; null for none. */
export function placeIn(text: string, query: string): Stretch | null {
  const amount = amountIn(text, query)
  if (amount !== undefined) return { from: amount.index, to: amount.index + amount.written.length }
  const { folded, places } = foldedIn(text)
  const wanted = foldText(query.trim())
  const at = wanted === '' ? -1 : folded.indexOf(wanted)
  const [first, last] = [places[at], places[at + wanted.length - 1]]
  if (first === undefined || last === undefined) return numberIn(text, query)
  return { from: first.from, to: last.to }
}

/** A letter with its combining marks, or a run of whitespace. */
const UNIT = /\s+|\P{M}\p{M}*|\p{M}+/gu

/** Like `foldText`, with the source range of each folded character: folding changes their number. */
function foldedIn(text: string): { folded: string; places: readonly Stretch[] } {
  const places: Stretch[] = []
  let folded = ''
  for (const { 0: unit, index } of text.matchAll(UNIT)) {
    const own = foldText(unit)
    const place = { from: index, to: index + unit.length }
    for (let letter = 0; letter < own.length; letter += 1) places.push(place)
    folded += own
  }
  return { folded, places }
}

/** Moves an index out of the middle of a surrogate pair. */
function between(text: string, index: number): number {
  return /^[\uDC00-\uDFFF]/.test(text.slice(index)) ? index + 1 : index
}

/** Returns the text before the first hit, the hit, and the text after it. */
export function excerpt(text: string, query: string): readonly [string, string, string] {
  const place = placeIn(text, query)
  if (place === null) return [text.slice(0, 2 * AROUND), '', '']
  const { from: start, to: end } = place
  const from = between(text, Math.max(0, start - AROUND))
  const until = between(text, end + AROUND)
  const before = (from > 0 ? '…' : '') + text.slice(from, start)
  const after = text.slice(end, until) + (until < text.length ? '…' : '')
  return [before, text.slice(start, end), after]
}
