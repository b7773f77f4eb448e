// State that a page fetched while it was open, stored in its history entry: Back, Forward and a
// reload restore it together with the scroll position.

import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { buildIdOf } from './build-id'

type Kept<Value> = { readonly release: string | null; readonly value: Value }

/**
 * Like `useState`, stored under `name`. `join` merges the value in the page, which may be newer,
 * with the stored one.
 */
export function useHistoryState<Value>(
  name: string,
  first: Value,
  join: (first: Value, kept: Value) => Value,
): readonly [Value, (value: Value) => void] {
  const [value, setValue] = useState(first)
  const isHere = useRef(false)
  const isBack = useRef(false)
  // Before the stored value was rendered the page was too short for its scroll position.
  useLayoutEffect(() => {
    if (isBack.current) scrollTo({ top: history.state?.top ?? 0, behavior: 'instant' })
    isBack.current = false
  }, [value])
  // In an effect instead of the initial state: hydration needs the value that the server rendered.
  useLayoutEffect(() => {
    isHere.current = true
    const kept: Kept<Value> | undefined = history.state?.kept?.[name]
    if (kept !== undefined && kept.release === buildIdOf(document)) {
      const joined = join(first, kept.value)
      // An unchanged value causes no re-render; the flag would then scroll at the next change.
      isBack.current = joined !== first
      setValue(joined)
    }
    return () => {
      isHere.current = false
    }
  }, [])
  const keep = (next: Value) => {
    setValue(next)
    // A response after the page was left must not be stored in another history entry.
    if (!isHere.current) return
    const kept: Kept<Value> = { release: buildIdOf(document), value: next }
    const all = { ...history.state?.kept, [name]: kept }
    history.replaceState({ ...history.state, kept: all }, '')
  }
  return [value, keep]
}
