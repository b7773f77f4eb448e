// Stores warnings dismissed with 'Lascia così' in localStorage. A dismissal is valid until the text changes.
import { useEffect, useState } from 'preact/hooks'
import { getLocalStorage } from '../drafts/draft-storage'

type Left = Readonly<Record<string, string>>

/** Storage key of dismissed medical-term warnings; price warnings have a key of their own. */
export const DISMISSED_KEY = 'respiro-words-left'

/** Event that notifies other views that show the same warning. */
const CHANGED = 'respiro-left'

/** Returns the dismissed texts by field, and a function that dismisses one more. */
export function useDismissedWarnings(
  key: string,
): readonly [Left, (place: string, text: string) => void] {
  const [left, setLeft] = useState(() => dismissedTexts(key))
  useEffect(() => {
    const read = () => setLeft(dismissedTexts(key))
    return watchDismissedWarnings(read)
  }, [key])
  return [left, (place, text) => dismissWarning(key, place, text)]
}

/** Calls `act` at each dismissal in any view. Returns a function that unsubscribes. */
export function watchDismissedWarnings(act: () => void): () => void {
  window.addEventListener(CHANGED, act)
  return () => window.removeEventListener(CHANGED, act)
}

/** Dismissals of this visit while localStorage cannot be written; the next visit shows the warnings again. */
const here = new Map<string, Left>()

export function dismissWarning(key: string, place: string, text: string): void {
  const next = { ...dismissedTexts(key), [place]: text }
  if (isKept(key, next)) here.delete(key)
  else here.set(key, next)
  window.dispatchEvent(new Event(CHANGED))
}

function isKept(key: string, left: Left): boolean {
  const shelf = getLocalStorage()
  try {
    shelf?.setItem(key, JSON.stringify(left))
    return shelf !== null
  } catch {
    return false
  }
}

export function dismissedTexts(key: string): Left {
  const own = here.get(key)
  if (own !== undefined) return own
  try {
    const read: unknown = JSON.parse(getLocalStorage()?.getItem(key) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Left) : {}
  } catch {
    return {}
  }
}
