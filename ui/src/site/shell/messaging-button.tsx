// The way to write a message, within reach on every page and over nothing that is read; on phones
// out of the way while one reads on.

import { MessageCircle } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import type { Settings } from '../data'
import { labels } from '../labels'
import { whatsappHref } from '../settings'
import { useWords } from '../use-words'
import styles from './floating.module.css'

type MessagingButtonProps = { readonly settings: Settings }

export function MessagingButton({ settings }: MessagingButtonProps) {
  const isReading = useReadingOn()
  const { button, room } = useRoom()
  const words = useWords('header.messaging')
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
        <span class={styles.name}>{words.label}</span>
        <Icon of={MessageCircle} />
      </a>
    </aside>
  )
}

/** A finger's trembling is no reading on. */
const stepPx = 12

/** Whether the page was last scrolled down; the way up brings back what was out of the way. */
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

/** What fits: the name beside the sign, the sign alone, or its edge in the margin of the page. */
type Room = 'named' | 'round' | 'edge'

const settledMs = 120

/** Nothing that can be read or pressed is covered: measured where the page comes to rest. */
function useRoom() {
  const button = useRef<HTMLAnchorElement>(null)
  const [room, setRoom] = useState<Room>('round')
  useEffect(() => {
    const measure = () => button.current && setRoom(roomOf(button.current))
    let timer = setTimeout(measure, settledMs)
    const later = () => {
      clearTimeout(timer)
      timer = setTimeout(measure, settledMs)
    }
    const changes = new ResizeObserver(later)
    changes.observe(document.body)
    addEventListener('scroll', later, { passive: true })
    addEventListener('resize', later)
    return () => {
      clearTimeout(timer)
      changes.disconnect()
      removeEventListener('scroll', later)
      removeEventListener('resize', later)
    }
  }, [])
  return { button, room }
}

function roomOf(button: HTMLElement): Room {
  const corner = button.parentElement?.getBoundingClientRect()
  if (corner === undefined) return 'round'
  const { right, top, height, width } = corner
  const isFree = (across: number) =>
    !isCovered(button, new DOMRect(right - across, top, across, height))
  if (!isFree(height)) return 'edge'
  return isFree(width) ? 'named' : 'round'
}

/** Whether words, or something to press, stand behind a part of the window. */
function isCovered(button: HTMLElement, place: DOMRect): boolean {
  const touches = (box: DOMRect) =>
    box.left < place.right &&
    box.right > place.left &&
    box.top < place.bottom &&
    box.bottom > place.top
  const range = document.createRange()
  const holdsWords = (element: Element) =>
    [...element.childNodes].some((node) => {
      if (node.nodeType !== Node.TEXT_NODE || !node.nodeValue?.trim()) return false
      range.selectNodeContents(node)
      return [...range.getClientRects()].some(touches)
    })
  return [...document.querySelectorAll('#contenuto *, footer *')].some((element) => {
    if (button.contains(element) || !touches(element.getBoundingClientRect())) return false
    return element.matches('a, button, input, summary') || holdsWords(element)
  })
}
