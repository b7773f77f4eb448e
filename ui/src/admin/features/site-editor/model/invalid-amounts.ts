// Prices that cannot be parsed: the draft keeps the typed text beside the last valid amount, so that it
// moves with its entry and is never published as another amount.

import { notAnAmount } from '../../../../kinds/lazy-constants.gen'
import { typedAmount } from '../../../../lib/amount'
import { visibleText } from '../../../../lib/invisible-characters'
import type { Block, FieldValue, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { flatten, isObjectValue } from './field-path'

const { amount: own } = wording
/** Characters; more than any price needs. */
const TYPED_MAX = 60

/** Why a text is no valid price; null for a valid one. */
export function amountProblem(text: string): string | null {
  const amount = typedAmount(visibleText(text))
  if (amount === null) return notAnAmount
  return amount.cents < 0 ? own.negative : null
}

/** Parses `text`; if it is no valid price, returns the amount of `before` with the text in `typed`. */
export function amountOf(text: string, before: ObjectValue): ObjectValue {
  const { cents = 0, currency = 'EUR' } = before
  const read = amountProblem(text) === null ? typedAmount(visibleText(text)) : null
  // A typed sign overrides the field's currency: `CHF 120` in a euro field must not become 120 €.
  if (read !== null) return { cents: read.cents, currency: read.currency ?? currency }
  return { cents, currency, typed: text.slice(0, TYPED_MAX) }
}

/** The typed text that cannot be parsed; null for a valid amount. */
export function unreadIn(word: FieldValue | undefined): string | null {
  return isObjectValue(word) && typeof word.typed === 'string' ? word.typed : null
}

/** Error messages by `block:path`. */
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
