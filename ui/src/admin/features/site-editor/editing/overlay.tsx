// What lies over the page: the name of what one is at, and the tools of an entry of a list.
import { type ComponentChildren, render } from 'preact'
import type { Block } from '../api/content-api'
import { wording } from '../messages'
import { entryOf, entryTitle, fieldAt, getIn, isList, listOf } from '../model/field-path'
import { AddRow, rowAt, rowsAfter, rowsBeside } from './add-row'
import { OVER, type Place, pathAt, placeAround } from './frame-page'
import overlayCss from './overlay.css?inline'
import { addRows } from './overlay-add-rows'
import { entryTools } from './overlay-entry-tools'
import {
  ChipLink,
  chipPath,
  currentChip,
  type Entry,
  elementOf,
  isCounted,
  Label,
  Pill,
} from './overlay-parts'
import { followWords, standAgain } from './overlay-position'
import { EMPTY_STATE, type OverlayContext, type Seen } from './overlay-state'

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

const { entries: own } = wording

type Around = Pick<OverlayContext, 'blocks' | 'goTo' | 'open'>

export function mountOverlay(page: Document, around: Around): Overlay {
  const { host, root } = mountHost(page)
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
    const { hovered, focused, isPointed } = state
    const place = isPointed ? (find(hovered) ?? find(focused)) : (find(focused) ?? find(hovered))
    named = find(hovered) ?? place
    beside = partsAt(place)
    show()
    standAgain(root.children)
  }
  const state = { ...EMPTY_STATE }
  const find = (seen: Seen | null) => findAgain(page, around.blocks(), seen)
  const context: OverlayContext = { ...around, page, root, state, find, draw }
  const partsAt = partsOf(context)
  const words = followWords(page, () => {
    if (host.isConnected && !standAgain(root.children)) draw()
  })
  return {
    page,
    ...placeListeners(context),
    enter: () => root.querySelector<HTMLElement>('button')?.focus(),
    toRow: (place) => {
      const left = rowsAfter(page, place)
      return addRows(context).toRows(seenAt(place), left)
    },
    refresh: () => {
      draw()
      entryTools(context).goToAwaited()
    },
    follow: () => {
      if (named !== null && isCounted(named)) show()
      words.moved()
    },
  }
}

/** The element of the overlay, with a shadow tree and its own style sheet. */
function mountHost(page: Document) {
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
  return { host, root }
}

const seenAt = (place: Place): Seen => ({ element: place.element, path: pathAt(place.element) })

/** The same words may stand in two places: the element itself, as long as it is there. */
function findAgain(page: Document, blocks: readonly Block[], seen: Seen | null): Place | null {
  if (seen === null) return null
  const { element, path } = seen
  const isHere = element.isConnected && pathAt(element) === path
  const name = CSS.escape(path)
  const found = isHere
    ? element
    : page.querySelector(`[data-words="${name}"], [data-words-picture="${name}"]`)
  return found === null ? null : placeAround(found, blocks)
}

/** What is drawn at a place: the tools of its entry, the rows that add to its lists, the link of a chip. */
function partsOf(context: OverlayContext): (place: Place | null) => ComponentChildren {
  const { page, state, blocks } = context
  const tools = entryTools(context)
  const rows = addRows(context)
  const blockNow = (block: Block) => blocks().find(({ id }) => id === block.id) ?? block
  return (place) => {
    const entry = entryAt(place)
    const shown = state.rows?.left.slice(0, 1) ?? (place === null ? [] : rowsBeside(place))
    const seen = shown.flatMap(({ block, list }) => rowAt(blockNow(block), list) ?? [])
    markEntry(page, entry)
    const chip = state.pressedChip === null ? null : currentChip(page, state.pressedChip)
    return (
      <>
        {entry === null ? null : (
          <Pill
            entry={entry}
            page={page}
            isLifted={state.lifted !== null}
            onKey={tools.onGripKey}
            onDrop={tools.drop}
            onLeave={tools.leave}
            onAdd={tools.add}
            onRemove={tools.remove}
          />
        )}
        {seen.map((row, index) => (
          <AddRow
            key={row.list}
            {...{ row, place: index, page }}
            onAdd={tools.append}
            onKey={rows.onKey}
            onLeave={rows.leave}
          />
        ))}
        {chip === null ? null : <ChipLink chip={chip} />}
        <p className="said" role="status">
          {state.said}
        </p>
      </>
    )
  }
}

/** Where one is, by pointer or by keys; the tools are those of what one came to last. */
function placeListeners({
  root,
  state,
  draw,
}: OverlayContext): Pick<Overlay, 'hover' | 'focus' | 'chip'> {
  return {
    hover: (place) => {
      // On the way to the tools one leaves the entry for a moment.
      if (place === null) return
      const before = state.isPointed
      // Not from under a hand that uses them by keys.
      state.isPointed = root.activeElement?.matches(':focus-visible') !== true
      const { hovered } = state
      const seen = seenAt(place)
      // Words that move beneath a pointer at rest tell of it too.
      const isSame = hovered?.element === seen.element && hovered.path === seen.path
      if (isSame && before === state.isPointed) return
      state.hovered = seen
      draw()
    },
    focus: (place) => {
      if (place === null) return
      // Somewhere else, before what was added is drawn.
      state.awaited = null
      state.focused = seenAt(place)
      state.isPointed = false
      draw()
    },
    chip: (pressed) => {
      if (pressed === (state.pressedChip?.element ?? null)) return
      state.pressedChip = pressed && { element: pressed, path: chipPath(pressed) }
      draw()
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
