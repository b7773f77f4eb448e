// The editors of the texts on the edited page. A text gets its editor when the pointer or the focus reaches it, and
// loses it when the page is rendered anew without either: creating all at once made a long page open later.
import { parseFieldTarget } from '../../../../lib/content-source-map'
import type { TextKind } from '../../../rich-text/schema'
import type { FieldValue } from '../api/content-api'
import { changeField } from '../form/block-form'
import { equal } from '../model/field-path'
import { blockOf, persistPendingInput } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { PLACE } from '../preview/prepare-preview'
import { type FieldCodec, fieldCodec } from './field-codec'
import { type Caret, editField, type FieldEditor } from './field-editor'

type Slot = {
  readonly kind: TextKind
  /** Created on demand: most texts of a page are only read. */
  codec: FieldCodec | null
  /** The value that the element shows. */
  value: FieldValue
  editor: FieldEditor | null
}

const slots = new WeakMap<Element, Slot>()

type Text = {
  readonly kind: TextKind
  readonly value: FieldValue
  readonly known: ChipContext
}

function slotOf(element: Element, { kind, value }: Text): Slot {
  const former = slots.get(element)
  if (former?.kind === kind) return former
  former?.editor?.destroy()
  const slot = { kind, codec: null, value, editor: null }
  slots.set(element, slot)
  return slot
}

/** Creates the editor of a text unless it is there; with `caret` the text has the focus. */
export function openEditor(
  element: HTMLElement,
  text: Text,
  { caret, onUpdate }: { readonly caret: Caret | null; readonly onUpdate: () => void },
): void {
  const slot = slotOf(element, text)
  if (slot.editor !== null) return
  const selected = caret === null ? null : selectionIn(element)
  slot.value = text.value
  slot.codec ??= fieldCodec(text.kind, text.known)
  slot.editor = editField(element, {
    codec: slot.codec,
    value: text.value,
    rendered: element,
    onUpdate,
    onValue: (value, typed, span) => {
      const target = targetOf(element)
      const block = target === null ? undefined : blockOf(target.block)
      if (target === null || block === undefined) return
      slot.value = value
      changeField(block, target.field, value, typed, span)
    },
    onPending: (value) => {
      const target = targetOf(element)
      if (target !== null) persistPendingInput(target.block, target.field, value)
    },
  })
  if (caret !== null) slot.editor.focus(selected ?? caret)
}

/** Where the text stands now: entries before it may have come and gone. */
function targetOf(element: Element) {
  return parseFieldTarget(element.getAttribute(PLACE) ?? '')
}

/** The browser's selection inside an element as offsets of its text; null for a caret, which is set anew. */
function selectionIn(element: HTMLElement): Caret | null {
  const selection = element.ownerDocument.getSelection()
  const { anchorNode, focusNode } = selection ?? {}
  if (!selection || selection.isCollapsed || !anchorNode || !focusNode) return null
  if (!element.contains(anchorNode) || !element.contains(focusNode)) return null
  const range = element.ownerDocument.createRange()
  const offsetOf = (node: globalThis.Node, offset: number) => {
    range.selectNodeContents(element)
    range.setEnd(node, offset)
    return range.toString().length
  }
  return {
    anchor: offsetOf(anchorNode, selection.anchorOffset),
    head: offsetOf(focusNode, selection.focusOffset),
  }
}

/** Shows what was typed elsewhere as visitors will see it; what the server has rendered is left as it is. */
export function showField(element: HTMLElement, text: Text): void {
  const { kind, value, known } = text
  const isFirst = slots.get(element)?.kind !== kind
  const slot = slotOf(element, text)
  if (slot.editor !== null) {
    slot.value = value
    slot.editor.set(value, known)
    return
  }
  // Rich text is as the server rendered it until its value changes.
  if (kind === 'rich' && isFirst) return
  const hasOtherChips = slot.codec?.showChips(known, element) === true
  if (kind === 'rich' && equal(slot.value, value) && !hasOtherChips) return
  slot.value = value
  slot.codec ??= fieldCodec(kind, known)
  slot.codec.render(value, element)
}

/** Whether the text has an editor that a new rendering of the page must leave alone. */
export function isBeingEdited(element: Element): boolean {
  const editor = slots.get(element)?.editor ?? null
  return editor !== null && (editor.hasFocus() || element.matches(':hover'))
}

export function hasEditor(element: Element): boolean {
  return (slots.get(element)?.editor ?? null) !== null
}

export function closeEditor(element: Element): void {
  const slot = slots.get(element)
  slots.delete(element)
  slot?.editor?.destroy()
}
