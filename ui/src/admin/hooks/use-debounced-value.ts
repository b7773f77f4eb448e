// A text value that follows its input after a pause.
import { useEffect, useState } from 'preact/hooks'

/** Spares a request for each keystroke. */
const PAUSE_MS = 200

/** Returns `text`, trimmed, once it has not changed for `PAUSE_MS`. */
export function useDebouncedValue(text: string): string {
  const [paused, setPaused] = useState(text.trim())
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
