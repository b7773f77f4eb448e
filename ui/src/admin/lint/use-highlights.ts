// Highlights the medical terms and promises of a form. The highlighter loads with the form.

import { useEffect } from 'preact/hooks'
import type { Kind } from '../api/schema'

/** Testimonials are not checked: their authors are other people. */
const CHECKED: readonly Kind[] = ['events', 'blog']

/** Starts the module that `load` brings, and stops it on unmount. A failed load shows no highlights. */
export function useHighlights<Module>(
  load: (() => Promise<Module>) | null,
  start: (module: Module) => (() => void) | null,
  inputs: readonly unknown[],
): void {
  useEffect(() => {
    let stop: (() => void) | null = null
    let isMounted = true
    load?.().then(
      (module) => {
        if (isMounted) stop = start(module)
      },
      () => undefined,
    )
    return () => {
      isMounted = false
      stop?.()
    }
  }, inputs)
}

export function useItemHighlights(
  kind: Kind,
  item: string,
  form: { readonly current: HTMLElement | null },
): void {
  useHighlights(
    CHECKED.includes(kind) ? () => import('./medical-terms-watcher') : null,
    ({ watchFormLint: watchForm }) => form.current && watchForm(form.current, `${kind}/${item}`),
    [kind, item, form],
  )
}
