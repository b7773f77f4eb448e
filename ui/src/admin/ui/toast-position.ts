// Chooses where the toast of the page stands: where it covers no control, or as few as possible.
import { useLayoutEffect } from 'preact/hooks'

/** Corners in the order of preference; on a phone the first two are the same. */
const CORNERS = ['end', 'start', 'top'] as const

const CONTROLS = 'button, a[href], input, select, textarea, [contenteditable=true]'
/** Covering the button that comes next costs more than covering others. */
const PRIMARY_WEIGHT = 20
const SETTLED_MS = 100

function isCovered(control: Element, toast: DOMRect): boolean {
  const { left, right, top, bottom, width } = control.getBoundingClientRect()
  return (
    width > 0 &&
    left < toast.right &&
    right > toast.left &&
    top < toast.bottom &&
    bottom > toast.top
  )
}

function coveredBy(region: HTMLElement, toast: HTMLElement): number {
  const box = toast.getBoundingClientRect()
  let cost = 0
  for (const control of document.querySelectorAll(CONTROLS)) {
    if (region.contains(control) || !isCovered(control, box)) continue
    cost += control.matches('[data-primary], [type=submit]') ? PRIMARY_WEIGHT : 1
  }
  return cost
}

/** Puts the region of `toast` into the best corner; the first one wins among equals. */
function place(region: HTMLElement, toast: HTMLElement): void {
  let best: { corner: string; cost: number } | null = null
  for (const corner of CORNERS) {
    region.dataset.corner = corner
    const cost = coveredBy(region, toast)
    if (best === null || cost < best.cost) best = { corner, cost }
    if (cost === 0) break
  }
  region.dataset.corner = best?.corner ?? 'end'
}

/** Keeps the toast where it covers nothing, also after the page under it has changed. */
export function useToastPosition(
  region: { readonly current: HTMLElement | null },
  toast: { readonly current: HTMLElement | null },
): void {
  useLayoutEffect(() => {
    const move = () => {
      if (region.current !== null && toast.current !== null) place(region.current, toast.current)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const moveSoon = () => {
      clearTimeout(timer)
      timer = setTimeout(move, SETTLED_MS)
    }
    move()
    // An area loads after its address has changed, a sheet slides in, a list grows.
    const page = new ResizeObserver(moveSoon)
    page.observe(document.body)
    for (const name of EVENTS) window.addEventListener(name, moveSoon)
    return () => {
      clearTimeout(timer)
      page.disconnect()
      for (const name of EVENTS) window.removeEventListener(name, moveSoon)
    }
  }, [region, toast])
}

const EVENTS = ['resize', 'hashchange', 'scrollend', 'animationend'] as const
