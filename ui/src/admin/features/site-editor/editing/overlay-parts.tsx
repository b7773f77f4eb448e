// What is drawn over the page: the name of a place, and the tools of an entry of a list.
import { GripVertical, Plus, Trash2 } from 'lucide'
import type { TargetedPointerEvent } from 'preact'
import { useRef } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { NEAR_SHARE, textLength } from '../../../../lib/text-length'
import { Icon } from '../../../../primitives/icon'
import { goTo, settingHref } from '../../../app/routes'
import { CHIP_ATTRIBUTE } from '../../../rich-text/schema'
import { isAccidentalDoubleClick } from '../../../ui/accidental-double-click'
import type { Block, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import { settingsIn } from '../model/rich-value'
import { WHOLE } from '../preview/prepare-preview'
import { entryElement, type Place } from './frame-page'
import { stand } from './overlay-position'

/** An entry on the page, with the list it is one of. */
export type Entry = {
  readonly block: Block
  readonly list: string
  readonly index: number
  readonly total: number
  readonly title: string
  readonly least: number
  readonly most: number
}

const { entries: own } = wording

export function elementOf(page: Document, { block, list }: Entry, index: number) {
  return entryElement(page, block.id, `${list}[${index}]`)
}

/** Whether its label says how long the text is. */
export function isCounted({ spec }: Place): boolean {
  return (spec?.type === 'line' || spec?.type === 'paragraphs') && spec.max !== undefined
}

export function Label({ place }: { place: Place }) {
  const { element, spec, definition } = place
  const max = isCounted(place) ? spec?.max : undefined
  const length = max === undefined ? 0 : textLength(textOf(element))
  const counts = max !== undefined && (length > max * NEAR_SHARE || element.matches(':focus'))
  return (
    <div
      className={max !== undefined && length > max ? 'label bad' : 'label'}
      ref={stand(element, 'start')}
      aria-hidden="true"
    >
      <span>{spec?.label ?? definition.label}</span>
      {counts ? (
        <span
          className="count"
          // The content security policy forbids style attributes; the style object is not one.
          ref={(count) => count?.style.setProperty('--letters', String(widthOf(length, max)))}
        >
          <span>{countOf(length, max)}</span>
        </span>
      ) : null}
    </div>
  )
}

/** The text as it is stored: with a blank line between paragraphs. */
function textOf(element: HTMLElement): string {
  if (!element.hasAttribute(WHOLE)) return element.textContent ?? ''
  return [...element.children].map(({ textContent }) => textContent).join('\n\n')
}

function countOf(length: number, max: number): string {
  return fill(wording.field.counter, { n: length, max })
}

/** The label keeps its width while the number grows. */
function widthOf(length: number, max: number): number {
  return countOf(Math.max(length, max), max).length
}

/** A chip that was pressed, and the path of the text that holds it. */
export type PressedChip = { readonly element: Element; readonly path: string | null }

export function chipPath(chip: Element): string | null {
  return chip.closest('[data-words]')?.getAttribute('data-words') ?? null
}

/** Finds a pressed chip again: the rich-text editor replaces the nodes of a text when it mounts after the press. */
export function currentChip(page: Document, { element, path }: PressedChip): Element | null {
  if (element.isConnected || path === null) return element
  const value = element.getAttribute(CHIP_ATTRIBUTE)
  const chips = page.querySelectorAll(`[data-words="${CSS.escape(path)}"] [${CHIP_ATTRIBUTE}]`)
  return [...chips].find((chip) => chip.getAttribute(CHIP_ATTRIBUTE) === value) ?? null
}

/** From what comes from the settings to where it is changed. */
export function ChipLink({ chip }: { chip: Element }) {
  const [name] = settingsIn(JSON.parse(chip.getAttribute(CHIP_ATTRIBUTE) ?? 'null') as FieldValue)
  if (name === undefined || !chip.isConnected) return null
  return (
    <button
      type="button"
      className="chip"
      ref={stand(chip, 'start')}
      onClick={() => goTo(settingHref(name).slice(1))}
    >
      {wording.field.settingOpen}
    </button>
  )
}

type PillProps = {
  entry: Entry
  page: Document
  isLifted: boolean
  onKey: (event: KeyboardEvent, entry: Entry) => void
  onDrop: (entry: Entry, to: number) => void
  onLeave: (entry: Entry) => void
  onAdd: (entry: Entry) => void
  onRemove: (entry: Entry) => void
}

export function Pill(props: PillProps) {
  const { entry, page, isLifted, onKey, onDrop, onLeave, onAdd, onRemove } = props
  const drag = useDrag(page, entry, onDrop)
  const element = elementOf(page, entry, entry.index)
  if (element === null) return null
  const { title, index, total } = entry
  const [isFull, isLeast] = [total >= entry.most, total <= entry.least]
  return (
    // biome-ignore lint/a11y/useSemanticElements: the overlay has no rules for the frame and minimum size of a fieldset
    <div
      className={isLifted ? 'pill lifted' : 'pill'}
      role="group"
      aria-label={fill(own.tools, { title })}
      ref={stand(element, 'end')}
    >
      <span>{fill(own.position, { n: index + 1, total })}</span>
      <button
        type="button"
        className="grip"
        aria-label={fill(own.move, { title })}
        aria-pressed={isLifted}
        onKeyDown={(event) => onKey(event, entry)}
        onBlur={() => onLeave(entry)}
        {...drag}
      >
        <Icon of={GripVertical} size={18} />
      </button>
      <button
        type="button"
        aria-label={fill(own.addAfter, { title })}
        aria-disabled={isFull}
        onClick={() => {
          if (!isFull) onAdd(entry)
        }}
      >
        <Icon of={Plus} size={18} />
      </button>
      <button
        type="button"
        aria-label={fill(own.remove, { title })}
        aria-disabled={isLeast}
        onClick={(event) => {
          if (!isLeast && !isAccidentalDoubleClick(event)) onRemove(entry)
        }}
      >
        <Icon of={Trash2} size={18} />
      </button>
    </div>
  )
}

/** A pointer that moves less presses the grip and drags nothing. */
const DRAG_MIN_PX = 5

/** The handlers of a grip. The tools hang above their entry: without a threshold a click moved it up. */
function useDrag(page: Document, entry: Entry, onDrop: PillProps['onDrop']) {
  const press = useRef<{ x: number; y: number; isDragging: boolean } | null>(null)
  const end = () => {
    markTarget(page, entry, entry.index)
    press.current = null
  }
  return {
    onPointerDown: (event: TargetedPointerEvent<HTMLElement>) => {
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      press.current = { x: event.clientX, y: event.clientY, isDragging: false }
    },
    onPointerMove: (event: PointerEvent) => {
      const at = press.current
      if (at === null) return
      at.isDragging ||= Math.hypot(event.clientX - at.x, event.clientY - at.y) >= DRAG_MIN_PX
      if (!at.isDragging) return
      scrollNearEdge(page, event)
      markTarget(page, entry, nearest(page, entry, event))
    },
    onPointerUp: (event: PointerEvent) => {
      const drops = press.current?.isDragging === true
      end()
      if (drops) onDrop(entry, nearest(page, entry, event))
    },
    onPointerCancel: end,
  }
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
