// State of the overlay of one page, which its parts share.
import type { Block } from '../api/content-api'
import type { Row } from './add-row'
import type { Place } from './frame-page'
import type { PressedChip } from './overlay-parts'

export type Seen = { readonly element: HTMLElement; readonly path: string }

export type OverlayState = {
  hovered: Seen | null
  focused: Seen | null
  /** The tools are those of what one came to last, by pointer or by keys. */
  isPointed: boolean
  /** An entry that is moved by keys. */
  lifted: { block: string; list: string; from: number } | null
  /** What a screen reader hears. */
  said: string
  pressedChip: PressedChip | null
  /** An entry that was just added: it is gone to once the page has it. */
  awaited: string | null
  /** The rows that Tab still leads to, behind the place that it came from. */
  rows: { readonly from: Seen; readonly left: readonly Row[] } | null
  /** One row gives way to the next: it is not left. */
  isMovingToRow: boolean
}

export const EMPTY_STATE: OverlayState = {
  hovered: null,
  focused: null,
  isPointed: false,
  lifted: null,
  said: '',
  pressedChip: null,
  awaited: null,
  rows: null,
  isMovingToRow: false,
}

export type OverlayContext = {
  readonly page: Document
  readonly root: ShadowRoot
  readonly state: OverlayState
  /** With the drafts in them. */
  readonly blocks: () => readonly Block[]
  /** Goes to what was just added. */
  readonly goTo: (element: HTMLElement) => void
  /** What the page does not show yet is made in its form. */
  readonly open: (place: { readonly block: string; readonly field: string }) => void
  readonly find: (seen: Seen | null) => Place | null
  readonly draw: () => void
}
