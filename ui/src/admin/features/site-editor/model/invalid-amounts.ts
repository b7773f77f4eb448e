// What is typed as a price and cannot be read as one: it stands in the draft beside the last amount that
// could be, goes with its entry wherever that is moved, and is never published as another amount.

import { notAnAmount } from '../../../../kinds/later.gen'
import type { Block, FieldValue, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { flatten, isObjectValue } from './field-path'
import { typedAmount } from './rich-value'

const { amount: own } = wording
/** More than any price takes. */
const TYPED_MAX = 60

/** Why a text is no price; null where it is one. */
export function amountProblem(text: string): string | null {
  const amount = typedAmount(text)
  if (amount === null) return notAnAmount
  return amount.cents < 0 ? own.negative : null
}

/** The amount that a text stands for; with the text where it stands for none. */
export function amountOf(text: string, before: ObjectValue): ObjectValue {
  const { cents = 0, currency = 'EUR' } = before
  const read = amountProblem(text) === null ? typedAmount(text) : null
  // A sign that is typed says the currency: 'CHF 120' over euros went out as 120 €.
  if (read !== null) return { cents: read.cents, currency: read.currency ?? currency }
  return { cents, currency, typed: text.slice(0, TYPED_MAX) }
}

/** What cannot be read; null where the amount is one. */
export function unreadIn(word: FieldValue | undefined): string | null {
  return isObjectValue(word) && typeof word.typed === 'string' ? word.typed : null
}

/** Messages by block and place. */
export function amountProblems(
  blocks: readonly Block[],
  wordsOf: (block: Block) => ObjectValue,
): Readonly<Record<string, string>> {
  const pairs = blocks.flatMap((block) =>
    flatten(block.fields, wordsOf(block)).flatMap(({ path, field, word }) => {
      const text = field.type === 'amount' ? unreadIn(word) : null
      const problem = text === null ? null : amountProblem(text)
      return problem === null ? [] : [[`${block.id}:${path}`, problem] as const]
    }),
  )
  return Object.fromEntries(pairs)
}
