// Modal dialog, based on the native `<dialog>`, which handles focus, Escape and the top layer.

import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { IconButton } from './buttons'
import styles from './dialog.module.css'
import { closeOnBackdrop, useOpen } from './use-modal'

type DialogProps = {
  readonly title: string
  readonly closeLabel: string
  /** Called however the dialog closes: button, Escape or a press outside. */
  readonly onClose: () => void
  readonly footer?: ComponentChildren
  /** For content longer than the screen: makes the body focusable, so that keys scroll it. */
  readonly isLong?: boolean
  readonly children: ComponentChildren
}

/** A dialog that is open while it is mounted. */
export function Dialog({ title, closeLabel, onClose, footer, isLong, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useOpen(dialog)
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class={styles.dialog}
      tabIndex={-1}
      aria-labelledby={titleId}
      closedby="any"
      onClick={closeOnBackdrop}
      onClose={onClose}
    >
      <div class={styles.head}>
        <h2 id={titleId}>{title}</h2>
        <IconButton icon={X} aria-label={closeLabel} onClick={() => dialog.current?.close()} />
      </div>
      <div class={styles.body} tabIndex={isLong ? 0 : undefined}>
        {children}
      </div>
      {footer && <div class={styles.foot}>{footer}</div>}
    </dialog>
  )
}
