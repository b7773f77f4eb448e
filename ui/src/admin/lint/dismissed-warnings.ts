// Hints that she has answered with 'Lascia così', kept on this device until the text changes.
import { useEffect, useState } from 'preact/hooks'
import { getLocalStorage } from '../drafts/draft-storage'

type Left = Readonly<Record<string, string>>

/** Of words; sums have their own. */
export const DISMISSED_KEY = 'respiro-words-left'

/** Said where the same hint is shown elsewhere. */
const CHANGED = 'respiro-left'

/** What was left, by its place; and a way to leave one more. */
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

/** Calls at each hint that is left, wherever it was; the answer ends it. */
export function watchDismissedWarnings(act: () => void): () => void {
  window.addEventListener(CHANGED, act)
  return () => window.removeEventListener(CHANGED, act)
}

/** Of this visit, where the device keeps nothing: then it is asked again at the next one. */
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
