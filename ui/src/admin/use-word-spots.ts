// Words of medicine and promise in the form of an event or an article: the hints come with it.
import { useEffect } from 'preact/hooks'
import type { Kind } from './api/schema'

/** What others said of her is theirs. */
const CHECKED: readonly Kind[] = ['events', 'blog']

export function useWordSpots(
  kind: Kind,
  item: string,
  form: { readonly current: HTMLElement | null },
): void {
  useEffect(() => {
    if (!CHECKED.includes(kind)) return undefined
    let stop: (() => void) | null = null
    let current = true
    import('./lint/use-form-lint').then(
      ({ watchForm }) => {
        if (current && form.current !== null) stop = watchForm(form.current, `${kind}/${item}`)
      },
      // Then there are no hints, and nothing else is missing.
      () => undefined,
    )
    return () => {
      current = false
      stop?.()
    }
  }, [kind, item, form])
}
