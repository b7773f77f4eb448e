// Three-way merge of form fields: a field that only one side changed is taken from that side.

import type { Value, Values } from '../api/schema'
import { changedFields } from '../drafts/draft-storage'

/** A field that both sides changed to different values. */
export type FieldConflict = { readonly name: string; readonly mine: Value; readonly other: Value }

export type Merged = {
  /** Merged values; the local one where both sides changed a field. */
  readonly values: Values
  readonly clashes: readonly FieldConflict[]
}

/** Fields that follow the choice for their image: the dialog does not ask about percentages. */
const WITH_THE_PICTURE = ['imageFocusX', 'imageFocusY', 'filename']

/** `ground` holds the common base values. */
export function mergeFields(ground: Values, mine: Values, other: Values): Merged {
  const changedHere = new Set(changedFields(ground, mine))
  const changedThere = changedFields(ground, other)
  const apart = new Set(changedFields(mine, other))
  const taken = changedThere.filter((name) => !changedHere.has(name))
  const clashes = changedThere
    .filter((name) => changedHere.has(name) && apart.has(name))
    .filter((name) => !WITH_THE_PICTURE.includes(name))
    .map((name) => ({ name, mine: mine[name] ?? null, other: other[name] ?? null }))
  return { values: { ...mine, ...picked(other, taken) }, clashes }
}

/** Applies the choices; `theirs` names the fields that are taken from the other side. */
export function resolveConflicts(merged: Merged, other: Values, theirs: readonly string[]): Values {
  const followers = theirs.includes('imageUrl') ? WITH_THE_PICTURE : []
  return { ...merged.values, ...picked(other, [...theirs, ...followers]) }
}

function picked(values: Values, names: readonly string[]): Values {
  const known = names.filter((name) => name in values)
  return Object.fromEntries(known.map((name) => [name, values[name] ?? null]))
}
