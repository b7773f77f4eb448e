// Underlines medical terms and promises in place: on the page in the preview iframe, in the form beside it, and in the
// forms of events and articles. A click or Alt+Enter opens the explanation.
import { debounceWithMaxWait } from '../hooks/debounce'
import { dismissWarning, watchDismissedWarnings } from './dismissed-warnings'
import { articleBefore, rectsIn, textIn } from './dom-text-range'
import {
  closeLintPopover,
  isInLintPopover,
  isLintPopoverOpen,
  openLintPopover,
} from './lint-popover'
import styles from './lint-popover.module.css'
import { findMedicalTerms, fitting, type LintMatch } from './medical-terms'

/** A checked text with its element and field. */
export type LintTarget = {
  readonly element: HTMLElement
  readonly place: string
  /** Text as 'Lascia così' stores it. */
  readonly text: string
}

type Spot = LintTarget & {
  readonly concern: LintMatch
  /** Start and end offset in the text of `element`. */
  readonly from: number
  readonly to: number
  /** Null in a form field, whose text is not part of the DOM. */
  readonly range: Range | null
}

const PAUSE_MS = 250
const HIGHLIGHT = 'words-concern'
/** Tolerance of a click beside the word. */
const NEAR_PX = 3

type Letters = {
  readonly isWritten: () => boolean
  readonly whenHanded: (act: () => void) => () => void
}

type WatchOptions = {
  readonly looked: () => readonly LintTarget[]
  /** Storage key of the dismissed warnings. */
  readonly key: string
  /** Pending input of a debounced editor: the check runs after the input is flushed. */
  readonly letters?: Letters
  /** Called after each check with the highlighted words. */
  readonly onLook?: (marked: readonly string[]) => void
}

/** Checks and highlights the targets now and after each change. Returns a function that stops it. */
export function watchLintTargets(
  root: HTMLElement | Document,
  { looked, key, letters, onLook }: WatchOptions,
): () => void {
  const page = root instanceof HTMLElement ? root.ownerDocument : (root as Document)
  let spots: readonly Spot[] = []
  const lines = document.createElement('div')
  const draw = () => underline(lines, root, spots)
  const look = () => {
    spots = looked().flatMap(spotsOf)
    highlight(page, spots)
    draw()
    onLook?.(spots.map(({ concern }) => concern.word))
  }
  const isAwaited = () => letters?.isWritten() === true
  const pauses = debounceWithMaxWait(
    () => {
      if (!isAwaited()) look()
    },
    PAUSE_MS,
    // Highlights are updated in pauses only, without an upper bound while typing goes on.
    { keep: () => {}, pauseMs: PAUSE_MS },
  )
  // While input is pending, a check would be outdated, so no timer is set for each keystroke.
  const soon = () => {
    if (!isAwaited()) pauses.schedule()
  }
  const unawait = letters?.whenHanded(pauses.schedule)
  const open = (spot: Spot) =>
    openHint(page, spot, () => dismissWarning(key, spot.place, spot.text))
  const onClick = (event: Event) => {
    if (isInLintPopover(event.target)) return
    // Recent keystrokes may have moved the words.
    look()
    const { clientX: x, clientY: y } = event as MouseEvent
    const hit = spots.find(
      (spot) =>
        spot.element.contains(event.target as Node | null) &&
        rectsOf(spot).some((box) => isNear(box, x, y)),
    )
    if (hit !== undefined) open(hit)
    else if (isLintPopoverOpen()) closeLintPopover()
  }
  const onKey = (event: Event) => {
    const { key: name, altKey } = event as KeyboardEvent
    if (name !== 'Enter' || !altKey) return
    look()
    const hit = spotAtCaret(page, spots)
    if (hit === undefined) return
    event.preventDefault()
    event.stopImmediatePropagation()
    open(hit)
  }
  // Mutations of the underlines themselves are not changes of the text.
  const isOwn = ({ target, addedNodes, removedNodes }: MutationRecord) =>
    lines.contains(target) || [...addedNodes, ...removedNodes].includes(lines)
  const observer = new MutationObserver((seen) => {
    if (!seen.every(isOwn)) soon()
  })
  observer.observe(root, { subtree: true, childList: true, characterData: true })
  root.addEventListener('input', soon)
  root.addEventListener('click', onClick)
  root.addEventListener('keydown', onKey, true)
  const unfollow = followMoves(page, () => {
    if (spots.length > 0) draw()
  })
  // The page and the form beside it show the same word: a dismissal in one updates the other.
  const unwatch = watchDismissedWarnings(look)
  look()
  return () => {
    pauses.cancel()
    unawait?.()
    unwatch()
    observer.disconnect()
    root.removeEventListener('input', soon)
    root.removeEventListener('click', onClick)
    root.removeEventListener('keydown', onKey, true)
    unfollow()
    lines.remove()
    highlight(page, [])
    closeLintPopover()
  }
}

