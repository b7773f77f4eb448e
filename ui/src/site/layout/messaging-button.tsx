// Button to write a message, on every page. It covers no text, and on phones it hides while the
// visitor scrolls down.

import { MessageCircle } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import { labels } from '../fixed-messages/control-labels'
import type { Settings } from '../page-data'
import { whatsappHref } from '../settings'
import { useContent } from '../use-content'
import styles from './floating.module.css'
import { useRoom } from './use-fab-space'

type MessagingButtonProps = { readonly settings: Settings }

export function MessagingButton({ settings }: MessagingButtonProps) {
  const isReading = useReadingOn()
  const { button, room } = useRoom()
  const words = useContent('header.messaging')
  const href = whatsappHref(settings)
  if (!href) return null
  return (
    <aside aria-label={words.label} class={styles.corner}>
      <a
        ref={button}
        class={classNames(styles.messaging, styles[room], isReading && styles.away)}
        href={href}
        target="_blank"
        rel="noopener"
        aria-label={`${words.label}: ${labels.newTab}`}
      >
        <span>{words.label}</span>
        <Icon of={MessageCircle} />
      </a>
    </aside>
  )
}

/** Shorter movements are not scrolling: a finger is never quite still. */
const stepPx = 12

/** Whether the page was last scrolled down; scrolling up shows the button again. */
function useReadingOn(): boolean {
  const [isReading, setReading] = useState(false)
  useEffect(() => {
    let last = scrollY
    const measure = () => {
      if (Math.abs(scrollY - last) < stepPx) return
      setReading(scrollY > last && scrollY > stepPx)
      last = scrollY
    }
    addEventListener('scroll', measure, { passive: true })
    return () => removeEventListener('scroll', measure)
  }, [])
  return isReading
}
