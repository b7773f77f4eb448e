// Shows the one toast, inside the dialog it belongs to: outside of an open one nothing can be reached.

import { Check, CircleAlert, Undo2, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { IconButton } from './button'
import { words } from './messages'
import { useToastPosition } from './toast-position'
import { TOAST_DURATION_MS, type Toast, useLayers, useToasts } from './toast-store'
import styles from './toaster.module.css'

let layers = 0

/** The number of a dialog in the pile, while it is there. */
export function useLayer(): number {
  const [layer] = useState(() => {
    layers += 1
    return layers
  })
  useEffect(() => {
    useLayers.setState(({ open }) => ({ open: [...open, layer] }))
    return () => useLayers.setState(({ open }) => ({ open: open.filter((one) => one !== layer) }))
  }, [layer])
  return layer
}

const SWIPE_PX = 50

/**
 * Where toasts appear; `layer` null for the page itself. The live region stays in the document: several screen readers
 * say nothing when it is inserted together with its text.
 */
export function ToastOutlet({ layer }: { layer: number | null }) {
  const open = useLayers((store) => store.open)
  const toast = useToasts((store) => store.toast)
  const region = useRef<HTMLElement>(null)
  const here = homeOf(toast, open) === layer

  useEffect(() => {
    if (!here) return undefined
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'F8') region.current?.focus()
    }
    window.addEventListener('keydown', onKey)
    return () => window.removeEventListener('keydown', onKey)
  }, [here])

  const card =
    here && toast !== null ? <ToastCard key={toast.number} {...{ toast, region }} /> : null
  const failed = toast?.tone === 'failed'
  return (
    <section
      ref={region}
      className={styles.region}
      // Without a name it is no region: only the topmost layer has one.
      {...(here ? { 'aria-label': 'Notifiche (F8)', tabIndex: -1 } : {})}
    >
      <div role="status">{failed ? null : card}</div>
      {failed ? card : null}
    </section>
  )
}

/** A toast stays where it came, so that no question has another's 'Annulla' in it. */
function homeOf(toast: Toast | null, open: readonly number[]): number | null {
  const top = open.at(-1) ?? null
  if (toast === null) return top
  return toast.layer === null || open.includes(toast.layer) ? toast.layer : top
}

type ToastCardProps = { toast: Toast; region: { readonly current: HTMLElement | null } }

function ToastCard({ toast, region }: ToastCardProps) {
  const dismiss = useToasts((store) => store.dismiss)
  const [held, setHeld] = useState(false)
  const startX = useRef<number | null>(null)
  const card = useRef<HTMLDivElement>(null)
  useToastPosition(region, card)

  useEffect(() => {
    if (held) return undefined
    const timer = setTimeout(dismiss, toast.milliseconds ?? TOAST_DURATION_MS)
    return () => clearTimeout(timer)
  }, [held, dismiss, toast.milliseconds])

  const failed = toast.tone === 'failed'
  const icon = failed ? CircleAlert : Check
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is read, and can be swiped away
    <div
      ref={card}
      className={failed ? `${styles.toast} ${styles.bad}` : styles.toast}
      // Inserted alerts are announced; the status element around other toasts is persistent.
      {...(failed ? { role: 'alert' } : {})}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusCapture={() => setHeld(true)}
      onBlurCapture={() => setHeld(false)}
      // Words that a first swipe has selected would be dragged by the second.
      onDragStart={(event) => event.preventDefault()}
      onPointerDown={(event) => {
        startX.current = event.clientX
      }}
      onPointerUp={(event) => {
        if (startX.current !== null && event.clientX - startX.current > SWIPE_PX) dismiss()
        startX.current = null
      }}
    >
      <Icon of={icon} size={20} class={styles.icon} />
      <div className={toast.undo === null ? styles.text : `${styles.text} ${styles.whole}`}>
        <p>{toast.title}</p>
        {toast.links === undefined ? null : (
          <p className={styles.links}>
            {toast.links.map(({ label, href }) =>
              href.startsWith('#') ? (
                <a key={href} href={href} onClick={dismiss}>
                  {label}
                </a>
              ) : (
                <a key={href} href={href} target="_blank" rel="noopener">
                  {label}
                </a>
              ),
            )}
          </p>
        )}
        {toast.detail === null ? null : <p className={styles.detail}>{toast.detail}</p>}
      </div>
      {toast.undo === null ? null : <UndoButton undo={toast.undo} dismiss={dismiss} />}
      <IconButton label="Chiudi la notifica" icon={X} onClick={dismiss} className={styles.close} />
    </div>
  )
}

function UndoButton({ undo, dismiss }: { undo: () => void; dismiss: () => void }) {
  return (
    <button
      type="button"
      className={styles.undo}
      onClick={() => {
        dismiss()
        undo()
      }}
    >
      <Icon of={Undo2} size={18} />
      {words.undo}
    </button>
  )
}
