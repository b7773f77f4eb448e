// Closes a menu made of `<details>` when something else is pressed or takes the focus.

import { useEffect } from 'preact/hooks'

/**
 * Returns a function that closes the menu. `focusout` alone tells too little: its `relatedTarget` is null for a press on
 * the bare page and in an iframe, and in Safari on a Mac for a press on a button.
 */
export function useMenuClosing(menu: { readonly current: HTMLDetailsElement | null }): () => void {
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && menu.current?.contains(target)) return
      if (menu.current?.open) menu.current.open = false
    }
    // The window loses the focus to an iframe that is pressed.
    const events = ['pointerdown', 'focusin', 'blur'] as const
    for (const name of events) window.addEventListener(name, leave)
    return () => {
      for (const name of events) window.removeEventListener(name, leave)
    }
  }, [menu])
  return () => {
    if (menu.current !== null) menu.current.open = false
  }
}
