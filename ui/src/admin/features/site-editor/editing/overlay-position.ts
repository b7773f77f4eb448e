// Places each part of the overlay beside an element of the page, where it covers no text.
import { PICTURE, PLACE } from '../preview/prepare-preview'

/** A label stands at the start of its element, tools at its end, an add row below it at its index. */
export type Side = 'start' | 'end' | number

type Standing = { readonly element: Element; readonly side: Side }

const standing = new WeakMap<Element, Standing>()
/** Last position of each part: writing the same one again made the browser compute styles again. */
const put = new WeakMap<Element, string>()

const GAP_PX = 10
/** Height of an add row with its gap: rows of one entry and of its list end at the same line. */
const ROW_PX = 54
const ROW_WIDTH_MIN_PX = 220
/** Of a row that shows its sign alone. */
const ROW_NARROW_PX = 44
const ROW_HEIGHT_PX = 44
/** Between two parts, and between a part and the edge of the page. */
const APART_PX = 4
/** Text farther away than this from an element cannot be covered by its parts. */
const NEAR_PX = 190
/** Of the element itself: its text must never be covered, that of others only where no place is free. */
const OWN_WEIGHT = 1_000

type Box = {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}
type Obstacle = Box & { readonly weight: number }

/** For `ref`: it is put there by the next `standAgain`. */
export function stand(element: Element, side: Side): (part: HTMLElement | null) => void {
  return (part) => {
    if (part !== null) standing.set(part, { element, side })
  }
}

/** Puts each part where its element is now; false where one is gone from the page. */
export function standAgain(parts: Iterable<Element>): boolean {
  let isWhole = true
  const all = [...parts].flatMap((part) => {
    const found = standing.get(part)
    if (found === undefined) return []
    isWhole &&= found.element.isConnected
    return [{ part: part as HTMLElement, ...found }]
  })
  const [first] = all
  const page = first?.element.ownerDocument
  const view = page?.defaultView
  if (first === undefined || !page || !view) return isWhole
  // All is read before anything is written: in turns the page was laid out for each.
  const own = (all.find(({ side }) => side === 'start') ?? first).element
  const around = all.map(({ element }) => onPage(element.getBoundingClientRect(), view))
  const obstacles: Obstacle[] = [...textsNear(page, view, own, around)]
  const width = page.documentElement.clientWidth
  const boxes = all.map(({ part, side }, index) => {
    const element = around[index] ?? { left: 0, top: 0, width: 0, height: 0 }
    const size = { width: part.offsetWidth, height: part.offsetHeight }
    const places =
      typeof side === 'number'
        ? rowPlaces(element, size.height, side)
        : [...besidePlaces(side, element, size), ...farther(element, size)]
    const box = freest(places, obstacles, width)
    obstacles.push({ ...padded(box), weight: OWN_WEIGHT })
    return box
  })
  for (const [index, { part, side }] of all.entries()) {
    const box = boxes[index]
    if (box === undefined) continue
    const now = `${box.left} ${box.top} ${box.width}`
    if (put.get(part) === now) continue
    put.set(part, now)
    part.style.setProperty('--x', `${box.left}px`)
    part.style.setProperty('--y', `${box.top}px`)
    if (typeof side !== 'number') continue
    part.style.setProperty('--width', `${box.width}px`)
    part.classList.toggle('narrow', box.width === ROW_NARROW_PX)
  }
  return isWhole
}

function onPage(box: DOMRect, view: Window): Box {
  const { left, top, width, height } = box
  return { left: left + view.scrollX, top: top + view.scrollY, width, height }
}

function padded({ left, top, width, height }: Box): Box {
  return {
    left: left - APART_PX,
    top: top - APART_PX,
    width: width + 2 * APART_PX,
    height: height + 2 * APART_PX,
  }
}

/** The lines of text near the elements, and the links and buttons of the page. */
function textsNear(
  page: Document,
  view: Window,
  own: Element,
  around: readonly Box[],
): readonly Obstacle[] {
  const top = Math.min(...around.map((box) => box.top)) - NEAR_PX
  const bottom = Math.max(...around.map((box) => box.top + box.height)) + NEAR_PX
  const range = page.createRange()
  return [...page.querySelectorAll(`[${PLACE}], [${PICTURE}]`)].flatMap((element) => {
    const whole = onPage(element.getBoundingClientRect(), view)
    const isNear = whole.top < bottom && whole.top + whole.height > top && whole.width > 1
    if (!isNear || (!element.hasAttribute(PLACE) && element !== own)) return []
    const weight = element === own ? OWN_WEIGHT : 1
    // Its editor lets a blank hang over the end of each line.
    const apart = element === own ? APART_PX : 0
    range.selectNodeContents(element)
    const lines = [...range.getClientRects()].filter((line) => line.width > 1 && line.height > 1)
    return lines.map((line) => {
      const { left, width, ...box } = onPage(line, view)
      return { ...box, left: left - apart, width: width + 2 * apart, weight }
    })
  })
}

