// From one text of the page to the one before or after it, in the order in which it is read.
import { placeOf } from '../../../../lib/content-source-map'
import { PLACE } from './prepare-preview'

/** `1` for the one after, `-1` for the one before. */
export type Way = 1 | -1

/** The place that she came to last: a field in the sheet takes the focus from it. */
export const lastPlace = new WeakMap<Document, Element>()

/** The same words may stand in two places: the one that was pressed; null where `chosen` is on none. */
export function placeNow(page: Document, chosen: string): Element | null {
  const here = `[${PLACE}^="${CSS.escape(chosen)}"]`
  const last = lastPlace.get(page)
  return last?.isConnected === true && last.matches(here) ? last : page.querySelector(here)
}

/** Goes there; null where the page ends. */
export function goToAdjacentField(page: Document, chosen: string, way: Way) {
  // The menu of a phone lies closed behind the links of the head.
  const seen = [...page.querySelectorAll(`[${PLACE}]`)].filter((one) => one.checkVisibility())
  const now = placeNow(page, chosen)
  const from = now === null ? -1 : seen.indexOf(now)
  for (let index = from + way; index >= 0 && index < seen.length; index += way) {
    const place = placeOf(seen[index]?.getAttribute(PLACE) ?? '')
    // Of one text there may be several paragraphs.
    if (!place?.field || `${place.block}:${place.field}` === chosen) continue
    lastPlace.set(page, seen[index] as Element)
    return place
  }
  return null
}
