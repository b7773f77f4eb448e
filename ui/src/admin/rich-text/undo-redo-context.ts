// Context that gives buttons elsewhere in the form access to undo and redo of the text.
import { createContext } from 'preact'

/** Null if there is nothing to undo or redo. */
export type UndoRedo = { readonly undo: (() => void) | null; readonly redo: (() => void) | null }

export const NO_UNDO_REDO: UndoRedo = { undo: null, redo: null }

/** The text editor calls the function when undo or redo become available or unavailable. */
export const UndoRedoContext = createContext<(travel: UndoRedo) => void>(() => undefined)

/** Event that the text dispatches when ArrowUp at its start should move the focus to the field above. */
export const LEAVE_UPWARD_EVENT = 'leaves-up'
