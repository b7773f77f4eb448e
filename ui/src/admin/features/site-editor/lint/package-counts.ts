// Compares the texts about a package with its number of sessions and its name: in its card, and in the message
// that its button starts.

import { fill } from '../../../../lib/interpolate'
import type { Block, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { flatten } from '../model/field-path'
import {
  entriesOf,
  entryIn,
  isSold,
  PACKAGES,
  type PriceContext,
  type PriceProblem,
  TEXTS,
  titleOf,
} from '../model/price-context'
import { partsOfText } from '../model/rich-value'

const MESSAGES = 'contatti.messages'
const { check: own } = wording.amount

type DraftIn = (block: Block) => ObjectValue

/** Reports only counts that were true once, as with amounts: other numbers do not refer to the package. */
export function findCountMismatches(
  blocks: readonly Block[],
  draftIn: DraftIn,
  now: PriceContext,
  former: readonly PriceContext[],
): readonly PriceProblem[] {
  const telling = blocks.filter(({ id }) => id === PACKAGES || id === MESSAGES)
  const counted = telling.flatMap((block) => {
    const value = draftIn(block)
    return flatten(block.fields, value).flatMap(
      ({ path, field, word }): readonly PriceProblem[] => {
        const entry = TEXTS.includes(field.type) ? entryIn(value, path) : undefined
        if (entry === undefined) return []
        const text = (partsOfText(word) ?? []).filter((part) => typeof part === 'string').join('')
        const message = staleCount(text, entry, now, former)
        if (message === null) return []
        return [{ block, path, text: `${text} ${message}`, message, reckoning: '', fix: null }]
      },
    )
  })
  return [...counted, ...renamed(blocks, draftIn, now, former)]
}

const NUMBERS = wording.numberWords
const COUNTED = new RegExp(
  `(?<![\\p{L}\\d.,])(\\d{1,2}|${NUMBERS.filter(Boolean).join('|')})\\s+(\\p{L}+)(?=((?:\\s+\\p{L}+){0,3}))`,
  'giu',
)
/** Length of the stem that the singular and plural of a word share. */
const STEM_LETTERS = 5

function staleCount(
  text: string,
  entry: string,
  now: PriceContext,
  former: readonly PriceContext[],
): string | null {
  const counts = now.filter((sum) => sum.of === 'count' && sum.entry === entry)
  if (counts.length === 0) return null
  for (const [, number = '', thing = '', rest = ''] of text.matchAll(COUNTED)) {
    const told = numberOf(number)
    const alike = counts.filter(({ offer = '' }) => {
      const [first = ''] = stemsOf(titleOf(offer, [now, ...former]))
      return first !== '' && stemOf(thing) === first
    })
    const after = stemsOf(rest)
    const meant = alike.filter(({ offer = '' }) => {
      const [, ...others] = stemsOf(titleOf(offer, [now, ...former]))
      return others.some((stem) => after.includes(stem))
    })
    const likely = meant.length > 0 ? meant : alike
    const holds = likely.map(({ amount }) => Number(amount))
    const all = holds.reduce((sum, count) => sum + count, 0)
    const isTrue = holds.includes(told) || (meant.length === 0 && told === all)
    const [only, ...more] = likely
    if (isTrue || only === undefined || more.length > 0) continue
    if (!wasHeld(told, only, former)) continue
    return fill(own.count, { text: `${number} ${thing}`, count: only.amount })
  }
  return null
}

function wasHeld(
  told: number,
  { entry, offer }: PriceContext[number],
  former: readonly PriceContext[],
): boolean {
  return former
    .flat()
    .some(
      (sum) =>
        sum.of === 'count' &&
        sum.entry === entry &&
        sum.offer === offer &&
        sum.amount === String(told),
    )
}

function numberOf(text: string): number {
  const word = NUMBERS.indexOf(text.toLowerCase())
  return word < 0 ? Number(text) : word
}

function stemOf(word: string): string {
  return word.toLowerCase().slice(0, STEM_LETTERS)
}

/** Stems of the words with at least four letters. */
export function stemsOf(text: string): readonly string[] {
  return (text.match(/\p{L}{4,}/gu) ?? []).map(stemOf)
}

/** Unchanged default messages with the default name of an entry that the admin has renamed. */
function renamed(
  blocks: readonly Block[],
  draftIn: DraftIn,
  now: PriceContext,
  former: readonly PriceContext[],
): readonly PriceProblem[] {
  const block = blocks.find(({ id }) => id === MESSAGES)
  const [first = []] = former.slice(-1)
  if (block === undefined) return []
  const original = entriesOf(block.default.asks)
  return entriesOf(draftIn(block).asks).flatMap((ask, index) => {
    const { id, title: text } = ask
    const isDefault = original.some((one) => one.id === id && one.title === text)
    const before = first.find(({ entry }) => entry === id)?.title
    if (typeof text !== 'string' || !isDefault || before === undefined || !isSold(id, now))
      return []
    const title = titleOf(id, [now])
    if (title === before || isIn(title, text) || isIn(text, title)) return []
    const message = fill(own.renamed, { text, title })
    const path = `asks[${index}].title`
    return [{ block, path, text: `${text} ${title}`, message, reckoning: '', fix: null }]
  })
}

function isIn(one: string, other: string): boolean {
  return other.toLowerCase().includes(one.toLowerCase())
}
