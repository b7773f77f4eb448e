// Keeps the focus inside a panel whose elements vanish when they are used. Separate from the other focus
// hooks, because the first load of the panel does not need it.

import { useEffect } from 'preact/hooks'
import { isRendered } from '../../../../lib/is-rendered'
import { isFocusLost } from '../../../hooks/focus-recovery'

const FOCUSABLE = 'button:not(:disabled), summary, a[href], input, textarea, select'

/** Moves a focus lost inside `panel` to the nearest element beside the removed one. */
export function useFocusRestore(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const root = panel.current
    if (root === null) return
    let last: Node | null = null
    const note = (event: FocusEvent) => {
      last = event.target as Node
    }
    const watch = new MutationObserver((records) => {
      if (last === null || root.contains(last) || !isFocusLost()) return
      const gone = last
      last = null
      const record = records.find(({ removedNodes }) =>
        [...removedNodes].some((node) => node.contains(gone)),
      )
      const near = [record?.nextSibling, record?.previousSibling, record?.target]
      const found = near.map((node) => focusableIn(root, node)).find((one) => one !== null)
      ;(found ?? root).focus()
    })
    root.addEventListener('focusin', note)
    watch.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', note)
      watch.disconnect()
    }
  }, [panel])
}

function focusableIn(root: HTMLElement, node: Node | null | undefined): HTMLElement | null {
  if (!(node instanceof HTMLElement) || node === root || !root.contains(node)) return null
  const all = [node, ...node.querySelectorAll<HTMLElement>(FOCUSABLE)]
  return all.find((one) => one.matches(FOCUSABLE) && isRendered(one)) ?? null
}
