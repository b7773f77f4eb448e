// Carousel: buttons on wide screens, dots on narrow ones, swipe and arrow keys on all. The track scrolls and snaps
// natively; keen-slider takes it over on screens with buttons.

import type { KeenSliderInstance } from 'keen-slider'
import { ArrowLeft, ArrowRight } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../lib/class-names'
import { IconButton } from './buttons'
import styles from './carousel.module.css'
import { type CarouselPosition, scrollToSlide, watchPosition } from './carousel-position'

/** Slides per view: one on phones, two from 48rem; from 64rem three (`words`), two (`thanks`) or four (`gallery`). */
export type Shape = 'words' | 'thanks' | 'gallery'

const dotsMax = 16

const viewsByShape: Readonly<Record<Shape, number>> = { words: 3, thanks: 2, gallery: 4 }

export type CarouselWords = {
  readonly previous: string
  readonly next: string
  readonly dotsLabel: string
  /** `{n}` is replaced by the number of the slide. */
  readonly dotLabel: string
}

type CarouselProps = {
  readonly label: string
  readonly shape: Shape
  readonly words: CarouselWords
  /** Number of children. */
  readonly slides: number
  /** Shown left of the buttons. */
  readonly heading: ComponentChildren
  /** Index of the first slide to show; may change after the first render. */
  readonly start: number
  /** Called with the current slide and whether less than a view is left after it, so that the caller can load more. */
  readonly onMove: (at: number, isNearEnd: boolean) => void
  /** Link to the full list, if the slides are only a part. */
  readonly all?: ComponentChildren
  /** List items. */
  readonly children: ComponentChildren
}

export function Carousel(props: CarouselProps) {
  const { label, shape, words, slides, heading, start, onMove, all, children } = props
  const track = useRef<HTMLUListElement>(null)
  const { slider, place } = useSlider(track, viewsByShape[shape])
  // Until the slider has started, assumes one slide per view and disables both buttons.
  const { at, last } = place ?? { at: 0, last: 0 }
  const lastDot = place ? last : slides - 1
  // More dots would be too small to tell apart and to press.
  const dots = Array.from({ length: slides > dotsMax ? 0 : slides }, (_, index) => index)
  useEffect(() => {
    if (place !== null) onMove(place.at, place.last - place.at < viewsByShape[shape])
  }, [place, shape, onMove])
  // Only before the strip is followed: afterwards `start` echoes what `onMove` reported.
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
  const [place, setPlace] = useState<CarouselPosition | null>(null)
  useEffect(() => {
    const strip = track.current
    if (!strip || strip.children.length === 0) return
    return watchPosition(strip, wideViews, (next, instance) => {
      slider.current = instance
      setPlace(next)
    })
  }, [track, wideViews])
  return { slider, place }
}
