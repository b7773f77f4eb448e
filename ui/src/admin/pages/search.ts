// One search over all words: texts without regard to accents, prices however they are written, telephone
// numbers by their digits.
import type { Block } from './contract'
import { withoutSigns } from './rich-signs'
import { homeOf, type SitePage } from './site-pages'
import {
  amountsIn,
  amountText,
  type Known,
  shownText,
  typedAmount,
  type Written,
} from './text-parts'
import { leavesOf } from './value'

export type Hit = {
  readonly page: SitePage
  readonly block: Block
  /** `servizi.offers:offers[2].price` */
  readonly place: string
  readonly label: string
  readonly text: string
}

export const LETTERS_MIN = 2
const DIGITS_MIN = 4

/** Letters without case and accents, blanks of any kind as one. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[’‘]/g, "'")
    .replace(/\s+/g, ' ')
    .toLowerCase()
}

/** Whether a text holds what is looked for. */
export function matches(text: string, query: string): boolean {
  const wanted = plain(query.trim())
  if (wanted.length < LETTERS_MIN) return false
  if (plain(text).includes(wanted) || amountIn(text, query) !== undefined) return true
  const digits = query.replace(/\D/g, '')
  const isNumber = digits.length >= DIGITS_MIN && /^[\d\s()+./-]+$/.test(query)
  // Of one number written in groups, not of two beside each other.
  const runs = text.split(/[^\d\s()+./-]+/).map((run) => run.replace(/\D/g, ''))
  return isNumber && runs.some((run) => run.includes(digits))
}

/** Where the amount that is looked for stands; undefined where it does not, or none is. */
function amountIn(text: string, query: string): Written | undefined {
  const wanted = typedAmount(query)
  // A number alone may be anything: it is looked for as it is written.
  if (wanted === null || /^\d+$/.test(query.trim())) return undefined
  const { cents, currency } = wanted
  const isWanted = (one: Written) =>
    one.cents === cents && (currency === null || one.currency === currency)
  return amountsIn(text).find(isWanted)
}

/** `blocks` as they would be published; what one chooses has no words of hers. */
export function findIn(blocks: readonly Block[], query: string, known: Known): readonly Hit[] {
  return blocks.flatMap((block) =>
    leavesOf(block.fields, block.value).flatMap(({ path, field, word }) => {
      if (field.type === 'choice' || field.type === 'entry') return []
      const isNumber = field.type === 'year' || field.type === 'integer'
      const text =
        field.type === 'amount'
          ? amountText(word)
          : isNumber
            ? String(word)
            : field.type === 'richText'
              ? withoutSigns(shownText(word, known))
              : shownText(word, known)
      if (!matches(text, query)) return []
      const place = `${block.id}:${path}`
      return [{ page: homeOf(block), block, place, label: field.label, text }]
    }),
  )
}

const AROUND = 60

/** Where the first hit stands; null for none, and where folding moves the letters. */
export function placeIn(text: string, query: string): { from: number; to: number } | null {
  const amount = amountIn(text, query)
  if (amount !== undefined) return { from: amount.index, to: amount.index + amount.written.length }
  const folded = plain(text)
  const wanted = plain(query.trim())
  const from = folded.indexOf(wanted)
  if (from < 0 || wanted === '' || folded.length !== text.length) return null
  return { from, to: from + wanted.length }
}

/** The text around the first hit, in three parts, the middle one being what was looked for. */
export function excerpt(text: string, query: string): readonly [string, string, string] {
  const place = placeIn(text, query)
  if (place === null) return [text.slice(0, 2 * AROUND), '', '']
  const { from: start, to: end } = place
  const from = Math.max(0, start - AROUND)
  const before = (from > 0 ? '…' : '') + text.slice(from, start)
  const after = text.slice(end, end + AROUND) + (end + AROUND < text.length ? '…' : '')
  return [before, text.slice(start, end), after]
}
