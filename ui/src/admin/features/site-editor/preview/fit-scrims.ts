// Fits the scrims of the edited page to its photographs: no script of the page runs in the preview, so they would stay at
// their maximum.
import { fitScrim } from '../../../../lib/scrim'

const openings = (page: Document) => page.querySelectorAll<HTMLElement>('[data-scrim]')

/** Measures all scrims of the page. A photograph that does not load leaves its scrim as it is. */
export function fitScrims(page: Document): void {
  for (const opening of openings(page)) fitScrim(opening).catch(() => undefined)
}

const RESIZED_MS = 100

/** Measures the scrims now and whenever an opening has another size. */
export function followScrims(page: Document): void {
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view === null || openings(page).length === 0) return
  let timer: ReturnType<typeof setTimeout>
  const resize = new view.ResizeObserver(() => {
    clearTimeout(timer)
    timer = setTimeout(() => fitScrims(page), RESIZED_MS)
  })
  for (const opening of openings(page)) resize.observe(opening)
}
