// What lies over the page: the name of what one is at, and the tools of an entry of a list.
import { type ComponentChildren, render } from 'preact'
import { fill } from '../../../../lib/interpolate'
import type { Block } from '../api/content-api'
import { entriesChange } from '../form/block-form'
import { wording } from '../messages'
import { entryOf, entryTitle, fieldAt, getIn, isList, listOf } from '../model/field-path'
import { AddRow, placeBehind, type Row, rowAt, rowsAfter, rowsBeside } from './add-row'
import { entryElement, OVER, type Place, pathAt, placeAround } from './frame-page'
import overlayCss from './overlay.css?inline'
import {
  ChipLink,
  chipPath,
  currentChip,
  type Entry,
  elementOf,
  isCounted,
  Label,
  Pill,
  type PressedChip,
} from './overlay-parts'
import { followWords, standAgain } from './overlay-position'

export type Overlay = {
  readonly page: Document
  hover: (place: Place | null) => void
  focus: (place: Place | null) => void
  /** What stands in the text for a setting was pressed; null for anything else. */
  chip: (pressed: Element | null) => void
  /** Into the tools of the entry one is at. */
  enter: () => void
  /** By Tab from the last place of a list to the row that adds to it; false where there is none. */
  toRow: (place: Place) => boolean
  /** The server has just drawn the page with all changes. */
  refresh: () => void
  /** With a letter: what stands over the page goes with its words. */
  follow: () => void
}

type Seen = { readonly element: HTMLElement; readonly path: string }

const { entries: own } = wording

type Around = {
  /** With the drafts in them. */
  readonly blocks: () => readonly Block[]
  /** Goes to what was just added. */
  readonly goTo: (element: HTMLElement) => void
  /** What the page does not show yet is made in its form. */
  readonly open: (place: { readonly block: string; readonly field: string }) => void
}

