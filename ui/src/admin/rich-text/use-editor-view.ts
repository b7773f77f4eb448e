// Binds a ProseMirror view to a field of the form: it shows the field's Markdown and reports edits after a pause.
import { useContext, useEffect, useRef, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { debounceWithMaxWait } from '../hooks/debounce'
import { toastDone } from '../ui/toast-store'
import { linkAtCaret } from './addresses'
import { hasWords, redo, undo, undoRedoAvailability } from './commands'
import { createView, stateOf } from './editor-view'
import { watchUploads } from './image-uploads'
import { parse, serialise, type Text } from './markdown'
import { richTextMessages } from './messages'
import { ALL_FEATURES, schemaWith } from './schema'
import { queryAt } from './slash-commands'
import { pressedTools } from './toolbar'
import { NO_UNDO_REDO, UndoRedoContext } from './undo-redo-context'

/** Typing pause after which the Markdown is passed to the form, so that not every keystroke serializes the text. */
const PAUSE_MS = 300

export type RichTextProps = {
  id: string
  label: string
  value: string
  onChange: (markdown: string) => void
  /** Most characters of Markdown; longer text stays, with an error. */
  max: number
  problem?: string | undefined
  describedBy?: string | undefined
  required?: boolean
  /** Called when uploads into the text start and end. */
  onBusy?: ((busy: boolean) => void) | undefined
}

/** State of the editor that the UI around the text shows. Compared as JSON, so that typing causes no re-render. */
export type EditorStatus = {
  readonly pressed: string
  /** A range with text in it is selected. */
  readonly ranged: boolean
  readonly query: { readonly text: string; readonly from: number } | null
  readonly back: boolean
  readonly forth: boolean
}

const NO_STATUS: EditorStatus = {
  pressed: '',
  ranged: false,
  query: null,
  back: false,
  forth: false,
}

type ViewParts = {
  props: RichTextProps
  /** Id of the slash menu and of other elements of the field. */
  own: string
  host: { readonly current: HTMLElement | null }
  docked: boolean
  /** Handles a key before the editor does. Reads the current props. */
  onKey: (view: EditorView, event: KeyboardEvent) => boolean
}

/** Creates one editor for the lifetime of the field; it reads current props from `latest`. */
export function useEditorView({ props, own, host, docked, onKey }: ViewParts) {
  const latest = useRef({ props, onKey })
  latest.current = { props, onKey }
  const [view, setView] = useState<EditorView | null>(null)
  const [status, setStatus] = useState<EditorStatus>(NO_STATUS)
  const flush = useRef<() => void>(() => undefined)
  const origin = useRef<Text | null>(null)
  // Values passed to the form that it has not rendered yet, newest last; the first is the rendered value.
  const sent = useRef([props.value])

  useEffect(() => {
    if (host.current === null) return undefined
    const schema = schemaWith(ALL_FEATURES)
    const placeholder = docked ? richTextMessages.placeholderTouch : richTextMessages.placeholder
    const text = parse(props.value, schema)
    origin.current = text
    let made: EditorView | null = null
    const pauses = debounceWithMaxWait(() => {
      if (made === null) return
      const markdown = serialise(made.state.doc, origin.current)
      if (markdown === sent.current.at(-1)) return
      sent.current.push(markdown)
      latest.current.props.onChange(markdown)
    }, PAUSE_MS)
    const hand = pauses.flush
    flush.current = hand
    made = createView({
      host: host.current,
      text,
      placeholder,
      onFormattedPaste,
      attributes: () => attributesOf(latest.current.props, own),
      onKey: (current, event) => latest.current.onKey(current, event),
      onSend: hand,
      onChange: (current, transaction) => {
        if (transaction.docChanged) pauses.schedule()
        setStatus((before) => reuseStatus(before, statusOf(current)))
      },
    })
    watchUploads(made, (busy) => {
      // Saving is possible again, so the form must have the picture first.
      if (!busy) hand()
      latest.current.props.onBusy?.(busy)
    })
    setView(made)
    const stopWatching = flushOnLeave(hand)
    return () => {
      hand()
      stopWatching()
      made?.destroy()
      made = null
    }
  }, [])

  // A value from outside: a restored draft, or the other version of a conflict.
  useEffect(() => {
    if (view === null) return
    // On a slow device the form renders one value while the next is pending: both come from this editor.
    const own = sent.current.indexOf(props.value)
    sent.current = own < 0 ? [props.value] : sent.current.slice(own)
    if (own >= 0) return
    const text = parse(props.value, view.state.schema)
    origin.current = text
    const { placeholder } = richTextMessages
    view.updateState(stateOf({ text, placeholder, onFormattedPaste }))
    setStatus(NO_STATUS)
  }, [view, props.value])

  useUndoRedo(view, status)
  const end = () => {
    if (view !== null) linkAtCaret(view)
    flush.current()
  }
  return { view, status, flush: end }
}

function onFormattedPaste(): void {
  toastDone(richTextMessages.pasted)
}

/** Returns the function that ends it. */
function flushOnLeave(flush: () => void): () => void {
  window.addEventListener('pagehide', flush)
  // Phones end a background app without a further event.
  document.addEventListener('visibilitychange', flush)
  return () => {
    window.removeEventListener('pagehide', flush)
    document.removeEventListener('visibilitychange', flush)
  }
}

/** Passes undo and redo to the form, and withdraws both on unmount. */
function useUndoRedo(view: EditorView | null, { back, forth }: EditorStatus): void {
  const tell = useContext(UndoRedoContext)
  useEffect(() => {
    if (view === null) return
    const go = (way: typeof undo) => () => {
      way(view.state, view.dispatch)
      view.focus()
    }
    tell({ undo: back ? go(undo) : null, redo: forth ? go(redo) : null })
  }, [tell, view, back, forth])
  useEffect(() => () => tell(NO_UNDO_REDO), [tell])
}

function statusOf(view: EditorView): EditorStatus {
  const { selection } = view.state
  const ranged = selection.toJSON().type === 'text' && hasWords(view.state)
  return {
    pressed: pressedTools(view),
    ranged,
    query: queryAt(view.state),
    ...undoRedoAvailability(view.state),
  }
}

/** Returns the previous state if equal, to avoid a re-render. A range always re-renders, because its toolbar moves. */
function reuseStatus(before: EditorStatus, now: EditorStatus): EditorStatus {
  return !now.ranged && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

function attributesOf(props: RichTextProps, own: string): Record<string, string> {
  const open = document.getElementById(`${own}-menu`)
  const active = open?.querySelector('[aria-selected=true]')?.id
  return {
    id: props.id,
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-label': props.label,
    ...(props.required === true ? { 'aria-required': 'true' } : {}),
    ...(props.problem === undefined ? {} : { 'aria-invalid': 'true' }),
    ...(props.describedBy === undefined ? {} : { 'aria-describedby': props.describedBy }),
    ...(open && active ? { 'aria-controls': open.id, 'aria-activedescendant': active } : {}),
  }
}
