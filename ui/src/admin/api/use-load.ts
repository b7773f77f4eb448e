// Loads a resource from the server once, with a function to reload it.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { ApiError, call } from './client'

export type Loaded<Value> = {
  readonly value: Value | null
  readonly error: ApiError | null
  /** `isUnasked` marks a background reload that the user did not request. */
  readonly reload: (isUnasked?: boolean) => Promise<void>
}

export function useLoad<Value>(path: string): Loaded<Value> {
  const [value, setValue] = useState<Value | null>(null)
  const [error, setError] = useState<ApiError | null>(null)
  /** Number of the latest request: a slower answer to an earlier one is dropped. */
  const latest = useRef(0)
  const reload = useCallback(
    async (isUnasked = false) => {
      latest.current += 1
      const turn = latest.current
      setError(null)
      try {
        const answer = await call<Value>('GET', path, undefined, isUnasked)
        if (turn === latest.current) setValue(answer)
      } catch (failure) {
        if (turn !== latest.current) return
        setError(failure instanceof ApiError ? failure : new ApiError(0, '', String(failure)))
      }
    },
    [path],
  )
  useEffect(() => void reload(), [reload])
  return { value, error, reload }
}