type Size = Pick<Box, 'width' | 'height'>

/** Where a label or tools may stand, the usual place first. */
function besidePlaces(side: 'start' | 'end', at: Box, { width, height }: Size): readonly Box[] {
  const [right, bottom] = [at.left + at.width, at.top + at.height]
  const [over, under] = [at.top - GAP_PX - height, bottom + GAP_PX]
  const [start, end] = [at.left, right - width]
  const [before, after] = [at.left - width - GAP_PX, right + GAP_PX]
  const [near, far] = side === 'start' ? [start, end] : [end, start]
  const places: readonly (readonly [number, number])[] = [
    [near, over],
    [far, over],
    [at.left + (at.width - width) / 2, over],
    [after, at.top],
    [end, at.top],
    [near, under],
    [far, under],
    [before, at.top],
    [end, bottom - height],
    [after, over],
    [after, under],
    [before, over],
  ]
  return places.map(([left, top]) => ({ left, top, width, height }))
}

/** Where an add row may stand: below its list, or short in the space between texts near the list's end. */
function rowPlaces(at: Box, height: number, index: number): readonly Box[] {
  const bottom = at.top + at.height + index * ROW_PX
  const whole = Math.max(at.width, ROW_WIDTH_MIN_PX)
  const places: Box[] = [{ left: at.left, top: bottom + GAP_PX, width: whole, height }]
  for (const width of [ROW_WIDTH_MIN_PX, ROW_NARROW_PX])
    for (const far of ROW_TOPS_PX)
      for (let left = at.left; left <= at.left + at.width + GAP_PX; left += 2 * STEP_PX)
        places.push({ left, top: bottom + far, width, height: Math.min(height, ROW_HEIGHT_PX) })
  return places
}

/** From the end of a list to the top of a short row, the nearest first. */
const ROW_TOPS_PX = [10, 4, -12, -24, -36, -48, 22, 34, 46, 58, 70, -60, 82, 94, 106, 118]

/** Farthest that a part stands from its element where all usual places cover text, as in a dense list. */
const FAR_PX = 120
const STEP_PX = 12

/** Places of this size around an element, the nearest first. */
function farther(at: Box, { width, height }: Size): readonly Box[] {
  const right = at.left + at.width
  const lefts = [right - width, at.left]
  for (let left = right + GAP_PX; left >= at.left - width - GAP_PX; left -= 3 * STEP_PX)
    lefts.push(left)
  const places: Box[] = []
  for (let far = GAP_PX; far <= FAR_PX; far += STEP_PX)
    for (const top of [at.top + at.height + far, at.top - height - far])
      for (const left of lefts) places.push({ left, top, width, height })
  return places
}

/** The first candidate that covers nothing, or the one that covers least. */
function freest(places: readonly Box[], obstacles: readonly Obstacle[], pageWidth: number): Box {
  let best: { box: Box; covered: number } | null = null
  for (const place of places) {
    const left = Math.max(APART_PX, Math.min(place.left, pageWidth - place.width - APART_PX))
    const box = { ...place, left, top: Math.max(APART_PX, place.top) }
    const covered = obstacles.reduce((sum, one) => sum + overlap(box, one) * one.weight, 0)
    if (best === null || covered < best.covered) best = { box, covered }
    if (covered === 0) break
  }
  return best?.box ?? { left: 0, top: 0, width: 0, height: 0 }
}

function overlap(one: Box, other: Box): number {
  const across =
    Math.min(one.left + one.width, other.left + other.width) - Math.max(one.left, other.left)
  const down =
    Math.min(one.top + one.height, other.top + other.height) - Math.max(one.top, other.top)
  return across > 0 && down > 0 ? across * down : 0
}

/** Letters that leave the page as high as it is move what stands beside them by little. */
const MOVED_MS = 300

/**
 * Has the parts put where the words are: at once where the page has another height, and else a moment
 * behind the letters. With each of them all was measured anew, mostly to find it where it was.
 */
export function followWords(page: Document, stand: () => void): { readonly moved: () => void } {
  const view = page.defaultView as (Window & typeof globalThis) | null
  if (view !== null) new view.ResizeObserver(stand).observe(page.body)
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    timer = undefined
    stand()
  }
  const moved = () => {
    if (timer === undefined) timer = setTimeout(look, MOVED_MS)
  }
  return { moved }
}
