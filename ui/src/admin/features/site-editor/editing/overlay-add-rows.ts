// The rows that add to a list, as Tab reaches them behind the last place of the list.
import { placeBehind, type Row } from './add-row'
import type { OverlayContext, Seen } from './overlay-state'

export function addRows({ page, root, state, find, draw }: OverlayContext) {
  /** To the first of these rows that the page has room for; false where there is none. */
  const toRows = (from: Seen, wanted: readonly Row[]): boolean => {
    for (let left = wanted; left.length > 0; left = left.slice(1)) {
      state.rows = { from, left }
      state.isMovingToRow = true
      draw()
      state.isMovingToRow = false
      root.querySelector<HTMLElement>('.row')?.focus()
      if (root.activeElement?.matches('.row') === true) return true
    }
    state.rows = null
    draw()
    return false
  }
  const leave = () => {
    if (state.rows === null || state.isMovingToRow) return
    state.rows = null
    draw()
  }
  const onKey = (event: KeyboardEvent) => {
    if (state.rows === null) return
    const { from, left } = state.rows
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
  return { toRows, leave, onKey }
}
