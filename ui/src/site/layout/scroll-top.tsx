// Button to the top of the page. Appears below half of the page and grows on the way down.

import { ArrowUp } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { buttonScale, scrolledShare } from '../../lib/scroll-progress'
import { Icon } from '../../primitives/icon'
import { labels } from '../fixed-messages/control-labels'
import styles from './floating.module.css'

export function ScrollTop() {
  const [scale, setScale] = useState<number | null>(null)
  useEffect(() => {
    const measure = () => {
      const { scrollHeight, clientHeight } = document.documentElement
      setScale(buttonScale(scrolledShare(scrollY, scrollHeight - clientHeight)))
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [])
  if (scale === null) return null
  return (
    <button
      type="button"
      class={styles.toTop}
      // Set by a script: the content security policy forbids style attributes in the markup.
      ref={(button) => button?.style.setProperty('scale', `${scale}`)}
      aria-label={labels.scrollToTop}
      onClick={toTop}
    >
      <Icon of={ArrowUp} />
    </button>
  )
}

function toTop() {
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  scrollTo({ top: 0, behavior: isStill ? 'instant' : 'smooth' })
  document.querySelector('main')?.focus({ preventScroll: true })
}
