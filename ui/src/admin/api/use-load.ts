// Loads a resource from the server once, with a function to reload it.
import { useCallback, useEffect, useState } from 'preact/hooks'
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
  const reload = useCallback(
    async (isUnasked = false) => {
      setError(null)
      try {
        setValue(await call<Value>('GET', path, undefined, isUnasked))
      } catch (failure) {
        setError(failure instanceof ApiError ? failure : new ApiError(0, '', String(failure)))
      }
    },
    [path],
  )
  useEffect(() => void reload(), [reload])
  return { value, error, reload }
}
