// Puts the focus back when the focused element leaves the document. The browser moves it to <body>,
// and keyboard and screen-reader users would start again at the top of the page.

import { useEffect, useRef } from 'preact/hooks'

export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body
}

/** Moves a lost focus to the heading of the open dialog or of the page once `isThere` turns false. */
export function useHeadingAfter(isThere: boolean): void {
  const was = useRef(isThere)
  useEffect(() => {
    const isGone = was.current && !isThere
    was.current = isThere
    const find = (heading: string) => document.querySelector<HTMLElement>(heading)
    if (isGone && isFocusLost()) (find('dialog[open] h2') ?? find('main h1'))?.focus()
  }, [isThere])
}

type Place = { readonly index: number; readonly button: 'first' | 'last' }

/**
 * Returns a function that takes the index of a row about to be removed, and which of its buttons had
 * the focus. A lost focus moves once `drawing` has changed: to the same button of the row that is at
 * that index then, else of the last row, else to the heading.
 */
export function useFocusAfter(
  frame: () => ParentNode | null,
  drawing: unknown,
  isDrawn: boolean,
): (index: number, button?: Place['button']) => void {
  const gone = useRef<Place | null>(null)
  useEffect(() => {
    if (!isDrawn || gone.current === null) return
    if (isFocusLost()) focusRow(frame(), gone.current)
    gone.current = null
  }, [drawing])
  return (index, button = 'last') => {
    gone.current = { index, button }
  }
}

function focusRow(frame: ParentNode | null, { index, button }: Place): void {
  const rows = [...(frame?.querySelectorAll('[data-item]') ?? [])]
  const row = rows[index] ?? rows.at(-1)
  const own = [...(row?.querySelectorAll('button') ?? [])].at(button === 'first' ? 0 : -1)
  const target = own ?? frame?.querySelector<HTMLElement>(':is(h1, h2)[tabindex]')
  target?.focus()
}
