// The editor of one text, on the page in its iframe or in the form beside it. Undo belongs to the page and goes across
// fields, so the editor has no history of its own.
import { keymap } from 'prosemirror-keymap'
import type { Node } from 'prosemirror-model'
import {
  type Command,
  type EditorState,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { ReplaceStep } from 'prosemirror-transform'
import type { EditorView } from 'prosemirror-view'
import { isImeKey } from '../../../../lib/ime-key'
import { debounceWithMaxWait, type TypingSpan } from '../../../hooks/debounce'
import { linkAtCaret } from '../../../rich-text/addresses'
import { keys } from '../../../rich-text/commands'
import { createTextEditor, textState } from '../../../rich-text/text-editor'
import { toastDone } from '../../../ui/toast-store'
import type { FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { equal } from '../model/field-path'
import {
  FLUSH_DELAY_MS,
  PERSIST_DELAY_MS,
  persistDrafts,
  registerPending,
  unregisterPending,
} from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { SENTENCE_END } from '../model/undo-history'
import type { FieldCodec } from './field-codec'
import { followSelection, hideToolbar, openLinkBox, openToolbar } from './selection-toolbar'

/** Where the caret goes: where the pointer was pressed, to the end, or to a selection by offsets of the text. */
export type Caret =
  | 'end'
  | { readonly left: number; readonly top: number }
  | { readonly anchor: number; readonly head: number }

export type FieldEditor = {
  /** Shows a value that was changed elsewhere: in another field, by undo. */
  readonly set: (value: FieldValue, known: ChipContext) => void
  readonly focus: (caret: Caret) => void
  readonly hasFocus: () => boolean
  readonly destroy: () => void
}

type FieldEditorOptions = {
  readonly codec: FieldCodec
  readonly value: FieldValue
  /** Where the server rendered the value; null for an empty element. */
  readonly rendered: Element | null
  /** `typed` is the end of the text after typing; null for a change that is an undo step of its own. */
  readonly onValue: (value: FieldValue, typed: string | null, span?: TypingSpan) => void
  /** Called in shorter pauses of typing, to store the text on the device until `onValue` follows. */
  readonly onPending: (value: FieldValue) => void
  /** Called with each change by typing, before `onValue`. */
  readonly onInput?: (value: FieldValue) => void
  /** Called after each change of the text, from here or elsewhere. */
  readonly onUpdate?: () => void
}

const FROM_STORE = 'from-store'

/** Turns the element into the editor of its text. */
export function editField(element: HTMLElement, options: FieldEditorOptions): FieldEditor {
  const { codec, onUpdate } = options
  const isRich = codec.kind === 'rich'
  let last = options.value
  const handOver = (typed: string | null, span?: TypingSpan) => {
    unregisterPending(flush)
    const value = codec.write(view.state.doc)
    if (!equal(value, last)) {
      last = value
      options.onValue(value, typed, span)
    }
    persistDrafts()
  }
  const pauses = debounceWithMaxWait(
    (span) => handOver(endOf(view.state.doc), span),
    FLUSH_DELAY_MS,
    { keep: () => options.onPending(codec.write(view.state.doc)), pauseMs: PERSIST_DELAY_MS },
  )
  const { flush } = pauses
  const dispatch = (view: EditorView, transaction: Transaction) => {
    const isEdit = transaction.docChanged && transaction.getMeta(FROM_STORE) !== true
    const isStep = isEdit && !isTyping(transaction)
    // What was typed before is a step of its own.
    if (isStep) flush()
    view.updateState(view.state.apply(transaction))
    if (isStep) {
      pauses.cancel()
      handOver(null)
    } else if (isEdit) {
      registerPending(flush)
      pauses.schedule()
      options.onInput?.(codec.write(view.state.doc))
      if (endsSentence(view.state)) flush()
    }
    if (isRich) followSelection(view)
    if (transaction.docChanged) onUpdate?.()
  }
  const doc = codec.read(last, options.rendered ?? undefined)
  const view = createTextEditor({
    place: { mount: element },
    state: textState({
      doc,
      selection: Selection.atEnd(doc),
      onFormattedPaste: () => toastDone(wording.field.pasted),
      plugins: isRich ? [keymap({ Tab: sinkItem(codec) })] : [],
    }),
    dispatch,
    onKey: (own, event) => onKey(own, event, isRich),
    domEvents: {
      // An undo reverts what was typed last, also a moment ago.
      keydown: (own, event) => {
        if (isImeKey(event)) return false
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) linkAtCaret(own)
        const isCommand = event.ctrlKey || event.metaKey || event.altKey
        if (!isCommand && event.key !== 'Escape') return false
        flush()
        return isPageKey(event)
      },
      focus: (own) => {
        if (isRich) followSelection(own)
        return false
      },
      blur: (own) => {
        linkAtCaret(own)
        flush()
        if (isRich) hideToolbar(own)
        return false
      },
    },
  })
  return {
    hasFocus: () => view.hasFocus(),
    focus: (caret) => {
      // The view was created after the focus event: the browser's selection is set once it knows of it.
      view.dispatch(view.state.tr.setSelection(selectionAt(view, caret)))
      view.focus()
    },
    set: (value, known) => {
      codec.showChips(known, view.dom)
      if (equal(value, last)) return
      pauses.cancel()
      unregisterPending(flush)
      last = value
      const transaction = replaced(view.state, codec.read(value))
      if (transaction !== null) view.dispatch(transaction)
    },
    destroy: () => {
      flush()
      if (isRich) hideToolbar(view)
      view.destroy()
    },
  }
}

function selectionAt(view: EditorView, caret: Caret): Selection {
  const { doc } = view.state
  if (caret === 'end') return Selection.atEnd(doc)
  if ('anchor' in caret) {
    const isForward = caret.anchor < caret.head
    const isBackward = caret.head < caret.anchor
    const anchor = positionAt(doc, caret.anchor, isForward)
    return TextSelection.between(
      doc.resolve(anchor),
      doc.resolve(positionAt(doc, caret.head, isBackward)),
    )
  }
  const at = view.posAtCoords(caret)?.pos ?? doc.content.size
  return TextSelection.near(doc.resolve(at), -1)
}

/** Position of an offset in the text; between two paragraphs the end of the first, or `isLater` the start of the next. */
function positionAt(doc: Node, offset: number, isLater: boolean): number {
  let left = offset
  let found: number | null = null
  doc.descendants((node, at) => {
    if (found !== null || !node.isLeaf) return found === null
    const length = node.isText ? node.nodeSize : doc.textBetween(at, at + node.nodeSize, '').length
    if (left < length || (left === length && !isLater)) {
      found = at + (node.isText ? left : left > 0 ? node.nodeSize : 0)
    }
    left -= length
    return false
  })
  return found ?? Selection.atEnd(doc).to
}

/** Whether the transaction continues a run of typing: no paste, no formatting, no end of a block. */
function isTyping(transaction: Transaction): boolean {
  const { steps, docs } = transaction
  if (transaction.getMeta('paste') === true || transaction.getMeta('uiEvent') !== undefined) {
    return false
  }
  return steps.every((step, index) => {
    const doc = docs[index]
    if (!(step instanceof ReplaceStep) || doc === undefined) return false
    const { content, openStart, openEnd, size } = step.slice
    const isInline = openStart === 0 && openEnd === 0 && content.firstChild?.isBlock !== true
    return isInline && (size > 0 || doc.resolve(step.from).sameParent(doc.resolve(step.to)))
  })
}

/** Whether the blank after a sentence was typed at the end: undo reverts one sentence at a time. */
function endsSentence({ doc, selection }: EditorState): boolean {
  return SENTENCE_END.test(endOf(doc)) && selection.to === Selection.atEnd(doc).to
}

/** Of the end of the text: its last characters, and the ends of the blocks around them. */
const END_LENGTH = 16

/** The last characters, which tell whether a sentence has ended, without walking through a long text. */
function endOf(doc: Node): string {
  const { size } = doc.content
  return doc.textBetween(Math.max(0, size - END_LENGTH), size, '\n', ' ')
}

/** Deepest lists that pages render (`content/blocks/rich_text.rs`). */
const LEVELS_MAX = 12

function sinkItem({ schema }: FieldCodec): Command {
  const { Tab } = keys(schema)
  return (state, dispatch, view) => {
    const limited = (transaction: Transaction) => {
      let levels = 0
      transaction.doc.descendants((node, at) => {
        if (node.type.name !== 'list_item') return
        levels = Math.max(levels, Math.ceil(transaction.doc.resolve(at).depth / 2))
      })
      if (levels <= LEVELS_MAX) dispatch?.(transaction)
    }
    return Tab?.(state, dispatch && limited, view) ?? false
  }
}

/**
 * Keys that are left to the page: Ctrl+Enter publishes, Escape restores the text, undo and redo are the page's. The
 * editor would prevent them even where it does nothing.
 */
function isPageKey(event: KeyboardEvent): boolean {
  const key = event.key.toLowerCase()
  if (key === 'escape') return true
  if (event.altKey) return key === 'enter'
  return key === 'enter' || key === 'z' || key === 'y'
}

function onKey(view: EditorView, event: KeyboardEvent, isRich: boolean): boolean {
  if (isImeKey(event)) return false
  if (isRich && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    openLinkBox(view)
    return true
  }
  if (!isRich || !event.altKey || event.key !== 'F10') return stepOverChip(view, event)
  openToolbar(view)
  return true
}

const STEPS: Readonly<Record<string, { readonly by: 1 | -1; readonly deletes: boolean }>> = {
  ArrowLeft: { by: -1, deletes: false },
  ArrowRight: { by: 1, deletes: false },
  Backspace: { by: -1, deletes: true },
  Delete: { by: 1, deletes: true },
}

/** A chip is one character: browsers differ in where the caret stands before one. */
function stepOverChip(view: EditorView, event: KeyboardEvent): boolean {
  const step = STEPS[event.key]
  const { selection, tr } = view.state
  if (step === undefined || event.ctrlKey || event.metaKey || event.altKey) return false
  if (!selection.empty || event.shiftKey) return false
  const { $from, from } = selection
  const chip = step.by === 1 ? $from.nodeAfter : $from.nodeBefore
  if (chip?.type.name !== 'chip') return false
  const other = from + step.by * chip.nodeSize
  if (step.deletes) tr.delete(Math.min(from, other), Math.max(from, other))
  else tr.setSelection(TextSelection.create(tr.doc, other))
  view.dispatch(tr.scrollIntoView())
  return true
}

/** Replaces what differs, with the caret at its end; null if nothing does. */
function replaced({ doc, tr }: EditorState, fresh: Node): Transaction | null {
  const start = doc.content.findDiffStart(fresh.content)
  const ends = start === null ? null : doc.content.findDiffEnd(fresh.content)
  if (start === null || ends === null) return null
  // Repeated characters are found from both ends.
  const overlap = Math.max(0, start - Math.min(ends.a, ends.b))
  const [end, freshEnd] = [ends.a + overlap, ends.b + overlap]
  tr.replace(start, end, fresh.slice(start, freshEnd))
  if (!tr.doc.content.eq(fresh.content)) {
    tr.replaceWith(0, tr.doc.content.size, fresh.content)
  }
  const at = Math.min(freshEnd, tr.doc.content.size)
  return tr.setMeta(FROM_STORE, true).setSelection(TextSelection.near(tr.doc.resolve(at), -1))
}
