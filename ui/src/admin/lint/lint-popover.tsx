// Popover that explains a highlighted word and offers alternatives. Rendered in the panel's document, over the iframe.
import { render } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../lib/interpolate'
import { Button } from '../ui/button'
import { toastDone } from '../ui/toast-store'
import styles from './lint-popover.module.css'
import type { LintMatch } from './medical-terms'
import list from './terms.json'

type Hint = {
  readonly concern: LintMatch
  readonly anchor: DOMRect
  readonly onReplace: (other: string) => void
  readonly onLeave: () => void
  readonly onClose: () => void
}

let host: HTMLElement | null = null

export function openLintPopover(hint: Hint): void {
  closeLintPopover()
  host = document.createElement('div')
  // Elements outside an open modal dialog are inert.
  const over = [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.body
  over.append(host)
  render(<Box {...hint} />, host)
}

export function closeLintPopover(): void {
  if (host === null) return
  render(null, host)
  host.remove()
  host = null
}

export function isLintPopoverOpen(): boolean {
  return host !== null
}

/** Whether the target is inside the popover: in a form the popover is a child of the form's dialog. */
export function isInLintPopover(target: EventTarget | null): boolean {
  return host?.contains(target as Node | null) === true
}

const GAP_PX = 8

function Box({ concern, anchor, onReplace, onLeave, onClose }: Hint) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const own = box.current
    if (own === null) return
    // Without popovers (before Safari 17) it lies above its neighbours, in the layer of its dialog.
    own.showPopover?.()
    const x = Math.min(anchor.x, window.innerWidth - own.offsetWidth - GAP_PX)
    const below = anchor.bottom + GAP_PX
    const fits = below + own.offsetHeight <= window.innerHeight
    const y = fits ? below : Math.max(GAP_PX, anchor.y - own.offsetHeight - GAP_PX)
    // The content security policy forbids style attributes; the style object is not one.
    own.style.setProperty('--x', `${Math.max(GAP_PX, x)}px`)
    own.style.setProperty('--y', `${y}px`)
    own.querySelector<HTMLElement>('button')?.focus()
  }, [anchor])
  const end = (act: () => void) => {
    closeLintPopover()
    act()
  }
  return (
    <div
      ref={box}
      className={styles.hint}
      popover="manual"
      role="dialog"
      aria-label={concern.title}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        event.stopPropagation()
        end(onClose)
      }}
    >
      <h3>{concern.title}</h3>
      <p>{concern.why}</p>
      <fieldset aria-label={list.instead}>
        {concern.alternatives.map((other) => (
          <Button
            key={other}
            tone="outline"
            small
            onClick={() =>
              end(() => {
                onReplace(other)
                toastDone(fill(list.replaced, { word: concern.word, other }))
              })
            }
          >
            {other}
          </Button>
        ))}
      </fieldset>
      <Button
        tone="quiet"
        small
        onClick={() =>
          end(() => {
            onLeave()
            onClose()
            toastDone(list.keepDone)
          })
        }
      >
        {list.keep}
      </Button>
    </div>
  )
}
