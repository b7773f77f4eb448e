// What an icon means, in words beside it: for a pointer that rests on it, at once for the keyboard.
import type { ComponentChild } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import styles from './tooltip.module.css'

/** How long a pointer rests before the words come. */
export const TOOLTIP_DELAY_MS = 700
/** So soon after another's words these come at once. */
export const TOOLTIP_SKIP_MS = 300

let lastGoneMs = Number.NEGATIVE_INFINITY

type Tooltip = {
  /** For the control that is explained. */
  readonly on: {
    readonly onPointerEnter: (event: PointerEvent) => void
    readonly onPointerLeave: () => void
    readonly onPointerDown: () => void
    readonly onFocus: (event: FocusEvent) => void
    readonly onBlur: () => void
  }
  /** Goes inside the control: then the pointer may rest on the words too. */
  readonly bubble: ComponentChild
}

/** The words repeat the control's name, so that nothing is said twice to a screen reader. */
export function useTooltip(text: string): Tooltip {
  const [shown, setShown] = useState<'over' | 'focus' | null>(null)
  const timer = useRef(0)

  const hide = () => {
    clearTimeout(timer.current)
    setShown((was) => {
      if (was === 'over') lastGoneMs = performance.now()
      return null
    })
  }
  useEffect(() => () => clearTimeout(timer.current), [])
  useEffect(() => {
    if (shown === null) return undefined
    // Escape sends them away; any other key does something, and the words have been read.
    window.addEventListener('keydown', hide)
    return () => window.removeEventListener('keydown', hide)
  }, [shown])

  const on = {
    onPointerEnter: ({ pointerType }: PointerEvent) => {
      if (pointerType === 'touch') return
      const soon = performance.now() - lastGoneMs < TOOLTIP_SKIP_MS
      clearTimeout(timer.current)
      timer.current = window.setTimeout(() => setShown('over'), soon ? 0 : TOOLTIP_DELAY_MS)
    },
    onPointerLeave: hide,
    onPointerDown: hide,
    onFocus: ({ currentTarget }: FocusEvent) => {
      if (currentTarget instanceof Element && currentTarget.matches(':focus-visible'))
        setShown('focus')
    },
    onBlur: hide,
  }
  return { on, bubble: shown === null ? null : <Bubble text={text} rests={shown === 'over'} /> }
}

/** In the top layer, so that neither a list that scrolls nor a dialog cuts it. */
function Bubble({ text, rests }: { text: string; rests: boolean }) {
  const bubble = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const own = bubble.current
    if (own === null) return undefined
    // Without popovers (before Safari 17) it lies above its neighbours, in the layer of its dialog.
    own.showPopover?.()
    const follow = () => place(own)
    follow()
    window.addEventListener('scroll', follow, true)
    return () => window.removeEventListener('scroll', follow, true)
  }, [])
  return (
    <span
      ref={bubble}
      popover="manual"
      className={rests ? styles.bubble : `${styles.bubble} ${styles.through}`}
      aria-hidden="true"
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </span>
  )
}

/** Under its control, or above where there is no room, and never over the edge. */
function place(bubble: HTMLElement): void {
  const control = bubble.parentElement?.getBoundingClientRect()
  if (control === undefined) return
  const half = bubble.offsetWidth / 2 + EDGE_PX
  const middle = control.left + control.width / 2
  const x = Math.min(Math.max(middle, half), document.documentElement.clientWidth - half)
  const under = control.bottom + bubble.offsetHeight + EDGE_PX < window.innerHeight
  // The content security policy forbids style attributes; the style object is not one.
  bubble.style.setProperty('--x', `${x}px`)
  bubble.style.setProperty('--y', `${under ? control.bottom : control.top - bubble.offsetHeight}px`)
}

/** What stays free between the words and the edge of the window. */
const EDGE_PX = 8
