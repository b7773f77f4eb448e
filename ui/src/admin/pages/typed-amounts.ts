// What stands in the fields of prices, letter by letter: what is no amount is never published as another one.

import { create } from 'zustand'
import { notAnAmount } from '../../kinds/later.gen'
import type { Block, Group, Word } from './contract'
import { typedAmount } from './text-parts'
import { equal, fieldId, leavesOf } from './value'
import { wording } from './wording'

/** By the id of the field; it stands only over the amount that it was typed over. */
export const useTypedAmounts = create<Readonly<Record<string, { text: string; of: Word }>>>(
  () => ({}),
)

const { amount: own } = wording

/** Why a text is no price; null where it is one. */
export function amountProblem(text: string): string | null {
  const amount = typedAmount(text)
  if (amount === null) return notAnAmount
  return amount.cents < 0 ? own.negative : null
}

/** Messages by block and place, of the fields that show one. */
export function amountProblems(
  blocks: readonly Block[],
  wordsOf: (block: Block) => Group,
): Readonly<Record<string, string>> {
  const typed = useTypedAmounts.getState()
  if (Object.keys(typed).length === 0) return {}
  const pairs = blocks.flatMap((block) =>
    leavesOf(block.fields, wordsOf(block)).flatMap(({ path, field, word }) => {
      if (field.type !== 'amount') return []
      const here = typed[fieldId(block.id, path)]
      const problem = here !== undefined && equal(here.of, word) ? amountProblem(here.text) : null
      return problem === null ? [] : [[`${block.id}:${path}`, problem] as const]
    }),
  )
  return Object.fromEntries(pairs)
}
