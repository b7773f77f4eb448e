// Scrolls to an element inside the iframe alone. scrollIntoView also moved the panel around the iframe, on a
// phone by the height of the area under the sheet.

/** Space for the label above an element, and for the tools of its entry on a touch screen. */
const AROUND_PX = 68

/** `gentle` scrolls only if the element is not fully visible; otherwise the element moves to the top. */
export function scrollFrameTo(element: Element, gentle: boolean): void {
  const page = element.ownerDocument
  const view = page.defaultView
  if (view === null) return
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (around !== page.body && around !== page.documentElement) scrollIn(around, element, view)
  }
  // Above a phone's sheet little of the page is visible.
  const around = Math.min(AROUND_PX, view.innerHeight / 3)
  const box = element.getBoundingClientRect()
  const over = box.top - around
  const under = box.bottom + around - view.innerHeight
  if (!gentle || over < 0) view.scrollBy(0, over)
  else if (under > 0) view.scrollBy(0, Math.min(under, over))
}

/** Scrolls a container inside the page, such as the horizontal row of milestones. */
function scrollIn(around: Element, element: Element, view: Window): void {
  const { overflowX, overflowY } = view.getComputedStyle(around)
  const [inner, outer] = [element.getBoundingClientRect(), around.getBoundingClientRect()]
  if (SCROLLS.test(overflowX)) {
    around.scrollLeft += missing(inner.left, inner.right, outer.left, outer.right)
  }
  if (SCROLLS.test(overflowY)) {
    around.scrollTop += missing(inner.top, inner.bottom, outer.top, outer.bottom)
  }
}

const SCROLLS = /^(?:auto|scroll)$/

/** The distance to scroll so that an element lies between two edges; its start has priority. */
function missing(start: number, end: number, from: number, to: number): number {
  if (start < from) return start - from
  return end > to ? Math.min(end - to, start - from) : 0
}
