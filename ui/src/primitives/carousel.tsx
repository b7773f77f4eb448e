// Slides side by side: buttons on wide screens, dots on narrow ones, swipe and arrow keys on all.
// A strip that scrolls and snaps natively; a slider takes it over where there are buttons.

import type { KeenSliderInstance } from 'keen-slider'
import { ArrowLeft, ArrowRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../lib/class-names'
import { IconButton } from './buttons'
import styles from './carousel.module.css'
import { followStrip, type Place, scrollToSlide } from './carousel-start'

/** One on phones and two from 48rem for all; from 64rem three, two or four. */
export type Shape = 'words' | 'thanks' | 'gallery'

const dotsMax = 16

const viewsByShape: Readonly<Record<Shape, number>> = { words: 3, thanks: 2, gallery: 4 }

export type CarouselWords = {
  readonly previous: string
  readonly next: string
  readonly dotsLabel: string
  /** `{n}` is the number. */
  readonly dotLabel: string
}

type CarouselProps = {
  readonly label: string
  readonly shape: Shape
  readonly words: CarouselWords
  /** How many children there are. */
  readonly slides: number
  /** Stands left of the buttons. */
  readonly heading: ComponentChildren
  /** The slide to begin with, which may become known after the first drawing. */
  readonly start: number
  /** Told the slide that is reached, and whether few are left ahead: there may be more to come. */
  readonly onMove: (at: number, isNearEnd: boolean) => void
  /** Leads to all of them, where these are not all. */
  readonly all?: ComponentChildren
  /** List items. */
  readonly children: ComponentChildren
}

export function Carousel(props: CarouselProps) {
  const { label, shape, words, slides, heading, start, onMove, all, children } = props
  const track = useRef<HTMLUListElement>(null)
  const { slider, place } = useSlider(track, viewsByShape[shape])
  // Before the slider is there, one slide a view is assumed and no button promises anything.
  const { at, last } = place ?? { at: 0, last: 0 }
  const lastDot = place ? last : slides - 1
  // So many dots could not be told apart, let alone hit.
  const dots = Array.from({ length: slides > dotsMax ? 0 : slides }, (_, index) => index)
  useEffect(() => {
    if (place !== null) onMove(place.at, place.last - place.at < viewsByShape[shape])
  }, [place, shape, onMove])
  // Only before the strip is followed: afterwards `start` repeats what the strip itself has told.
  useLayoutEffect(() => {
    if (place === null && start > 0 && track.current) scrollToSlide(track.current, start, 'instant')
  }, [start])
  const goTo = (index: number) => {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    if (track.current) scrollToSlide(track.current, index, isStill ? 'instant' : 'smooth')
  }
  return (
    <>
      <div class={styles.head}>
        <div>{heading}</div>
        <div class={styles.arrows}>
          <IconButton
            icon={ArrowLeft}
            hasRing
            aria-label={words.previous}
            disabled={at <= 0}
            onClick={() => slider.current?.prev()}
          />
          <IconButton
            icon={ArrowRight}
            hasRing
            aria-label={words.next}
            disabled={at >= last}
            onClick={() => slider.current?.next()}
          />
        </div>
      </div>
      <ul
        ref={track}
        class={classNames(styles.track, styles[shape])}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a strip that scrolls must take the keys
        tabIndex={0}
        onKeyDown={(event) => {
          if (event.target !== track.current) return
          if (event.key === 'ArrowLeft') slider.current?.prev()
          if (event.key === 'ArrowRight') slider.current?.next()
        }}
      >
        {children}
      </ul>
      {/* biome-ignore lint/a11y/useSemanticElements: no fieldset, these are no fields */}
      <div class={styles.dots} role="group" aria-label={`${label}: ${words.dotsLabel}`}>
        {dots.map((index) => (
          <button
            key={index}
            type="button"
            class={styles.dot}
            hidden={index > lastDot || lastDot === 0}
            aria-label={words.dotLabel.replace('{n}', `${index + 1}`)}
            aria-current={index === at ? 'true' : undefined}
            onClick={() => goTo(index)}
          />
        ))}
      </div>
      {all && <p class={styles.all}>{all}</p>}
    </>
  )
}

function useSlider(track: { readonly current: HTMLUListElement | null }, wideViews: number) {
  const slider = useRef<KeenSliderInstance | null>(null)
  const [place, setPlace] = useState<Place | null>(null)
  useEffect(() => {
    const strip = track.current
    if (!strip || strip.children.length === 0) return
    return followStrip(strip, wideViews, (next, instance) => {
      slider.current = instance
      setPlace(next)
    })
  }, [track, wideViews])
  return { slider, place }
}
