// Undo and redo across fields, blocks and pages, in the order of the changes.

import type { Field, ObjectValue } from '../api/content-api'
import type { Draft } from './draft-diff'
import { equal } from './field-path'
import { mergeBlock } from './merge-block'

/** One undo step: the draft of a block before and after; null for no draft, the published state. */
export type HistoryEntry = {
  /** Identifies the step for `revert`; undo and rebase keep it. */
  readonly number: number
  readonly block: string
  readonly path: string
  readonly what: string
  readonly before: Draft | null
  readonly after: Draft | null
  readonly at: number
  /** Further typing in the same field extends this step. */
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
 * Appends a step. A run of typing is one step: until a pause, another field, or the blank after a
 * sentence. For a batch of keystrokes `since` is the time of the first one and `step.at` that of the last.
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

/** A new version of a block, published by this admin or by someone else, to rebase its steps onto. */
export type NewBase = {
  readonly block: string
  readonly fields: readonly Field[]
  readonly from: Draft
  readonly to: Draft
  /** The version that null steps stand for; null when that is the version published now. */
  readonly stood: Draft | null
  /** Whether a step keeps its own value at a path that both sides changed. */
  readonly keeps: (place: string) => boolean
  /** Returns the value with the ids that the server has given to new entries since. */
  readonly named?: (value: ObjectValue) => ObjectValue
}

/** Each step stores its whole block: without a rebase, undo would also revert other people's changes. */
export function rebaseHistory({ done, undone }: UndoHistory, ground: NewBase): UndoHistory {
  const all = (steps: readonly HistoryEntry[]) =>
    steps.flatMap((step) => (step.block === ground.block ? carried(step, ground) : [step]))
  return { done: all(done), undone: all(undone) }
}

/** Drops a step that changes nothing on the new version. */
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

/** The current draft without this step. Later steps stay, except where they changed the same path. */
export function withoutEntry(now: Draft, before: Draft, after: Draft): Draft {
  const { value } = mergeBlock(after.value, now.value, before.value, { takes: () => true })
  const hidden = now.hidden === after.hidden ? before.hidden : now.hidden
  return { value, hidden }
}
