// Selects the text of a search hit on its page.

import { textIn } from '../../../lint/dom-text-range'
import { placeIn } from './search-content'

type Hit = {
  /** Place of the field. */
  readonly chosen: string | null
  /** The search query. */
  readonly hit: string | null
  readonly touch: boolean
}

/** Does nothing in rich text and on touch screens: there the field is only shown. */
export function selectHitText(page: Document, { chosen, hit, touch }: Hit): void {
  if (chosen === null || hit === null || touch) return
  const name = CSS.escape(chosen)
  const found = page.querySelectorAll<HTMLElement>(
    `[data-words="${name}"], [data-words^="${name}#"]`,
  )
  for (const element of found) {
    if (!element.isContentEditable || rangeOf(element, hit) === null) continue
    element.focus({ preventScroll: true })
    // After the focus, which creates the editor of the text, and with it other nodes.
    const range = rangeOf(element, hit)
    if (range === null) continue
    const { startContainer, startOffset, endContainer, endOffset } = range
    page.getSelection()?.setBaseAndExtent(startContainer, startOffset, endContainer, endOffset)
    return
  }
}

function rangeOf(element: HTMLElement, hit: string): Range | null {
  const words = textIn(element)
  const place = placeIn(words.text, hit)
  return place === null ? null : words.rangeOf(place.from, place.to)
}
