// The edges of what can be typed in show for one breath once a page is open.
import { PICTURE, PLACE } from '../preview/prepare-preview'

const BREATH = 'data-words-breath'
const BREATH_MS = 2600

/** Where somebody looks, alone: a long page with an edge around each word kept a slow phone busy all the while. */
export function breathe(page: Document): void {
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view === null) return
  const watch = new view.IntersectionObserver((seen) => {
    watch.disconnect()
    const inSight = seen.flatMap(({ isIntersecting, target }) => (isIntersecting ? [target] : []))
    for (const element of inSight) element.setAttribute(BREATH, '')
    setTimeout(() => {
      for (const element of inSight) element.removeAttribute(BREATH)
    }, BREATH_MS)
  })
  for (const element of page.querySelectorAll(`[${PLACE}], [${PICTURE}]`)) watch.observe(element)
}
