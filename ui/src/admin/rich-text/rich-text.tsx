// WYSIWYG editor of a text that is stored as Markdown.

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { isImeKey } from '../../lib/ime-key'
import hidden from '../../primitives/hidden.module.css'
import { isAtStart, linkAt, setLink } from './commands'
import { LinkBox } from './link-box'
import overlay from './overlay.module.css'
import styles from './rich-text.module.css'
import { SlashMenu, useSlashMenu } from './slash-menu'
import { TextStatistics, TooLong } from './text-statistics'
import { Toolbar } from './toolbar'
import { LEAVE_UPWARD_EVENT } from './undo-redo-context'
import { type EditorStatus, type RichTextProps, useEditorView } from './use-editor-view'

export function RichText(props: RichTextProps) {
  const own = useId()
  const frame = useRef<HTMLDivElement>(null)
  const host = useRef<HTMLDivElement>(null)
  const [focused, setFocused] = useState(false)
  const [linking, setLinking] = useState(false)
  const docked = useDocked()
  const onKey = (current: EditorView, event: KeyboardEvent) => {
    if (isImeKey(event)) return false
    if (menu.onKey(event)) return true
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
      setLinking(true)
      return true
    }
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') flush()
    if (event.altKey && event.key === 'F10') {
      frame.current?.querySelector<HTMLElement>('[role=toolbar] button')?.focus()
      return true
    }
    return toFields(current, event) || leaveUp(current, event)
  }
  const { view, status, flush } = useEditorView({ props, own, host, docked, onKey })
  const menu = useSlashMenu(view, status.query)
  useEffect(() => view?.setProps({}), [view, props.problem, menu.active, menu.open])
  const floats = view !== null && status.ranged && !docked && (focused || linking)
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
        flush()
      }}
    >
      <div ref={host} className={styles.text} />
      {view !== null && (bar || linking) ? (
        <Over view={view} docked={docked} key={docked ? 'dock' : 'float'}>
          <SelectionTools {...{ view, status, docked, linking, setLinking }} />
        </Over>
      ) : null}
      {view !== null && menu.open ? <SlashMenu id={own} menu={menu} view={view} /> : null}
      <p className={hidden.hidden} role="status">
        {menu.open ? menu.said : ''}
      </p>
      <TextStatistics markdown={props.value} />
      <TooLong value={props.value} max={props.max} />
    </div>
  )
}

type SelectionToolsProps = {
  view: EditorView
  status: EditorStatus
  docked: boolean
  linking: boolean
  setLinking: (linking: boolean) => void
}

/** The toolbar, or the link editor that a button of it opens. */
function SelectionTools({ view, status, docked, linking, setLinking }: SelectionToolsProps) {
  if (!linking) {
    return (
      <Toolbar
        view={view}
        pressed={status.pressed}
        docked={docked}
        onLink={() => setLinking(true)}
        onInsert={() => {
          view.dispatch(view.state.tr.insertText(isAtWordEnd(view) ? ' /' : '/'))
          view.focus()
        }}
      />
    )
  }
  const close = () => {
    setLinking(false)
    view.focus()
  }
  const apply = (href: string | null) => {
    setLink(href)(view.state, view.dispatch)
    close()
  }
  const link = linkAt(view.state)
  return (
    <LinkBox
      href={link?.href ?? ''}
      onApply={apply}
      onRemove={link === null ? null : () => apply(null)}
      onClose={close}
    />
  )
}

/** Positions its children over the selection, or docked at the bottom of the viewport. */
function Over(props: { view: EditorView; docked: boolean; children: preact.ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null)
  const { view, docked } = props
  const place = () => {
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
  }
  const latest = useRef(place)
  latest.current = place
  useLayoutEffect(place)
  // The link box grows by itself. It was placed anew at the next render only, and moved away under a press.
  useEffect(() => {
    const watch = new ResizeObserver(() => latest.current())
    if (box.current !== null) watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return (
    <div ref={box} className={docked ? overlay.docked : overlay.floating}>
      {props.children}
    </div>
  )
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
  return !dom.dispatchEvent(new Event(LEAVE_UPWARD_EVENT, { bubbles: true, cancelable: true }))
}

function isAtWordEnd({ state }: EditorView): boolean {
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
