// Undo and redo across fields, blocks and pages, in the order of the changes.
import type { Draft } from './changes'

/** One step: a block as it was and as it is; null where it stood as published. */
export type Step = {
  readonly block: string
  readonly path: string
  readonly what: string
  readonly before: Draft | null
  readonly after: Draft | null
  readonly at: number
  /** More typing in the same place makes it longer. */
  readonly open: boolean
}

export type Past = { readonly done: readonly Step[]; readonly undone: readonly Step[] }

export const NO_PAST: Past = { done: [], undone: [] }

const RUN_PAUSE_MS = 1000
const STEPS_MAX = 200

/** A run of typing is one step: until a pause, another place, or the blank after a sentence. */
export function recorded(past: Past, step: Step, typed: string | null): Past {
  const last = past.done.at(-1)
  const open = typed !== null && !/[.!?…]\s$/.test(typed)
  const isRun =
    last?.open === true &&
    typed !== null &&
    last.block === step.block &&
    last.path === step.path &&
    step.at - last.at < RUN_PAUSE_MS
  const done = isRun
    ? [...past.done.slice(0, -1), { ...step, before: last.before, open }]
    : [...past.done, { ...step, open }]
  return { done: done.slice(-STEPS_MAX), undone: [] }
}

export function undone(past: Past): { past: Past; step: Step } | null {
  const step = past.done.at(-1)
  if (step === undefined) return null
  const closed = { ...step, open: false }
  return { past: { done: past.done.slice(0, -1), undone: [...past.undone, closed] }, step }
}

export function redone(past: Past): { past: Past; step: Step } | null {
  const step = past.undone.at(-1)
  if (step === undefined) return null
  return { past: { done: [...past.done, step], undone: past.undone.slice(0, -1) }, step }
}
