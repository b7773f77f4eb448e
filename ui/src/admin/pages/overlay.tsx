// What lies over the page: the name of what one is at, and the tools of an entry of a list.
import { GripVertical, Plus, Trash2 } from 'lucide'
import { render } from 'preact'
import { Icon } from '../../primitives/icon'
import { textLength } from '../length'
import { entriesChange } from './block-form'
import type { Block } from './contract'
import { entryElement, OVER, type Place, pathAt, placeAround } from './frame-page'
import overlayCss from './overlay.css?inline'
import { at, entryOf, entryTitle, fieldAt, isList, listOf } from './value'
import { fill, wording } from './wording'

export type Overlay = {
  readonly page: Document
  hover: (place: Place | null) => void
  focus: (place: Place | null) => void
  /** Into the tools of the entry one is at. */
  enter: () => void
  refresh: () => void
}

type Seen = { readonly element: HTMLElement; readonly path: string }

/** An entry on the page, with the list it is one of. */
type Entry = {
  readonly block: Block
  readonly list: string
  readonly index: number
  readonly total: number
  readonly title: string
  readonly least: number
  readonly most: number
}

const { entries: own } = wording
/** From this share of the limit on, the label counts. */
const NEAR_SHARE = 0.8

export function mountOverlay(page: Document, blocks: () => readonly Block[]): Overlay {
  const host = page.createElement('div')
  host.id = OVER
  page.body.append(host)
  const root = host.attachShadow({ mode: 'open' })
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view !== null) {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(overlayCss)
    root.adoptedStyleSheets = [sheet]
  }
  let hovered: Seen | null = null
  let focused: Seen | null = null
  let lifted: { block: string; list: string; from: number; at: number } | null = null
  let said = ''

  /** The same words may stand in two places: the element itself, as long as it is there. */
  const find = (seen: Seen | null) => {
    if (seen === null) return null
    const { element, path } = seen
    const isHere = element.isConnected && pathAt(element) === path
    const name = CSS.escape(path)
    const found = isHere
      ? element
      : page.querySelector(`[data-words="${name}"], [data-words-picture="${name}"]`)
    return found === null ? null : placeAround(found, blocks())
  }
  const draw = () => {
    const place = find(focused) ?? find(hovered)
    const label = find(hovered) ?? place
    const entry = entryAt(place)
    markEntry(page, entry)
    render(
      <>
        {label === null ? null : <Label place={label} />}
        {entry === null ? null : (
          <Pill
            entry={entry}
            page={page}
            isLifted={lifted !== null}
            onKey={onGripKey}
            onDrop={drop}
            onAct={() => draw()}
          />
        )}
        <p className="said" role="status">
          {said}
        </p>
      </>,
      root,
    )
  }
  const step = (entry: Entry, to: number) => {
    entriesChange(entry.block)(entry.list, { kind: 'move', from: entry.index, to })
    said = fill(own.moved, { title: entry.title, n: to + 1, total: entry.total })
    const [was, is] = [entry.index, to].map((index) => `${entry.list}[${index}]`)
    const inside = (seen: Seen | null) =>
      seen && { ...seen, path: seen.path.replace(was ?? '', is ?? '') }
    focused = inside(focused)
    hovered = inside(hovered)
  }
  const drop = (entry: Entry, to: number) => {
    if (to !== entry.index && to >= 0 && to < entry.total) step(entry, to)
    draw()
  }
  const onGripKey = (event: KeyboardEvent, entry: Entry) => {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
    const place = { title: entry.title, n: entry.index + 1, total: entry.total }
    if (event.key === ' ' && lifted === null) {
      lifted = { block: entry.block.id, list: entry.list, from: entry.index, at: entry.index }
      said = fill(own.lifted, place)
    } else if ((event.key === 'Enter' || event.key === ' ') && lifted !== null) {
      lifted = null
      said = fill(own.dropped, place)
    } else if (event.key === 'Escape') {
      if (lifted !== null) step(entry, lifted.from)
      else find(focused)?.element.focus()
      if (lifted !== null)
        said = fill(own.dropCancelled, { title: entry.title, n: lifted.from + 1 })
      lifted = null
    } else if (by !== undefined && lifted !== null) {
      const to = entry.index + by
      if (to >= 0 && to < entry.total) step(entry, to)
    } else return
    event.preventDefault()
    event.stopPropagation()
    draw()
  }
  return {
    page,
    hover: (place) => {
      // On the way to the tools one leaves the entry for a moment.
      if (place === null) return
      hovered = { element: place.element, path: pathAt(place.element) }
      draw()
    },
    focus: (place) => {
      if (place === null) return
      focused = { element: place.element, path: pathAt(place.element) }
      draw()
    },
    enter: () => root.querySelector<HTMLElement>('button')?.focus(),
    refresh: draw,
  }
}

function entryAt(place: Place | null): Entry | null {
  const path = place === null ? null : entryOf(place.field)
  const found = path === null ? null : listOf(path)
  if (place === null || found === null) return null
  const list = at(place.definition.value, found.list)
  const field = fieldAt(place.definition.fields, found.list)
  if (!isList(list) || field === undefined) return null
  return {
    block: place.definition,
    ...found,
    total: list.length,
    title: entryTitle(list[found.index], field.fields ?? [], own.new),
    least: field.min ?? 0,
    most: field.max ?? Number.POSITIVE_INFINITY,
  }
}

