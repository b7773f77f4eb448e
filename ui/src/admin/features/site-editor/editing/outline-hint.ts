// Shows the outlines of what can be edited for a moment once a page is open.
import { PICTURE, PLACE } from '../preview/prepare-preview'

const HINT = 'data-words-breath'
const HINT_MS = 2600

/** In the viewport only: a long page with an outline around each text kept a slow phone busy all the while. */
export function hintOutlines(page: Document): void {
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view === null) return
  const watch = new view.IntersectionObserver((seen) => {
    watch.disconnect()
    const inSight = seen.flatMap(({ isIntersecting, target }) => (isIntersecting ? [target] : []))
    for (const element of inSight) element.setAttribute(HINT, '')
    setTimeout(() => {
      for (const element of inSight) element.removeAttribute(HINT)
    }, HINT_MS)
  })
  for (const element of page.querySelectorAll(`[${PLACE}], [${PICTURE}]`)) watch.observe(element)
}
