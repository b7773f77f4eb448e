// Tools of a list entry on the page: move, add, remove, and focus an added entry.
import { fill } from '../../../../lib/interpolate'
import type { Block } from '../api/content-api'
import { entriesChange } from '../form/block-form'
import { wording } from '../messages'
import { fieldAt } from '../model/field-path'
import type { Row } from './add-row'
import { entryElement } from './frame-page'
import type { Entry } from './overlay-parts'
import type { OverlayContext, Seen } from './overlay-state'

const { entries: own } = wording

export function entryTools(context: OverlayContext) {
  const { page, root, state, draw } = context
  const addAt = (block: Block, list: string, index: number) => {
    entriesChange(block)(list, { kind: 'add', index })
    state.said = fill(own.added, { n: index + 1 })
    state.awaited = `${block.id}:${list}[${index}]`
    draw()
  }
  /** A tool that is gone gives the focus to the first; without tools the block has it. */
  const keepFocus = (block: Block) => {
    if (root.activeElement !== null) return
    const to =
      root.querySelector<HTMLElement>('button') ??
      page.querySelector<HTMLElement>(`[data-words^="${CSS.escape(block.id)}:"]`)
    to?.focus()
  }
  return {
    add: ({ block, list, index }: Entry) => addAt(block, list, index + 1),
    append: ({ block, list, total }: Row) => addAt(block, list, total),
    /** The tools go over to the entry that comes to stand there, or to the last one. */
    remove: (entry: Entry) => {
      const { block, list, index, total } = entry
      entriesChange(block)(list, { kind: 'remove', index })
      moveAlong(context, entry, Math.min(index, total - 2))
      draw()
      keepFocus(block)
    },
    drop: (entry: Entry, to: number) => {
      if (to !== entry.index && to >= 0 && to < entry.total) moveTo(context, entry, to)
      draw()
    },
    /** Elsewhere nothing is in the hand any more. */
    leave: (entry: Entry) => {
      if (state.lifted === null) return
      state.lifted = null
      state.said = fill(own.dropped, { title: entry.title, n: entry.index + 1 })
      draw()
    },
    onGripKey: (event: KeyboardEvent, entry: Entry) => {
      if (!actOnGripKey(context, event.key, entry)) return
      event.preventDefault()
      event.stopPropagation()
      draw()
    },
    goToAwaited: () => goToAwaited(context),
  }
}

/** What one is at stays the same entry when that has another place. */
function moveAlong({ state }: OverlayContext, entry: Entry, to: number): void {
  const [was, is] = [entry.index, to].map((index) => `${entry.list}[${index}]`)
  const inside = (seen: Seen | null) =>
    seen && { ...seen, path: seen.path.replace(was ?? '', is ?? '') }
  state.focused = inside(state.focused)
  state.hovered = inside(state.hovered)
}

function moveTo(context: OverlayContext, entry: Entry, to: number): void {
  entriesChange(entry.block)(entry.list, { kind: 'move', from: entry.index, to })
  context.state.said = fill(own.moved, { title: entry.title, n: to + 1, total: entry.total })
  moveAlong(context, entry, to)
}

/** The space bar lifts and drops an entry, arrows move it, Escape takes it back. False for any other key. */
function actOnGripKey(context: OverlayContext, key: string, entry: Entry): boolean {
  const { state, find } = context
  const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[key]
  const place = { title: entry.title, n: entry.index + 1, total: entry.total }
  if (key === ' ' && state.lifted === null) {
    state.lifted = { block: entry.block.id, list: entry.list, from: entry.index }
    state.said = fill(own.lifted, place)
  } else if ((key === 'Enter' || key === ' ') && state.lifted !== null) {
    state.lifted = null
    state.said = fill(own.dropped, place)
  } else if (key === 'Escape') {
    if (state.lifted === null) find(state.focused)?.element.focus()
    else {
      const { from } = state.lifted
      moveTo(context, entry, from)
      state.said = fill(own.dropCancelled, { title: entry.title, n: from + 1 })
    }
    state.lifted = null
  } else if (by !== undefined && state.lifted !== null) {
    const to = entry.index + by
    if (to >= 0 && to < entry.total) moveTo(context, entry, to)
  } else return false
  return true
}

/** Goes to an entry that was just added, or opens its form where the page does not show it. */
function goToAwaited({ page, state, blocks, goTo, open }: OverlayContext): void {
  const { awaited } = state
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
  else open(firstFieldOf(blocks(), block, entry))
  state.awaited = null
}

function firstFieldOf(blocks: readonly Block[], block: string, entry: string) {
  const fields = blocks.find(({ id }) => id === block)?.fields ?? []
  const [first] = fieldAt(fields, entry)?.fields ?? []
  return { block, field: `${entry}.${first?.name}` }
}
