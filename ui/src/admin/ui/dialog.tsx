// A modal sheet on the browser's own dialog: focus is trapped and given back, Escape asks to close.

import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { useOpen } from '../../primitives/use-modal'
import { IconButton } from './button'
import styles from './dialog.module.css'
import { words } from './messages'
import { ToastOutlet, useLayer } from './toaster'

type DialogProps = {
  title: string
  /** Asked by Escape and by the close button; the owner takes the dialog away. */
  onClose: () => void
  children: ComponentChildren
  footer?: ComponentChildren
  /** Beside the title: a badge and its sentence. */
  aside?: ComponentChildren
  size?: 'small' | 'medium' | 'large' | 'wide' | 'page' | 'drawer'
  /** An answer is needed before anything else. */
  alert?: boolean
}

export function Dialog(props: DialogProps) {
  const { title, onClose, children, footer, aside, size = 'medium', alert = false } = props
  const element = useRef<HTMLDialogElement>(null)
  const heading = useId()
  const body = useId()
  const layer = useLayer()
  useOpen(element, firstFocus)

  return (
    <dialog
      ref={element}
      className={`${styles.dialog} ${styles[size]}`}
      aria-labelledby={heading}
      {...(alert ? { role: 'alertdialog' as const, 'aria-describedby': body } : {})}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClose={({ currentTarget: dialog }) => {
        // Chromium closes a dialog itself at the second Escape without a click in between: what its owner still
        // renders would be open and invisible.
        if (!dialog.isConnected || dialog.open) return
        dialog.showModal()
        onClose()
      }}
    >
      <div className={styles.header}>
        <div className={styles.heading}>
          <h2 id={heading} tabIndex={-1}>
            {title}
          </h2>
          {aside}
        </div>
        <IconButton label={words.close} icon={X} onClick={onClose} className={styles.close} />
      </div>
      <div className={styles.body} id={body} data-body="">
        {children}
      </div>
      <ToastOutlet layer={layer} />
      {footer === undefined ? null : <footer className={styles.footer}>{footer}</footer>}
    </dialog>
  )
}

/**
 * Focuses what is typed first; on a touch screen the title, because the keyboard would hide the form. A question without
 * a field gets the focus itself: Orca in Firefox then reads it whole, and says nothing when a title gets the focus.
 */
function firstFocus(dialog: HTMLDialogElement): void {
  const field = dialog.querySelector(
    '[data-body] :is(input:not([type=file], [type=radio]), textarea)',
  )
  const isTouch = window.matchMedia('(pointer: coarse)').matches
  const start = isTouch && field !== null ? dialog.querySelector('h2') : field
  const target = dialog.querySelector('[data-first-focus]') ?? start ?? dialog
  if (target instanceof HTMLElement) target.focus()
}
