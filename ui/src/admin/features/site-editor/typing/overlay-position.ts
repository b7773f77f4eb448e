// Where each part of the overlay stands: beside an element of the page, wherever that is by now.

/** Over its beginning or its end, or under it in the place of its turn. */
export type Side = 'start' | 'end' | number

type Standing = { readonly element: Element; readonly side: Side }

const standing = new WeakMap<Element, Standing>()
/** Where each was put last: writing the same again has styles worked out anew. */
const put = new WeakMap<Element, string>()

const GAP_PX = 10
/** Of one row with its gap: rows of one entry and of its list end at the same line. */
const ROW_PX = 54
const ROW_WIDTH_MIN_PX = 200
const LABEL_PX = 36
/** Between a name and the tools under it. */
const APART_PX = 4
/** Of tools that lie in their entry: as in the style sheet. */
const INSIDE_PX = 6
/** Above, the page ends: the tools lie inside. */
const TOOLS_PX = 60

/** For `ref`: it is put there by the next `standAgain`. */
export function stand(element: Element, side: Side): (part: HTMLElement | null) => void {
  return (part) => {
    if (part !== null) standing.set(part, { element, side })
  }
}

/** Puts each part where its element is now; false where one is gone from the page. */
export function standAgain(parts: Iterable<Element>): boolean {
  let isWhole = true
  const places = [...parts].flatMap((part) => {
    const found = standing.get(part)
    if (found === undefined) return []
    isWhole &&= found.element.isConnected
    return [{ part: part as HTMLElement, side: found.side, ...placeOf(found) }]
  })
  const [name, tools] = ['start', 'end'].map((one) => places.find(({ side }) => side === one))
  if (name && tools) name.y = clearOf(name, tools)
  // All is read before anything is written: in turns the page was laid out for each.
  for (const { part, side, x, y, width, isInside } of places) {
    if (side === 'end') part.classList.toggle('inside', isInside)
    const now = `${x} ${y} ${width}`
    if (put.get(part) === now) continue
    put.set(part, now)
    part.style.setProperty('--x', `${x}px`)
    part.style.setProperty('--y', `${y}px`)
    if (typeof side === 'number') part.style.setProperty('--width', `${width}px`)
  }
  return isWhole
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

type Put = { part: HTMLElement; x: number; y: number; isInside: boolean }

/** Where a name stands free of the tools: of a narrow entry both begin in one line. */
function clearOf(name: Put, tools: Put): number {
  const top = tools.isInside ? tools.y + INSIDE_PX : tools.y - GAP_PX - tools.part.offsetHeight
  const bottom = top + tools.part.offsetHeight
  const under = name.y - GAP_PX
  const end = name.x + name.part.offsetWidth + APART_PX
  const isBeside = end <= tools.x - tools.part.offsetWidth
  const isApart = under <= top || under - name.part.offsetHeight >= bottom
  // Where the page begins above them, it stays.
  if (isBeside || isApart || top < LABEL_PX) return name.y
  return top + GAP_PX - APART_PX
}

function placeOf({ element, side }: Standing) {
  const { left, right, top, bottom, width: own } = element.getBoundingClientRect()
  const { scrollX = 0, scrollY = 0 } = element.ownerDocument.defaultView ?? {}
  const over = top + scrollY
  const width = Math.max(own, ROW_WIDTH_MIN_PX)
  const isInside = over < TOOLS_PX
  if (side === 'start') {
    return { x: Math.max(4, left) + scrollX, y: Math.max(over, LABEL_PX), width, isInside }
  }
  if (side === 'end') return { x: right + scrollX, y: Math.max(over, 0), width, isInside }
  return { x: left + scrollX, y: bottom + GAP_PX + side * ROW_PX + scrollY, width, isInside }
}
