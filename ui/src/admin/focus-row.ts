// Where the focus goes when its row is gone: to the page's beginning, without this.

import { useEffect, useRef } from 'preact/hooks'

type Place = { readonly index: number; readonly button: 'first' | 'last' }

/**
 * Is told the place of a row that goes, and which button sent it away: whatever asked about it, or
 * showed it, gives the focus back to nobody. It is moved once that is drawn anew.
 */
export function useFocusAfter(
  frame: () => ParentNode | null,
  drawing: unknown,
  isDrawn: boolean,
): (index: number, button?: Place['button']) => void {
  const gone = useRef<Place | null>(null)
  useEffect(() => {
    if (!isDrawn || gone.current === null) return
    focusRow(frame(), gone.current)
    gone.current = null
  }, [drawing])
  return (index, button = 'last') => {
    gone.current = { index, button }
  }
}

/**
 * To the same button, the first or the last of a row, of the row that stands at `index` now, or of
 * the one before; to the heading where none is left. Who has gone elsewhere meanwhile stays there.
 */
function focusRow(frame: ParentNode | null, { index, button }: Place): void {
  const { activeElement, body } = document
  if (frame === null || (activeElement !== null && activeElement !== body)) return
  const rows = [...frame.querySelectorAll('[data-item]')]
  const row = rows[index] ?? rows.at(-1)
  const buttons = [...(row?.querySelectorAll('button') ?? [])]
  const own = buttons.at(button === 'first' ? 0 : -1)
  const target = own ?? frame.querySelector<HTMLElement>(':is(h1, h2)[tabindex]')
  target?.focus()
}
