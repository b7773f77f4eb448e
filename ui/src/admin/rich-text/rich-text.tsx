// WYSIWYG editor of a text that is stored as Markdown.

import { useContext, useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import hidden from '../../primitives/hidden.module.css'
import { debounceWithMaxWait } from '../hooks/debounce'
import { toastDone } from '../ui/toast-store'
import { hasWords, isAtStart, linkAt, redo, setLink, undo, ways } from './commands'
import { createView, stateOf } from './editor-view'
import { watchUploads } from './image-uploads'
import { LengthCounter, TooLong } from './length-counter'
import { LinkBox } from './link-box'
import { parse, serialise, type Text } from './markdown'
import { richWords } from './messages'
import overlay from './overlay.module.css'
import styles from './rich-text.module.css'
import { ALL_FEATURES, schemaWith } from './schema'
import { choose, type Entry, entriesOf, matching, queryAt } from './slash-commands'
import { SlashMenu } from './slash-menu'
import { pressedTools, Toolbar } from './toolbar'
import { LEAVES_UP, NO_UNDO_REDO, UndoRedoContext } from './undo-redo-context'

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

/** State of the UI around the text. Compared as JSON, so that typing causes no re-render. */
type Around = {
  readonly pressed: string
  /** A range with text in it is selected. */
  readonly ranged: boolean
  readonly query: { readonly text: string; readonly from: number } | null
  readonly back: boolean
  readonly forth: boolean
}

const NOTHING: Around = { pressed: '', ranged: false, query: null, back: false, forth: false }

export function RichText(props: RichTextProps) {
  const own = useId()
  const frame = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [view, setView] = useState<EditorView | null>(null)
  const [around, setAround] = useState<Around>(NOTHING)
  const [focused, setFocused] = useState(false)
  const [linking, setLinking] = useState(false)
  const docked = useDocked()
  const flush = useRef<() => void>(() => undefined)
  const menu = useMenu(view, around.query)

  // One editor for the lifetime of the field; it reads current props from `latest`.
  const parts = useRef<{ onKey: (view: EditorView, event: KeyboardEvent) => boolean }>(null)
  parts.current = {
    onKey: (current, event) => {
      if (menu.onKey(event)) return true
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        setLinking(true)
        return true
      }
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') flush.current()
      if (event.altKey && event.key === 'F10') {
        frame.current?.querySelector<HTMLElement>('[role=toolbar] button')?.focus()
        return true
      }
      return toFields(current, event) || leaveUp(current, event)
    },
  }

  const origin = useRef<Text | null>(null)
  // Values passed to the form that it has not rendered yet, newest last; the first is the rendered value.
  const sent = useRef([props.value])

  useEffect(() => {
    if (host.current === null) return undefined
    const schema = schemaWith(ALL_FEATURES)
    const placeholder = docked ? richWords.placeholderTouch : richWords.placeholder
    const text = parse(props.value, schema)
    origin.current = text
    let made: EditorView | null = null
    const pauses = debounceWithMaxWait(() => {
      if (made === null) return
      const markdown = serialise(made.state.doc, origin.current)
      if (markdown === sent.current.at(-1)) return
      sent.current.push(markdown)
      latest.current.onChange(markdown)
    }, PAUSE_MS)
    const hand = pauses.flush
    flush.current = hand
    made = createView({
      host: host.current,
      schema,
      text,
      placeholder,
      attributes: () => attributesOf(latest.current, own),
      onKey: (current, event) => parts.current?.onKey(current, event) ?? false,
      onSend: hand,
      onChange: (current, transaction) => {
        if (transaction.docChanged) pauses.schedule()
        setAround((before) => same(before, aroundOf(current)))
      },
      onPasted: (html) => {
        if (html) toastDone(richWords.pasted)
      },
    })
    watchUploads(made, (busy) => {
      // Saving is possible again, so the form must have the picture first.
      if (!busy) hand()
      latest.current.onBusy?.(busy)
    })
    setView(made)
    window.addEventListener('pagehide', hand)
    // Phones end a background app without a further event.
    document.addEventListener('visibilitychange', hand)
    return () => {
      hand()
      window.removeEventListener('pagehide', hand)
      document.removeEventListener('visibilitychange', hand)
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
    const { schema } = view.state
    const text = parse(props.value, schema)
    origin.current = text
    view.updateState(stateOf({ schema, text, placeholder: richWords.placeholder }))
    setAround(NOTHING)
  }, [view, props.value])

  useTravel(view, around)
  useEffect(() => view?.setProps({}), [view, props.problem, menu.active, menu.open])

  const closeLink = () => {
    setLinking(false)
    view?.focus()
  }
  const floats = view !== null && around.ranged && !docked && (focused || linking)
  const docks = view !== null && docked && focused
  const bar = view !== null && (floats || docks) && !linking
  return (
    <div
      className={styles.frame}
      ref={frame}
      onFocusCapture={() => setFocused(true)}
      onBlurCapture={(event) => {
        if (frame.current?.contains(event.relatedTarget as Node | null) === true) return
        setFocused(false)
        flush.current()
      }}
    >
      <div ref={host} className={styles.text} />
      {view !== null && (bar || linking) ? (
        <Over view={view} docked={docked} key={docked ? 'dock' : 'float'}>
          {linking ? (
            <LinkBox
              href={linkAt(view.state)?.href ?? ''}
              onApply={(href) => {
                setLink(href)(view.state, view.dispatch)
                closeLink()
              }}
              onRemove={
                linkAt(view.state) === null
                  ? null
                  : () => {
                      setLink(null)(view.state, view.dispatch)
                      closeLink()
                    }
              }
              onClose={closeLink}
            />
          ) : (
            <Toolbar
              view={view}
              pressed={around.pressed}
              docked={docked}
              onLink={() => setLinking(true)}
              onInsert={() => {
                view.dispatch(view.state.tr.insertText(atWordEnd(view) ? ' /' : '/'))
                view.focus()
              }}
            />
          )}
        </Over>
      ) : null}
      {view !== null && menu.open ? <SlashMenu id={own} menu={menu} view={view} /> : null}
      <p className={hidden.hidden} role="status">
        {menu.open ? menu.said : ''}
      </p>
      <LengthCounter markdown={props.value} />
      <TooLong value={props.value} max={props.max} />
    </div>
  )
}

/** Passes undo and redo to the form, and withdraws both on unmount. */
function useTravel(view: EditorView | null, { back, forth }: Around): void {
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

/** Positions its children over the selection, or docked at the bottom of the viewport. */
function Over(props: { view: EditorView; docked: boolean; children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const { view, docked } = props
  useLayoutEffect(() => {
    const element = box.current
    const frame = element?.parentElement?.getBoundingClientRect()
    if (docked || element === null || frame === undefined) return
    const { from, to } = view.state.selection
    const start = view.coordsAtPos(from)
    const end = view.coordsAtPos(to, -1)
    const middle =
      start.top === end.top ? (start.left + end.left) / 2 : frame.left + frame.width / 2
    const half = element.offsetWidth / 2
    const x = Math.min(Math.max(middle - frame.left, half), Math.max(half, frame.width - half))
    const above = start.top - frame.top - element.offsetHeight - 8
    const y = start.top - element.offsetHeight < 70 ? end.bottom - frame.top + 8 : above
    // The content security policy forbids style attributes; the style object is not one.
    element.style.setProperty('--x', `${x}px`)
    element.style.setProperty('--y', `${y}px`)
  })
  return (
    <div ref={box} className={docked ? overlay.docked : overlay.floating}>
      {props.children}
    </div>
  )
}

export type Menu = {
  readonly open: boolean
  readonly entries: readonly Entry[]
  readonly active: number
  readonly from: number
  readonly said: string
  readonly onKey: (event: KeyboardEvent) => boolean
  readonly take: (entry: Entry) => void
}

function useMenu(view: EditorView | null, query: Around['query']): Menu {
  // The choice is valid for this query only: a new query starts at the first entry, however late it renders.
  const [chosen, setChosen] = useState({ text: '', place: 0 })
  const [dismissed, setDismissed] = useState<number | null>(null)
  const entries =
    view === null || query === null ? [] : matching(entriesOf(view.state.schema), query.text)
  const open = query !== null && entries.length > 0 && dismissed !== query.from
  const text = query?.text ?? ''
  const active = chosen.text === text ? chosen.place : 0
  useEffect(() => {
    if (query !== null) return
    setDismissed(null)
    setChosen({ text: '', place: 0 })
  }, [query])
  const from = query?.from ?? 0
  const take = (entry: Entry) => {
    if (view !== null) choose(view, entry, from)
  }
  const onKey = (event: KeyboardEvent): boolean => {
    if (!open) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined)
      setChosen({ text, place: (active + step + entries.length) % entries.length })
    else if (event.key === 'Escape') {
      event.stopPropagation()
      setDismissed(from)
    } else if (event.key === 'Enter' || event.key === 'Tab') {
      const entry = entries[active]
      if (entry !== undefined) take(entry)
    } else return false
    event.preventDefault()
    return true
  }
  const { countOne, count } = richWords.insert
  const said = entries.length === 1 ? countOne : count.replace('{n}', String(entries.length))
  return { open, entries, active, from, said, onKey, take }
}

function aroundOf(view: EditorView): Around {
  const { selection } = view.state
  const ranged = selection.toJSON().type === 'text' && hasWords(view.state)
  return { pressed: pressedTools(view), ranged, query: queryAt(view.state), ...ways(view.state) }
}

/** Returns the previous state if equal, to avoid a re-render. A range always re-renders, because its toolbar moves. */
function same(before: Around, now: Around): Around {
  return !now.ranged && JSON.stringify(before) === JSON.stringify(now) ? before : now
}

/** Moves the focus from a selected block into its fields on Tab. */
function toFields(view: EditorView, event: KeyboardEvent): boolean {
  const { selection } = view.state
  if (event.key !== 'Tab' || event.shiftKey || selection.toJSON().type !== 'node') return false
  const dom = view.nodeDOM(selection.from)
  const field = dom instanceof Element ? dom.querySelector<HTMLElement>('button, input') : null
  if (field === null) return false
  event.preventDefault()
  field.focus()
  return true
}

/** Lets ArrowUp at the start of the text move the focus to the title above; not with a selection. */
function leaveUp({ dom, state }: EditorView, event: KeyboardEvent): boolean {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = event
  if (key !== 'ArrowUp' || shiftKey || ctrlKey || metaKey || altKey || !isAtStart(state))
    return false
  return !dom.dispatchEvent(new Event(LEAVES_UP, { bubbles: true, cancelable: true }))
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

function atWordEnd({ state }: EditorView): boolean {
  const { $from } = state.selection
  return /\S$/.test($from.parent.textBetween(0, $from.parentOffset, undefined, ' '))
}

/** Whether the toolbar is docked above the keyboard: on touch devices and narrow screens. */
function useDocked(): boolean {
  const [media] = useState(() => window.matchMedia('(pointer: coarse), (width < 44rem)'))
  const [docked, setDocked] = useState(media.matches)
  useEffect(() => {
    const change = () => setDocked(media.matches)
    media.addEventListener('change', change)
    return () => media.removeEventListener('change', change)
  }, [media])
  return docked
}
