// The slides of a carousel that grows: what follows is fetched as the end comes near. Back finds
// them, and the place among them.

import { useRef } from 'preact/hooks'
import { type Collection, type Slides, withNext } from '../../collections'
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
      // The link to all of them stays, and the next move tries again.
      .catch(() => {})
      .finally(() => {
        isBusy.current = false
      })
  }
  return { slides: slides.items, start, onMove }
}

/** What was kept, unless the first ones are others now. */
function sameOnes<Slide extends { readonly id: string }>(
  first: Slides<Slide>,
  kept: Slides<Slide>,
): Slides<Slide> {
  return first.items.every(({ id }, index) => id === kept.items[index]?.id) ? kept : first
}
