// What is pressed in the panel often goes by that: a hint that is answered, a button that did all it
// can. The focus then fell to the window, and who goes by keys or by ear began again at the top.
import { useEffect } from 'preact/hooks'

const FOCUSABLE = 'button:not(:disabled), summary, a[href], input, textarea, select'

/** Puts a focus that went with its element on what stands next to where that was. */
export function useKeptFocus(panel: { readonly current: HTMLElement | null }): void {
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

/** Nothing has it: what had it is gone. */
export function isFocusLost(): boolean {
  const { activeElement } = document
  return activeElement === null || activeElement === document.body
}

function focusableIn(root: HTMLElement, node: Node | null | undefined): HTMLElement | null {
  if (!(node instanceof HTMLElement) || node === root || !root.contains(node)) return null
  const all = [node, ...node.querySelectorAll<HTMLElement>(FOCUSABLE)]
  return all.find((one) => one.matches(FOCUSABLE) && one.checkVisibility()) ?? null
}
