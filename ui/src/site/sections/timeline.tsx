// Milestones on a line that scrolls sideways, by touch, keyboard or the two buttons.

import { ArrowLeft, ArrowRight } from 'lucide'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { timelineLabels as labels } from '../fixed-messages/control-labels'
import { useContent } from '../use-content'
import parts from './shared.module.css'
import styles from './timeline.module.css'

export function Timeline() {
  const words = useContent('chi-sono.timeline')
  const track = useRef<HTMLElement>(null)
  const { isAtStart, isAtEnd, measure } = useEnds(track)
  if (words === null) return null

  function scroll(direction: 1 | -1) {
    const element = track.current
    // Less than a screen width, so that the last visible card stays as a landmark.
    element?.scrollBy({ left: direction * element.clientWidth * 0.75, behavior: 'smooth' })
  }

  return (
    <section class={`${parts.band} ${parts.deepPaper}`}>
      <div class={parts.wrap}>
        <header class={styles.header}>
          <h2 class={parts.title} id="timeline">
            {words.title}
          </h2>
          <div class={styles.arrows}>
            <button
              type="button"
              aria-label={labels.previous}
              aria-disabled={isAtStart}
              onClick={() => scroll(-1)}
            >
              <Icon of={ArrowLeft} />
            </button>
            <button
              type="button"
              aria-label={labels.next}
              aria-disabled={isAtEnd}
              onClick={() => scroll(1)}
            >
              <Icon of={ArrowRight} />
            </button>
          </div>
        </header>
      </div>
      <section
        class={styles.track}
        ref={track}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys
        tabIndex={0}
        aria-labelledby="timeline"
        onScroll={measure}
      >
        <ol>
          {words.items.map((item) => (
            <li key={item.id}>
              <span class={styles.year}>{item.year}</span>
              <h3>{item.title}</h3>
              <p class={parts.soft}>{item.text}</p>
            </li>
          ))}
        </ol>
      </section>
    </section>
  )
}

/**
 * Whether the track is at its start or end. `aria-disabled` lets a button without effect keep the
 * focus.
 */
function useEnds(track: { readonly current: HTMLElement | null }) {
  const [ends, setEnds] = useState({ isAtStart: true, isAtEnd: false })
  const measure = useCallback(() => {
    const element = track.current
    if (!element) return
    const { scrollLeft, scrollWidth, clientWidth } = element
    const isAtStart = scrollLeft <= 1
    const isAtEnd = scrollLeft >= scrollWidth - clientWidth - 1
    setEnds((now) =>
      now.isAtStart === isAtStart && now.isAtEnd === isAtEnd ? now : { isAtStart, isAtEnd },
    )
  }, [track])
  useEffect(() => {
    measure()
    addEventListener('resize', measure)
    return () => removeEventListener('resize', measure)
  }, [measure])
  return { ...ends, measure }
}
