// A modal dialog: the browser's own, so that focus, Escape and the layer above the page are right.

import { X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { IconButton } from './buttons'
import styles from './dialog.module.css'
import { useOpen } from './use-modal'

type DialogProps = {
  readonly title: string
  readonly closeLabel: string
  /** Called for every way out: button, Escape, a press beside it. */
  readonly onClose: () => void
  readonly footer?: ComponentChildren
  /** Longer than the screen: the keys scroll it. */
  readonly isLong?: boolean
  readonly children: ComponentChildren
}

/** Open for as long as it is drawn. */
export function Dialog({ title, closeLabel, onClose, footer, isLong, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const titleId = useId()
  useOpen(dialog)
  return (
    <dialog
      ref={dialog}
      class={styles.dialog}
      aria-labelledby={titleId}
      closedby="any"
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
