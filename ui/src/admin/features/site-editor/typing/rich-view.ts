// Rich text typed where it stands: on the page in its frame, or in the form beside it. Undo is the
// page's own, across fields, so that there is no history in here.
import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import { DOMParser, type Node } from 'prosemirror-model'
import {
  type Command,
  EditorState,
  Selection,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { EditorView } from 'prosemirror-view'
import { debounceWithMaxWait, type TypingSpan } from '../../../hooks/debounce'
import { linkAddresses, linkAtCaret, linkTyped, pasteLink } from '../../../rich-text/addresses'
import { keys } from '../../../rich-text/commands'
import { flushSelection } from '../../../rich-text/flush-selection'
import { markdownRules } from '../../../rich-text/input-rules'
import { parse, serialise } from '../../../rich-text/markdown'
import { cleanHtml, plainSlice } from '../../../rich-text/paste'
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
import { follow, leave, linkFrom, toTools } from './rich-bar'
import type { Caret } from './rich-places'
import { type ChipText, chipText, showChips } from './rich-words'

export type LiveWords = {
  /** The words as they stand elsewhere: another field, a step back. */
  set: (word: FieldValue, known: ChipContext) => void
  setEditable: (editable: boolean) => void
  focus: (caret: Caret) => void
  /** Where the caret is. */
  type: (text: string) => void
  destroy: () => void
}

type LiveOptions = {
  readonly word: FieldValue
  readonly known: ChipContext
  readonly editable: boolean
  readonly onWord: (word: FieldValue, typed: string, letters: TypingSpan) => void
  /** To be kept: it is handed on in a longer pause. */
  readonly onUnpaused: (word: FieldValue) => void
}

/** Takes the element over: what it shows becomes what is typed. */
export function liveWords(element: HTMLElement, options: LiveOptions): LiveWords {
  let { known } = options
  const words = chipText(() => known)
  let last = options.word
  let { editable } = options
  const pauses = debounceWithMaxWait(
    (letters) => {
      unregisterPending(flush)
      const word = words.write(view.state.doc)
      if (!equal(word, last)) {
        last = word
        options.onWord(word, endOf(view.state.doc), letters)
      }
      persistDrafts()
    },
    FLUSH_DELAY_MS,
    { keep: () => options.onUnpaused(words.write(view.state.doc)), pauseMs: PERSIST_DELAY_MS },
  )
  const flush = pauses.flush
  /** A letter that the browser has put in, and brought into sight with its caret. */
  let isLetter = false
  const view = new EditorView(
    { mount: element },
    {
      state: stateOf(words, last),
      editable: () => editable,
      dispatchTransaction: (transaction) => {
        view.updateState(view.state.apply(transaction))
        const isTyped = isLetter
        isLetter = false
        if (transaction.docChanged && transaction.getMeta(FROM_ELSEWHERE) !== true) {
          registerPending(flush)
          pauses.schedule()
          if (isTyped && endsSentence(view.state)) flush()
        }
        follow(view)
      },
      handleKeyDown: (_, event) => onKey(view, event),
      handleTextInput: () => {
        // Over a selection it is put in by the editor.
        isLetter = view.state.selection.empty
        return false
      },
      // Else where the caret is was measured, up to the window, with each letter.
      handleScrollToSelection: () => isLetter,
      handleDOMEvents: {
        // A step back takes back what was typed last, also a moment ago.
        keydown: (own, event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) linkAtCaret(own)
          const isCommand = event.ctrlKey || event.metaKey || event.altKey
          if (!isCommand && event.key !== 'Escape') return false
          flush()
          return isOfThePage(event)
        },
        focus: () => {
          follow(view)
          return false
        },
        blur: (own) => {
          linkAtCaret(own)
          flush()
          leave(view)
          return false
        },
      },
      transformPastedHTML: cleanHtml,
      clipboardTextParser: (text) => plainSlice(text, words.schema),
      transformPasted: (slice) => linkAddresses(slice, words.schema),
      handlePaste: (own, event) => {
        if (pasteLink(own, event.clipboardData)) return true
        if (event.clipboardData?.types.includes('text/html') === true) {
          toastDone(wording.field.pasted)
        }
        return false
      },
    },
  )
  // It had the focus before it was one to type in.
  follow(view)
  warmUp(view)
  return {
    focus: (caret) => {
      view.focus()
      const at = caret === 'end' ? undefined : view.posAtCoords(caret)?.pos
      const { doc, tr } = view.state
      view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at ?? doc.content.size), -1)))
    },
    type: (text) => {
      if (text !== '') view.dispatch(view.state.tr.insertText(text))
    },
    set: (word, knownNow) => {
      if (knownNow !== known) showChips(view.dom, knownNow)
      known = knownNow
      if (equal(word, last)) return
      pauses.cancel()
      unregisterPending(flush)
      last = word
      const transaction = replaced(view.state, words.read(word))
      if (transaction !== null) view.dispatch(transaction)
    },
    setEditable: (next) => {
      if (next === editable) return
      editable = next
      view.setProps({})
    },
    destroy: () => {
      flush()
      leave(view)
      view.destroy()
    },
  }
}

