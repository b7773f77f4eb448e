// The toolbar over a selection of rich text, in the panel's own document: over the page in its iframe too.
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { EditorView } from 'prosemirror-view'
import { linkAt, setLink } from '../../../rich-text/commands'
import { LinkBox } from '../../../rich-text/link-box'
import { richTextMessages } from '../../../rich-text/messages'
import { pressedTools, Toolbar } from '../../../rich-text/toolbar'
import { TOOLS } from './restore-on-escape'
import styles from './selection-toolbar.module.css'

/** Whose selection it is, and how it came to be shown. */
let shown: { readonly view: EditorView; readonly as: 'tools' | 'link' } | null = null
let host: HTMLElement | null = null

/** After each change of the selection. */
export function followSelection(view: EditorView): void {
  if (shown?.view === view && shown.as === 'link') return
  const { selection } = view.state
  const isRange = !selection.empty && selection.$from.parent.isTextblock
  if ((isRange || isTouch()) && isIn(view)) draw({ view, as: 'tools' })
  else if (shown?.view === view) draw(null)
}

/** Its view lost the focus: to the tools themselves, or to something else. */
export function hideToolbar(view: EditorView): void {
  setTimeout(() => {
    if (shown?.view !== view || isIn(view)) return
    if (host?.contains(document.activeElement) !== true) draw(null)
  })
}

/** What has the focus of its frame may not have the window's. */
function isIn(view: EditorView): boolean {
  return view.hasFocus() && view.dom.ownerDocument.hasFocus()
}

export function openToolbar(view: EditorView): void {
  draw({ view, as: 'tools' })
  host?.querySelector<HTMLElement>('[role=toolbar] button')?.focus()
}

export function openLinkBox(view: EditorView): void {
  draw({ view, as: 'link' })
}

const touch = window.matchMedia('(pointer: coarse), (width < 60rem)')

function isTouch(): boolean {
  return touch.matches
}

function draw(next: typeof shown): void {
  shown = next
  if (host === null) {
    host = document.createElement('div')
    host.id = TOOLS
    // Beside the panel's own parts, so that it is found among them.
    host.setAttribute('role', 'region')
    host.setAttribute('aria-label', richTextMessages.toolbar)
    document.body.append(host)
    host.addEventListener('focusout', () => {
      const { view } = shown ?? {}
      if (view !== undefined && !isIn(view)) hideToolbar(view)
    })
    // The page moves beneath it.
    for (const change of ['resize', 'scroll'] as const)
      window.visualViewport?.addEventListener(change, () => draw(shown))
    // Gone with its page, a text says nothing of losing the focus.
    window.addEventListener('hashchange', () => draw(null))
    document.addEventListener('scroll', () => draw(shown), { capture: true, passive: true })
  }
  const frame = shown?.view.dom.ownerDocument
  if (frame !== undefined && frame !== document) frame.onscroll = () => draw(shown)
  host.hidden = shown === null
  // Safari pans the visual viewport to the focused field.
  const { offsetTop = 0, height = window.innerHeight } = window.visualViewport ?? {}
  host.style.setProperty('--visible-bottom', `${offsetTop + height}px`)
  render(shown === null ? null : <Bar {...shown} />, host)
}

function Bar({ view, as }: NonNullable<typeof shown>) {
  const box = useRef<HTMLDivElement>(null)
  const docked = isTouch()
  useLayoutEffect(() => {
    if (box.current !== null && !docked) stand(box.current, view)
  })
  const close = () => {
    draw(null)
    view.focus()
    followSelection(view)
  }
  const set = (href: string | null) => {
    setLink(href)(view.state, view.dispatch)
    close()
  }
  return (
    <div ref={box} className={docked ? `${styles.over} ${styles.docked}` : styles.over}>
      {as === 'link' ? (
        <LinkBox
          href={linkAt(view.state)?.href ?? ''}
          onApply={set}
          onRemove={linkAt(view.state) === null ? null : () => set(null)}
          onClose={close}
        />
      ) : (
        <Toolbar
          view={view}
          pressed={pressedTools(view)}
          // Its own way back is the editor's: here that is the page's.
          docked={false}
          onLink={() => openLinkBox(view)}
          onInsert={() => undefined}
        />
      )}
    </div>
  )
}

const GAP_PX = 8
const BAR_PX = 64

/** Over the selection, or under it where that is out of sight; the frame stands in the window. */
function stand(box: HTMLElement, view: EditorView): void {
  const { from, to } = view.state.selection
  const [start, end] = [view.coordsAtPos(from), view.coordsAtPos(to, -1)]
  const frame = view.dom.ownerDocument.defaultView?.frameElement?.getBoundingClientRect()
  const [left, top] = [frame?.left ?? 0, frame?.top ?? 0]
  const text = view.dom.getBoundingClientRect()
  const middle = start.top === end.top ? (start.left + end.left) / 2 : text.left + text.width / 2
  const half = box.offsetWidth / 2
  const x = Math.min(Math.max(left + middle, half + GAP_PX), innerWidth - half - GAP_PX)
  const above = top + start.top - box.offsetHeight - GAP_PX
  const y = above < Math.max(top, BAR_PX) ? top + end.bottom + GAP_PX : above
  // The content security policy forbids style attributes; the style object is not one.
  box.style.setProperty('--x', `${x - half}px`)
  box.style.setProperty('--y', `${y}px`)
}