function openHint(page: Document, spot: Spot, onLeave: () => void): void {
  openLintPopover({
    concern: spot.concern,
    anchor: onScreen(page, spot),
    onReplace: (other) => replace(page, spot, fitting(spot.concern, other)),
    onLeave,
    onClose: () => spot.element.focus(),
  })
}

/** Calls `draw` once per frame after scrolling or resizing. Returns a function that stops it. */
function followMoves(page: Document, draw: () => void): () => void {
  let frame = 0
  const soon = () => {
    cancelAnimationFrame(frame)
    frame = requestAnimationFrame(draw)
  }
  page.addEventListener('scroll', soon, { capture: true, passive: true })
  window.addEventListener('resize', soon)
  return () => {
    cancelAnimationFrame(frame)
    page.removeEventListener('scroll', soon, { capture: true })
    window.removeEventListener('resize', soon)
  }
}

function isField(element: Element): element is HTMLInputElement | HTMLTextAreaElement {
  return element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement
}

function spotsOf(looked: LintTarget): readonly Spot[] {
  const { element } = looked
  const { text, rangeOf } = isField(element)
    ? { text: element.value, rangeOf: () => null }
    : textIn(element)
  return findMedicalTerms(text).map((concern) => {
    const [from, to] = [concern.index, concern.index + concern.word.length]
    return { ...looked, concern, from, to, range: rangeOf(from, to) }
  })
}

/** Returns the rectangles in the viewport of the element's own document. */
function rectsOf({ element, from, to, range }: Spot): readonly DOMRect[] {
  return isField(element) ? rectsIn(element, from, to) : [...(range?.getClientRects() ?? [])]
}

/** Uses the CSS Custom Highlight API, which leaves the DOM of the edited text unchanged. */
function highlight(page: Document, spots: readonly Spot[]): void {
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view?.CSS.highlights === undefined) return
  const ranges = spots.flatMap(({ range }) => range ?? [])
  view.CSS.highlights.set(HIGHLIGHT, new view.Highlight(...ranges))
}

/** Draws underlines over form fields, whose text the Highlight API cannot reach. */
function underline(lines: HTMLElement, root: HTMLElement | Document, spots: readonly Spot[]): void {
  const own = spots.filter(({ element }) => isField(element))
  if (own.length === 0 || !(root instanceof HTMLElement)) {
    lines.remove()
    return
  }
  lines.className = styles.lines ?? ''
  lines.setAttribute('aria-hidden', 'true')
  if (lines.parentElement !== root) root.append(lines)
  const ground = lines.getBoundingClientRect()
  const drawn = own.flatMap((spot) =>
    rectsOf(spot).flatMap((box) => {
      // No underline where another element covers the field.
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
      if (top !== spot.element) return []
      const line = document.createElement('i')
      line.style.setProperty('--x', `${box.x - ground.x}px`)
      line.style.setProperty('--y', `${box.bottom - ground.y}px`)
      line.style.setProperty('--width', `${box.width}px`)
      return [line]
    }),
  )
  lines.replaceChildren(...drawn)
}

function isNear({ left, right, top, bottom }: DOMRect, x: number, y: number): boolean {
  return x >= left - NEAR_PX && x <= right + NEAR_PX && y >= top - NEAR_PX && y <= bottom + NEAR_PX
}

/** Returns the highlighted word that contains the caret or ends at it. */
function spotAtCaret(page: Document, spots: readonly Spot[]): Spot | undefined {
  const active = page.activeElement
  if (active !== null && isField(active)) {
    const at = active.selectionStart ?? 0
    return spots.find(({ element, from, to }) => element === active && from <= at && at <= to)
  }
  const selection = page.getSelection()
  const { focusNode, focusOffset = 0 } = selection ?? {}
  if (!focusNode) return undefined
  return spots.find(({ range }) => range?.isPointInRange(focusNode, focusOffset) === true)
}

/** Returns the rectangle in the coordinates of the panel's window, with the offset of the iframe. */
function onScreen(page: Document, spot: Spot): DOMRect {
  const box = rectsOf(spot)[0] ?? spot.element.getBoundingClientRect()
  const frame = page.defaultView?.frameElement?.getBoundingClientRect()
  return new DOMRect(box.x + (frame?.x ?? 0), box.y + (frame?.y ?? 0), box.width, box.height)
}

/** Replaces the word with `execCommand`, as one undo step, and selects the new word and its article. */
function replace(page: Document, { element, from, to }: Spot, other: string): void {
  element.focus()
  if (isField(element)) {
    element.setSelectionRange(from, to)
    page.execCommand('insertText', false, other)
    const article = articleBefore(element.value.slice(0, from))
    element.setSelectionRange(from - article, from + other.length)
    return
  }
  const range = textIn(element).rangeOf(from, to)
  const selection = page.getSelection()
  if (range === null || selection === null) return
  selection.removeAllRanges()
  selection.addRange(range)
  page.execCommand('insertText', false, other)
  const words = textIn(element)
  const article = articleBefore(words.text.slice(0, from))
  const mended = words.rangeOf(from - article, from + other.length)
  if (mended === null) return
  selection.removeAllRanges()
  selection.addRange(mended)
}
