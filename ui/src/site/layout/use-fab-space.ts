// Measures how much of the messaging button fits into the corner of the page while the page is at
// rest.

import { useEffect, useRef, useState } from 'preact/hooks'

/** What fits: the label beside the icon, the icon alone, or its edge in the margin of the page. */
type Room = 'named' | 'round' | 'edge'

/** Time after the last movement until the page counts as at rest. */
export const settledMs = 120

/** Keeps the button from covering text and controls. Measures whenever the page comes to rest. */
export function useRoom() {
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

/** Whether text or a control is behind a part of the window. */
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
