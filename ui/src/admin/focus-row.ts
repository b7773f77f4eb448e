// Where the focus goes when its row is gone: to the page's beginning, without this.

/**
 * To the same button, the first or the last of a row, of the row that stands at `index` now, or of
 * the one before; to the heading where none is left. Who has gone elsewhere meanwhile stays there.
 */
export function focusRow(
  frame: ParentNode | null,
  index: number,
  button: 'first' | 'last' = 'last',
): void {
  const { activeElement, body } = document
  if (frame === null || (activeElement !== null && activeElement !== body)) return
  const rows = [...frame.querySelectorAll('[data-item]')]
  const row = rows[index] ?? rows.at(-1)
  const buttons = [...(row?.querySelectorAll('button') ?? [])]
  const own = buttons.at(button === 'first' ? 0 : -1)
  const target = own ?? frame.querySelector<HTMLElement>(':is(h1, h2)[tabindex]')
  target?.focus()
}
