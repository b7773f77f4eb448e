// What a page fetched while it was read: kept with its entry of the history, so that Back, Forward
// and a reload find as much as was there, and the place where it was left.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { buildIdOf } from './build-id'

type Kept<Value> = { readonly release: string | null; readonly value: Value }

/**
 * Like `useState`, kept under a name. `join` says what becomes of what the page has now and of what
 * was kept: meanwhile there may be something new.
 */
export function useHistoryState<Value>(
  name: string,
  first: Value,
  join: (first: Value, kept: Value) => Value,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(first)
  const isHere = useRef(false)
  const isBack = useRef(false)
  // While the page was shorter it could not be where it was left.
  useLayoutEffect(() => {
    if (isBack.current) scrollTo({ top: history.state?.top ?? 0, behavior: 'instant' })
    isBack.current = false
  }, [value])
  // Not at once: what the server drew is taken over as it is.
  useLayoutEffect(() => {
    isHere.current = true
    const kept: Kept<Value> | undefined = history.state?.kept?.[name]
    if (kept !== undefined && kept.release === buildIdOf(document)) {
      const joined = join(first, kept.value)
      // What draws nothing anew would lead there with the next value.
      isBack.current = joined !== first
      setValue(joined)
    }
    return () => {
      isHere.current = false
    }
  }, [])
  const keep = (next: Value) => {
    setValue(next)
    // What arrives after the page has been left belongs to no other entry.
    if (!isHere.current) return
    const kept: Kept<Value> = { release: buildIdOf(document), value: next }
    const all = { ...history.state?.kept, [name]: kept }
    history.replaceState({ ...history.state, kept: all }, '')
  }
  return [value, keep]
}
