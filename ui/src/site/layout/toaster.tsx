// Shows the toast: F8 moves the focus to it; a swipe to the right or its button dismisses it.

import { Check, CircleAlert, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { IconButton } from '../../primitives/buttons'
import { Icon } from '../../primitives/icon'
import { toastLabels as labels } from '../fixed-messages/control-labels'
import { dismissToast, type Toast, toastDurationMs, useToast } from './toast-store'
import styles from './toaster.module.css'

const hotkey = 'F8'
const swipeThresholdPx = 50
const label = labels.region.replace('{hotkey}', hotkey)

export function Toaster() {
  const toast = useToast((state) => state.toast)
  const region = useRef<HTMLElement>(null)
  useEffect(() => {
    const lead = (event: KeyboardEvent) => {
      if (event.key === hotkey) region.current?.focus()
    }
    addEventListener('keydown', lead)
    return () => removeEventListener('keydown', lead)
  }, [])
  return (
    <section ref={region} class={styles.region} aria-label={label} tabIndex={-1}>
      <div role="status" aria-live="polite">
        {toast && <Notice key={toast.id} toast={toast} />}
      </div>
    </section>
  )
}

type NoticeProps = { readonly toast: Toast }

function Notice({ toast }: NoticeProps) {
  const [isHeld, setHeld] = useState(false)
  const start = useRef<number | null>(null)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(dismissToast, toastDurationMs)
    return () => clearTimeout(timer)
  }, [isHeld])
  return (
    <div
      class={classNames(styles.toast, toast.isFailure && styles.failure)}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
      onPointerDown={(event) => {
        start.current = event.clientX
      }}
      onPointerMove={(event) => {
        if (start.current !== null && event.clientX - start.current > swipeThresholdPx)
          dismissToast()
      }}
      onPointerUp={() => {
        start.current = null
      }}
    >
      <Icon of={toast.isFailure ? CircleAlert : Check} />
      <p>{toast.text}</p>
      <IconButton icon={X} aria-label={labels.close} onClick={dismissToast} />
    </div>
  )
}
