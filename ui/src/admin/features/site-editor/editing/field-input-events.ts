// Input events of the form's fields, which the page follows before the form flushes them.
import type { Block, FieldValue } from '../api/content-api'

type Listener = (block: Block, path: string, word: FieldValue) => void
const listeners = new Set<Listener>()

/** Calls `listener` with each change of a field. Returns the unsubscribe function. */
export function onFieldInput(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const emitFieldInput: Listener = (...input) => {
  for (const listener of listeners) listener(...input)
}