let isWarm = false

/** Code that runs for the first time takes several times as long: that was waited for by the first letters. */
function warmUp({ dom, state: { schema } }: EditorView): void {
  if (isWarm) return
  isWarm = true
  setTimeout(() => {
    DOMParser.fromSchema(schema).parse(dom)
    serialise(parse('Una **parola**, [qui](/).', schema).doc)
  }, WARM_MS)
}

/** Behind what the press itself has begun. */
const WARM_MS = 100

const FROM_ELSEWHERE = 'from-elsewhere'
/** A blank after a sentence ends what one step takes back. */
function endsSentence({ doc, selection }: EditorState): boolean {
  return SENTENCE_END.test(endOf(doc)) && selection.to === Selection.atEnd(doc).to
}

/** Of the text's end: its last letters, and the ends of what they lie in. */
const END_LENGTH = 16

/** The last letters, which tell whether a sentence has ended: all of a long text is not gone through. */
function endOf(doc: Node): string {
  const { size } = doc.content
  return doc.textBetween(Math.max(0, size - END_LENGTH), size, '\n', ' ')
}

function stateOf({ schema, read }: ChipText, word: FieldValue): EditorState {
  const own = keys(schema)
  const Tab: Command = (state, dispatch, view) =>
    own.Tab?.(state, dispatch && notTooDeep(dispatch), view) ?? false
  const keyed = keymap({ ...own, Tab })
  const doc = read(word)
  return EditorState.create({
    doc,
    // Who comes by a tap or by keys goes on writing: without a place of its own the caret went to the start.
    selection: Selection.atEnd(doc),
    plugins: [flushSelection, markdownRules(schema), linkTyped(), keyed, keymap(baseKeymap)],
  })
}

/** Pages draw no deeper lists (`words/rich.rs`). */
const LEVELS_MAX = 12

function notTooDeep(dispatch: (transaction: Transaction) => void) {
  return (transaction: Transaction) => {
    let levels = 0
    transaction.doc.descendants((node, at) => {
      if (node.type.name === 'list_item') {
        levels = Math.max(levels, Math.ceil(transaction.doc.resolve(at).depth / 2))
      }
    })
    if (levels <= LEVELS_MAX) dispatch(transaction)
  }
}

/**
 * Left to the page: it publishes with Ctrl+Enter, where the editor would break the line. Escape and the
 * steps back and forth the editor holds back even where it has nothing to do with them.
 */
function isOfThePage(event: KeyboardEvent): boolean {
  if (event.isComposing) return false
  const key = event.key.toLowerCase()
  if (key === 'escape') return true
  if (event.altKey) return key === 'enter'
  return key === 'enter' || key === 'z' || key === 'y'
}

function onKey(view: EditorView, event: KeyboardEvent): boolean {
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
    linkFrom(view)
    return true
  }
  if (!event.altKey || event.key !== 'F10') return overChip(view, event)
  toTools(view)
  return true
}

const STEPS: Readonly<Record<string, { readonly by: 1 | -1; readonly deletes: boolean }>> = {
  ArrowLeft: { by: -1, deletes: false },
  ArrowRight: { by: 1, deletes: false },
  Backspace: { by: -1, deletes: true },
  Delete: { by: 1, deletes: true },
}

/** A chip is one sign: browsers differ in how they stand before one. */
function overChip(view: EditorView, event: KeyboardEvent): boolean {
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

/** The caret goes to the end of what is another now. */
function replaced({ doc, tr }: EditorState, fresh: Node): Transaction | null {
  if (doc.content.findDiffStart(fresh.content) === null) return null
  const end = doc.content.findDiffEnd(fresh.content)?.b ?? fresh.content.size
  tr.replaceWith(0, doc.content.size, fresh.content).setMeta(FROM_ELSEWHERE, true)
  const at = Math.min(Math.max(end, 0), tr.doc.content.size)
  return tr.setSelection(TextSelection.near(tr.doc.resolve(at), -1))
}
