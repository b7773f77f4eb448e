// Undo and redo across fields, blocks and pages, in the order of the changes.

import type { Field, ObjectValue } from '../api/content-api'
import type { Draft } from './draft-diff'
import { equal } from './field-path'
import { mergeBlock } from './merge-block'

/** One step: a block as it was and as it is; null where it stood as published. */
export type HistoryEntry = {
  /** It keeps it, whatever is made of the step. */
  readonly number: number
  readonly block: string
  readonly path: string
  readonly what: string
  readonly before: Draft | null
  readonly after: Draft | null
  readonly at: number
  /** More typing in the same place makes it longer. */
  readonly open: boolean
}

export type UndoHistory = {
  readonly done: readonly HistoryEntry[]
  readonly undone: readonly HistoryEntry[]
}

export const EMPTY_HISTORY: UndoHistory = { done: [], undone: [] }

const RUN_PAUSE_MS = 1000
const STEPS_MAX = 200
export const SENTENCE_END = /[.!?…]\s$/

/**
 * A run of typing is one step: until a pause, another place, or the blank after a sentence. Several
 * letters may come at once: `since` is when the first of them was typed, the step's own time the last.
 */
export function pushEntry(
  past: UndoHistory,
  step: HistoryEntry,
  typed: string | null,
  since = step.at,
): UndoHistory {
  const last = past.done.at(-1)
  const open = typed !== null && !SENTENCE_END.test(typed)
  const isRun =
    last?.open === true &&
    typed !== null &&
    last.block === step.block &&
    last.path === step.path &&
    since - last.at < RUN_PAUSE_MS
  const done = isRun
    ? [...past.done.slice(0, -1), { ...step, before: last.before, open }]
    : [...past.done, { ...step, open }]
  return { done: done.slice(-STEPS_MAX), undone: [] }
}

export function undoEntry(past: UndoHistory): { past: UndoHistory; step: HistoryEntry } | null {
  const step = past.done.at(-1)
  if (step === undefined) return null
  const closed = { ...step, open: false }
  return { past: { done: past.done.slice(0, -1), undone: [...past.undone, closed] }, step }
}

export function redoEntry(past: UndoHistory): { past: UndoHistory; step: HistoryEntry } | null {
  const step = past.undone.at(-1)
  if (step === undefined) return null
  return { past: { done: [...past.done, step], undone: past.undone.slice(0, -1) }, step }
}

/** The block under these steps became another one: by her publishing, or by somebody else's. */
export type NewBase = {
  readonly block: string
  readonly fields: readonly Field[]
  readonly from: Draft
  readonly to: Draft
  /** What stood as published; null where that is what is published now. */
  readonly stood: Draft | null
  /** Where both changed a place: whether the step keeps its own. */
  readonly keeps: (place: string) => boolean
  /** Its entries under the ids that they have been given since. */
  readonly named?: (value: ObjectValue) => ObjectValue
}

/** A step holds its whole block: without this it would bring back what others have changed since. */
export function rebaseHistory({ done, undone }: UndoHistory, ground: NewBase): UndoHistory {
  const all = (steps: readonly HistoryEntry[]) =>
    steps.flatMap((step) => (step.block === ground.block ? carried(step, ground) : [step]))
  return { done: all(done), undone: all(undone) }
}

/** Nothing is left of a step that says what stands anyway. */
function carried(step: HistoryEntry, ground: NewBase): readonly HistoryEntry[] {
  const [before, after] = [step.before, step.after].map((draft) => onGround(draft, ground))
  const [was, is] = [before ?? ground.to, after ?? ground.to]
  const isNothing = was.hidden === is.hidden && equal(was.value, is.value)
  return isNothing ? [] : [{ ...step, before: before ?? null, after: after ?? null }]
}

function onGround(own: Draft | null, ground: NewBase): Draft | null {
  const { fields, from, to, stood, keeps, named = (value) => value } = ground
  const draft = own ?? stood
  if (draft === null) return null
  const takes = (place: string) => !keeps(place)
  const { value } = mergeBlock(from.value, named(draft.value), to.value, { fields, takes })
  const hidden = draft.hidden === from.hidden ? to.hidden : draft.hidden
  return { value, hidden }
}

/** What stands now without this step: later ones stay, but where they changed the same place. */
export function withoutEntry(now: Draft, before: Draft, after: Draft): Draft {
  const { value } = mergeBlock(after.value, now.value, before.value, { takes: () => true })
  const hidden = now.hidden === after.hidden ? before.hidden : now.hidden
  return { value, hidden }
}
