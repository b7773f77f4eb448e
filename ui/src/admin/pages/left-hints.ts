// Hints that she has answered with 'Lascia così', kept on this device until the text changes.
import { useState } from 'preact/hooks'
import { browserShelf } from '../drafts'

type Left = Readonly<Record<string, string>>

/** What was left, by its place; and a way to leave one more. */
export function useLeft(key: string): readonly [Left, (place: string, text: string) => void] {
  const [left, setLeft] = useState(() => kept(key))
  const leave = (place: string, text: string) => {
    const next = { ...left, [place]: text }
    setLeft(next)
    try {
      browserShelf()?.setItem(key, JSON.stringify(next))
    } catch {
      // Then it is asked again at the next visit.
    }
  }
  return [left, leave]
}

function kept(key: string): Left {
  try {
    const read: unknown = JSON.parse(browserShelf()?.getItem(key) ?? '{}')
    return typeof read === 'object' && read !== null ? (read as Left) : {}
  } catch {
    return {}
  }
}
