// Page-wide keyboard shortcuts, ignored while a field has the focus.
import { useLayoutEffect, useRef } from 'preact/hooks'

type Handler = (() => void) | null

/** Ctrl or Cmd with S. */
export function useSaveKey(save: Handler): void {
  useKey((event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 's') {
      event.preventDefault()
      save?.()
    }
  })
}

/** A letter without modifiers, outside of fields and dialogs. */
export function useLetterKey(letter: string, act: Handler): void {
  useKey((event) => {
    const bare = !event.ctrlKey && !event.metaKey && !event.altKey
    if (!bare || event.key.toLowerCase() !== letter || isTyping(event.target)) return
    if (document.querySelector('dialog[open]') !== null) return
    event.preventDefault()
    act?.()
  })
}

function useKey(handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle)
  latest.current = handle
  // A layout effect: the shortcut works from the first frame that shows the list.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => latest.current(event)
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [])
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  const toggle = target instanceof HTMLInputElement && ['checkbox', 'radio'].includes(target.type)
  return target.isContentEditable || (target.matches('input, textarea, select') && !toggle)
}