function elementOf(page: Document, { block, list }: Entry, index: number) {
  return entryElement(page, block.id, `${list}[${index}]`)
}

function markEntry(page: Document, entry: Entry | null): void {
  const wanted = entry === null ? null : elementOf(page, entry, entry.index)
  for (const former of page.querySelectorAll('[data-words-entry]')) {
    if (former !== wanted) former.removeAttribute('data-words-entry')
  }
  wanted?.setAttribute('data-words-entry', '')
}

function Label({ place }: { place: Place }) {
  const { element, spec, definition } = place
  const length = textLength(element.textContent ?? '')
  const max = spec?.type === 'line' || spec?.type === 'paragraphs' ? spec.max : undefined
  const counts = max !== undefined && (length > max * NEAR_SHARE || element.matches(':focus'))
  return (
    <div
      className={max !== undefined && length > max ? 'label bad' : 'label'}
      ref={(label) => {
        if (label !== null) stand(label, element, 'start')
      }}
      aria-hidden="true"
    >
      <span>{spec?.label ?? definition.label}</span>
      {counts ? <span>{fill(wording.field.counter, { n: length, max })}</span> : null}
    </div>
  )
}

type PillProps = {
  entry: Entry
  page: Document
  isLifted: boolean
  onKey: (event: KeyboardEvent, entry: Entry) => void
  onDrop: (entry: Entry, to: number) => void
  onAct: () => void
}

function Pill({ entry, page, isLifted, onKey, onDrop, onAct }: PillProps) {
  const element = elementOf(page, entry, entry.index)
  if (element === null) return null
  const { title, index, total, list } = entry
  const add = () => {
    entriesChange(entry.block)(list, { kind: 'add', index: index + 1 })
    onAct()
  }
  return (
    <div
      className={isLifted ? 'pill lifted' : 'pill'}
      role="toolbar"
      aria-label={fill(own.tools, { title })}
      ref={(pill) => {
        if (pill !== null) stand(pill, element, 'end')
      }}
    >
      <span>{fill(own.position, { n: index + 1, total })}</span>
      <button
        type="button"
        className="grip"
        aria-label={fill(own.move, { title })}
        aria-pressed={isLifted}
        onKeyDown={(event) => onKey(event, entry)}
        onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
        onPointerMove={(event) => {
          if (event.buttons === 0) return
          scrollNearEdge(page, event)
          markTarget(page, entry, nearest(page, entry, event))
        }}
        onPointerUp={(event) => {
          markTarget(page, entry, entry.index)
          onDrop(entry, nearest(page, entry, event))
        }}
        onPointerCancel={() => markTarget(page, entry, entry.index)}
      >
        <Icon of={GripVertical} size={18} />
      </button>
      <button
        type="button"
        aria-label={fill(own.addAfter, { title })}
        disabled={total >= entry.most}
        onClick={add}
      >
        <Icon of={Plus} size={18} />
      </button>
      <button
        type="button"
        aria-label={fill(own.remove, { title })}
        disabled={total <= entry.least}
        onClick={() => {
          entriesChange(entry.block)(list, { kind: 'remove', index })
          onAct()
        }}
      >
        <Icon of={Trash2} size={18} />
      </button>
    </div>
  )
}

const TARGET = 'data-words-target'

/** Where the entry that is dragged would come to stand; nothing while it stays where it is. */
function markTarget(page: Document, entry: Entry, index: number): void {
  const wanted = index === entry.index ? null : elementOf(page, entry, index)
  for (const former of page.querySelectorAll(`[${TARGET}]`)) {
    if (former !== wanted) former.removeAttribute(TARGET)
  }
  wanted?.setAttribute(TARGET, '')
}

const EDGE_PX = 56
const SCROLL_STEP_PX = 14

/** A list may be longer than the window. */
function scrollNearEdge({ defaultView: view }: Document, { clientY }: PointerEvent): void {
  if (view === null) return
  if (clientY < EDGE_PX) view.scrollBy(0, -SCROLL_STEP_PX)
  if (clientY > view.innerHeight - EDGE_PX) view.scrollBy(0, SCROLL_STEP_PX)
}

/** The place in the list whose entry lies nearest to where the pointer was let go. */
function nearest(page: Document, entry: Entry, at: PointerEvent): number {
  let best = { index: entry.index, distance: Number.POSITIVE_INFINITY }
  for (let index = 0; index < entry.total; index += 1) {
    const box = elementOf(page, entry, index)?.getBoundingClientRect()
    if (box === undefined) continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    const distance = Math.hypot(at.clientX - x, at.clientY - y)
    if (distance < best.distance) best = { index, distance }
  }
  return best.index
}

/** Above the element: the label at its beginning, the tools at its end; inside where the page ends. */
function stand(over: HTMLElement, element: Element, side: 'start' | 'end'): void {
  const box = element.getBoundingClientRect()
  const view = element.ownerDocument.defaultView
  const top = box.top + (view?.scrollY ?? 0)
  const edge = side === 'start' ? Math.max(4, box.left) : box.right
  over.style.setProperty('--x', `${edge + (view?.scrollX ?? 0)}px`)
  over.style.setProperty('--y', `${Math.max(top, side === 'start' ? 36 : 0)}px`)
  if (side === 'end') over.classList.toggle('inside', top < 60)
}
