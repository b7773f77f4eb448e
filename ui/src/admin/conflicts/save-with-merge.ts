// Saves only the changed fields over the current version, so that two tabs do not undo each other's
// changes.
import { asSave, callVersioned, isStatus } from '../api/client'
import { bodyOf, type FieldSpec, type Values } from '../api/schema'
import { changedFields } from '../drafts/draft-storage'
import { type FieldConflict, mergeFields, resolveConflicts } from './merge-fields'

export type Target<Answer> = {
  readonly path: string
  readonly fields: Readonly<Record<string, FieldSpec>>
  /** Form values of a response. */
  readonly valuesOf: (answer: Answer) => Values
}

export type ConflictQuestion<Answer> = {
  readonly clashes: readonly FieldConflict[]
  /** Number of merged fields without a conflict. */
  readonly same: number
  readonly other: Answer
  /** The item changed again while the dialog was open. */
  readonly isAgain: boolean
}

/** Resolves to the fields to take from the other side; null to decide later. */
export type ChooseFields<Answer> = (
  question: ConflictQuestion<Answer>,
) => Promise<readonly string[] | null>

/** Bounds the retries when the item changes between reading and writing. */
const TURNS_MAX = 5

/**
 * `ground` holds the base values of the form, `mine` the current ones. Returns the stored values;
 * null when the user chose to decide later.
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
