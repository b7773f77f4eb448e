// Goes from one text of the page to the previous or next one, in reading order.

import { parseFieldTarget } from '../../../../lib/content-source-map'
import { isRendered } from '../../../../lib/is-rendered'
import { PLACE } from './prepare-preview'

/** `1` for the next text, `-1` for the previous one. */
export type Direction = 1 | -1

/** The element reached last; it loses the focus to a field in the sheet. */
export const lastPlace = new WeakMap<Document, Element>()

/** The element that shows `chosen`, null if there is none; of several, the one reached last. */
export function placeNow(page: Document, chosen: string): Element | null {
  const here = `[${PLACE}^="${CSS.escape(chosen)}"]`
  const last = lastPlace.get(page)
  return last?.isConnected === true && last.matches(here) ? last : page.querySelector(here)
}

/** Returns the place of the adjacent text; null at the end of the page. */
export function goToAdjacentField(page: Document, chosen: string, way: Direction) {
  // Visible elements only: the closed phone menu follows the links of the header.
  const seen = [...page.querySelectorAll(`[${PLACE}]`)].filter((one) => isRendered(one))
  const now = placeNow(page, chosen)
  const from = now === null ? -1 : seen.indexOf(now)
  for (let index = from + way; index >= 0 && index < seen.length; index += way) {
    const place = parseFieldTarget(seen[index]?.getAttribute(PLACE) ?? '')
    // A text may have several paragraphs.
    if (!place?.field || `${place.block}:${place.field}` === chosen) continue
    lastPlace.set(page, seen[index] as Element)
    return place
  }
  return null
}
