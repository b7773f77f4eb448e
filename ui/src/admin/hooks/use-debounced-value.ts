// What was typed, once the fingers rest.
import { useEffect, useState } from 'preact/hooks'

/** Whoever types is not asked about for every letter. */
const PAUSE_MS = 200

/** The words without the space around them. */
export function useDebouncedValue(text: string): string {
  const [paused, setPaused] = useState(text.trim())
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text.trim()), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
