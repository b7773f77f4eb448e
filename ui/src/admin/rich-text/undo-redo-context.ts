// Back and forth in the text that is written, for buttons that stand elsewhere in the form.
import { createContext } from 'preact'

/** Null where there is nothing to take back, or to do again. */
export type UndoRedo = { readonly undo: (() => void) | null; readonly redo: (() => void) | null }

export const NO_UNDO_REDO: UndoRedo = { undo: null, redo: null }

/** The editor of a text tells here what can be done. */
export const UndoRedoContext = createContext<(travel: UndoRedo) => void>(() => undefined)

/** A text tells what stands above it that its caret wants to go there. */
export const LEAVES_UP = 'leaves-up'
