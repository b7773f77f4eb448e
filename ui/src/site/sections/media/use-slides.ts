// The slides of a carousel that fetches more near its end. Back restores the slides and the
// position.

import { useRef } from 'preact/hooks'
import { type Collection, type Slides, withNext } from '../../testimonial-page-collections'
import { useHistoryState } from '../../use-history-state'

export function useSlides<Slide extends { readonly id: string }>(
  collection: Collection<Slide>,
  first: Slides<Slide>,
) {
  const [slides, keepSlides] = useHistoryState(`${collection.kind} slides`, first, sameOnes)
  const [start, keepPlace] = useHistoryState(`${collection.kind} place`, 0, (_, place) => place)
  const isBusy = useRef(false)
  const onMove = (at: number, isNearEnd: boolean) => {
    if (at !== start) keepPlace(at)
    if (!isNearEnd || isBusy.current || !slides.hasMore) return
    isBusy.current = true
    withNext(collection, slides)
      .then(keepSlides)
      // The link to all items stays, and the next move retries.
      .catch(() => {})
      .finally(() => {
        isBusy.current = false
      })
  }
  return { slides: slides.items, start, onMove }
}

/** Returns the stored slides, unless the first ones have changed. */
function sameOnes<Slide extends { readonly id: string }>(
  first: Slides<Slide>,
  kept: Slides<Slide>,
): Slides<Slide> {
  return first.items.every(({ id }, index) => id === kept.items[index]?.id) ? kept : first
}
