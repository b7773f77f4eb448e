// Page-wide keyboard shortcuts. None is a single letter: dictation would trigger it (WCAG 2.1.4).
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