export function mountOverlay(page: Document, { blocks, goTo, open }: Around): Overlay {
  const host = page.createElement('div')
  host.id = OVER
  // Beside the page's own landmarks.
  host.setAttribute('role', 'region')
  host.setAttribute('aria-label', own.allTools)
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
  /** The tools are those of what one came to last, by pointer or by keys. */
  let isPointed = false
  let lifted: { block: string; list: string; from: number; at: number } | null = null
  let said = ''
  let pressedChip: PressedChip | null = null
  /** An entry that was just added: it is gone to once the page has it. */
  let awaited: string | null = null
  /** The rows that Tab still leads to, behind the place that it came from. */
  let rows: { readonly from: Seen; readonly left: readonly Row[] } | null = null

  /** One row gives way to the next: it is not left. */
  let isMoving = false

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
  const blockNow = (block: Block) => blocks().find(({ id }) => id === block.id) ?? block
  /** The place whose name is shown, and what is drawn beside that. */
  let named: Place | null = null
  let beside: ComponentChildren = null
  const show = () =>
    render(
      <>
        {named === null ? null : <Label place={named} />}
        {beside}
      </>,
      root,
    )
  const draw = () => {
    const place = isPointed ? (find(hovered) ?? find(focused)) : (find(focused) ?? find(hovered))
    named = find(hovered) ?? place
    const entry = entryAt(place)
    const shown = rows?.left.slice(0, 1) ?? (place === null ? [] : rowsBeside(place))
    const seen = shown.flatMap(({ block, list }) => rowAt(blockNow(block), list) ?? [])
    markEntry(page, entry)
    const chip = pressedChip === null ? null : currentChip(page, pressedChip)
    beside = (
      <>
        {entry === null ? null : (
          <Pill
            entry={entry}
            page={page}
            isLifted={lifted !== null}
            onKey={onGripKey}
            onDrop={drop}
            onLeave={leave}
            onAdd={add}
            onRemove={remove}
          />
        )}
        {seen.map((row, place) => (
          <AddRow
            key={row.list}
            {...{ row, place, page }}
            onAdd={append}
            onKey={onRowKey}
            onLeave={leaveRow}
          />
        ))}
        {chip === null ? null : <ChipLink chip={chip} />}
        <p className="said" role="status">
          {said}
        </p>
      </>
    )
    show()
    standAgain(root.children)
  }
  const moveAlong = (entry: Entry, to: number) => {
    const [was, is] = [entry.index, to].map((index) => `${entry.list}[${index}]`)
    const inside = (seen: Seen | null) =>
      seen && { ...seen, path: seen.path.replace(was ?? '', is ?? '') }
    focused = inside(focused)
    hovered = inside(hovered)
  }
  const step = (entry: Entry, to: number) => {
    entriesChange(entry.block)(entry.list, { kind: 'move', from: entry.index, to })
    said = fill(own.moved, { title: entry.title, n: to + 1, total: entry.total })
    moveAlong(entry, to)
  }
  const addAt = (block: Block, list: string, index: number) => {
    entriesChange(block)(list, { kind: 'add', index })
    said = fill(own.added, { n: index + 1 })
    awaited = `${block.id}:${list}[${index}]`
    draw()
  }
  const add = ({ block, list, index }: Entry) => addAt(block, list, index + 1)
  const append = ({ block, list, total }: Row) => addAt(block, list, total)
  const leaveRow = () => {
    if (rows === null || isMoving) return
    rows = null
    draw()
  }
  /** To the first of these rows that the page has room for; false where there is none. */
  const toRows = (from: Seen, wanted: readonly Row[]): boolean => {
    for (let left = wanted; left.length > 0; left = left.slice(1)) {
      rows = { from, left }
      isMoving = true
      draw()
      isMoving = false
      root.querySelector<HTMLElement>('.row')?.focus()
      if (root.activeElement?.matches('.row') === true) return true
    }
    rows = null
    draw()
    return false
  }
  const onRowKey = (event: KeyboardEvent) => {
    if (rows === null) return
    const { from, left } = rows
    const isBack = event.key === 'Escape' || (event.key === 'Tab' && event.shiftKey)
    if (!isBack && event.key !== 'Tab') return
    const origin = find(from)?.element
    const isNext = !isBack && left.length > 1 && toRows(from, left.slice(1))
    const to = isBack || origin === undefined ? origin : placeBehind(page, origin)
    if (!isNext) to?.focus()
    // Behind the last place of all, Tab goes on as it would without the row.
    if (!isNext && (!to || page.activeElement !== to)) return
    event.preventDefault()
    event.stopPropagation()
  }
  /** The tools go over to the entry that comes to stand there, or to the last one. */
  const remove = (entry: Entry) => {
    const { block, list, index, total } = entry
    entriesChange(block)(list, { kind: 'remove', index })
    moveAlong(entry, Math.min(index, total - 2))
    draw()
    keepFocus(block)
  }
  /** A tool that is gone gives it to the first; without tools the block has it. */
  const keepFocus = (block: Block) => {
    if (root.activeElement !== null) return
    const to =
      root.querySelector<HTMLElement>('button') ??
      page.querySelector<HTMLElement>(`[data-words^="${CSS.escape(block.id)}:"]`)
    to?.focus()
  }
  const refresh = () => {
    draw()
    if (awaited === null) return
    const [block = '', entry = ''] = awaited.split(':')
    // Its name may stand in a list of links too: it is typed where the rest of it is.
    const around = entryElement(page, block, entry)
    const inside = `[data-words^="${CSS.escape(awaited)}."]`
    const within = around?.querySelectorAll<HTMLElement>(inside) ?? []
    const all = [...(around?.matches(inside) === true ? [around] : []), ...within]
    // A year and a price have their forms; what is typed comes first.
    const fresh = all.find((element) => element.isContentEditable) ?? all[0]
    if (fresh !== undefined) goTo(fresh)
    // A link that leads nowhere yet is on no page.
    else open(firstOf(awaited))
    awaited = null
  }
  const firstOf = (entry: string) => {
    const [block = '', path = ''] = entry.split(':')
    const fields = blocks().find(({ id }) => id === block)?.fields ?? []
    const [first] = fieldAt(fields, path)?.fields ?? []
    return { block, field: `${path}.${first?.name}` }
  }
  const drop = (entry: Entry, to: number) => {
    if (to !== entry.index && to >= 0 && to < entry.total) step(entry, to)
    draw()
  }
  /** Elsewhere nothing is in the hand any more. */
  const leave = (entry: Entry) => {
    if (lifted === null) return
    lifted = null
    said = fill(own.dropped, { title: entry.title, n: entry.index + 1 })
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
  const words = followWords(page, () => {
    if (host.isConnected && !standAgain(root.children)) draw()
  })
  return {
    page,
    hover: (place) => {
      // On the way to the tools one leaves the entry for a moment.
      if (place === null) return
      const before = isPointed
      // Not from under a hand that uses them by keys.
      isPointed = root.activeElement?.matches(':focus-visible') !== true
      const path = pathAt(place.element)
      // Words that move beneath a pointer at rest tell of it too.
      const isSame = hovered?.element === place.element && hovered.path === path
      if (isSame && before === isPointed) return
      hovered = { element: place.element, path }
      draw()
    },
    focus: (place) => {
      if (place === null) return
      // Somewhere else, before what was added is drawn.
      awaited = null
      focused = { element: place.element, path: pathAt(place.element) }
      isPointed = false
      draw()
    },
    chip: (pressed) => {
      if (pressed === (pressedChip?.element ?? null)) return
      pressedChip = pressed && { element: pressed, path: chipPath(pressed) }
      draw()
    },
    enter: () => root.querySelector<HTMLElement>('button')?.focus(),
    toRow: (place) => {
      const left = rowsAfter(page, place)
      return toRows({ element: place.element, path: pathAt(place.element) }, left)
    },
    refresh,
    follow: () => {
      if (named !== null && isCounted(named)) show()
      words.moved()
    },
  }
}

function entryAt(place: Place | null): Entry | null {
  const path = place === null ? null : entryOf(place.field)
  const found = path === null ? null : listOf(path)
  if (place === null || found === null) return null
  const list = getIn(place.definition.value, found.list)
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

function markEntry(page: Document, entry: Entry | null): void {
  const wanted = entry === null ? null : elementOf(page, entry, entry.index)
  for (const former of page.querySelectorAll('[data-words-entry]')) {
    if (former !== wanted) former.removeAttribute('data-words-entry')
  }
  wanted?.setAttribute('data-words-entry', '')
}
