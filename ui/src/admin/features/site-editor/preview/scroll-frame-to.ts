// Brings a place of the page into sight inside its frame alone: the browser's own way of doing it moved
// the panel around the frame too, on a phone by the height of what lies under the sheet.

/** Room for the name over a place, and for the tools of its entry under a finger. */
const AROUND_PX = 68

/** `gentle` moves only what cannot be seen; otherwise the place comes to stand at the top. */
export function scrollFrameTo(element: Element, gentle: boolean): void {
  const page = element.ownerDocument
  const view = page.defaultView
  if (view === null) return
  for (let around = element.parentElement; around !== null; around = around.parentElement) {
    if (around !== page.body && around !== page.documentElement) scrollIn(around, element, view)
  }
  // Over a phone's sheet little of the page is left.
  const around = Math.min(AROUND_PX, view.innerHeight / 3)
  const box = element.getBoundingClientRect()
  const over = box.top - around
  const under = box.bottom + around - view.innerHeight
  if (!gentle || over < 0) view.scrollBy(0, over)
  else if (under > 0) view.scrollBy(0, Math.min(under, over))
}

/** In a row that is longer than it is wide, as that of the milestones. */
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

/** How far something has to be moved to lie between two edges, its beginning first. */
function missing(start: number, end: number, from: number, to: number): number {
  if (start < from) return start - from
  return end > to ? Math.min(end - to, start - from) : 0
}
