// The slides of a carousel that grows: what follows is fetched as the end comes near.

import { useRef, useState } from 'preact/hooks'
import { type Collection, type Slides, withNext } from '../collections'

export function useSlides<Slide>(collection: Collection<Slide>, first: Slides<Slide>) {
  const [slides, setSlides] = useState(first)
  const isBusy = useRef(false)
  const onNearEnd = () => {
    if (isBusy.current || !slides.hasMore) return
    isBusy.current = true
    withNext(collection, slides)
      .then(setSlides)
      // The link to all of them stays, and the next move tries again.
      .catch(() => {})
      .finally(() => {
        isBusy.current = false
      })
  }
  return { slides, onNearEnd }
}
