// Saves what was changed and nothing else, over what stands now: two tabs lose nothing of each other.
import { asSave, callVersioned, isStatus } from '../api/client'
import { bodyOf, type FieldSpec, type Values } from '../api/schema'
import { changedFields } from '../drafts/draft-storage'
import { type FieldConflict, mergeFields, resolveConflicts } from './merge-fields'

export type Target<Answer> = {
  readonly path: string
  readonly fields: Readonly<Record<string, FieldSpec>>
  /** The answer as the form holds it. */
  readonly valuesOf: (answer: Answer) => Values
}

export type ConflictQuestion<Answer> = {
  readonly clashes: readonly FieldConflict[]
  /** Fields that need no choice. */
  readonly same: number
  readonly other: Answer
  /** It changed once more while somebody was choosing. */
  readonly isAgain: boolean
}

/** The fields to take from the other side; null to decide later. */
export type ChooseFields<Answer> = (
  question: ConflictQuestion<Answer>,
) => Promise<readonly string[] | null>

/** Another change between reading and writing is met again, but not for ever. */
const TURNS_MAX = 5

/**
 * `ground` is what the form began with, `mine` what stands in it. Returns what stands now, as the
 * form holds it; null when somebody chose to decide later.
 */
export function saveWithMerge<Answer>(
  target: Target<Answer>,
  ground: Values,
  mine: Values,
  choose: ChooseFields<Answer>,
): Promise<Values | null> {
  return asSave(() => save(target, ground, mine, choose))
}

async function save<Answer>(
  target: Target<Answer>,
  ground: Values,
  mine: Values,
  choose: ChooseFields<Answer>,
): Promise<Values | null> {
  let [before, wanted] = [ground, mine]
  let hasChosen = false
  for (let turn = 1; ; turn += 1) {
    const { answer, tag } = await callVersioned<Answer>('GET', target.path)
    const other = target.valuesOf(answer)
    const merged = mergeFields(before, wanted, other)
    wanted = merged.values
    if (merged.clashes.length > 0) {
      const same = Object.keys(ground).length - merged.clashes.length
      const theirs = await choose({
        clashes: merged.clashes,
        same,
        other: answer,
        isAgain: hasChosen,
      })
      if (theirs === null) return null
      hasChosen = true
      wanted = resolveConflicts(merged, other, theirs)
    }
    before = other
    const changed = changedFields(other, wanted)
    if (changed.length === 0) return other
    const values = Object.fromEntries(changed.map((name) => [name, wanted[name] ?? null]))
    try {
      const body = bodyOf(values, target.fields)
      const saved = await callVersioned<Answer>('PUT', target.path, body, tag)
      return target.valuesOf(saved.answer)
    } catch (error) {
      if (!isStatus(error, 412) || turn === TURNS_MAX) throw error
    }
  }
}
