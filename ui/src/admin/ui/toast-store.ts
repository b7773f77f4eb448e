// The one toast that can be on the screen: a new one takes the old one's place.
import { create } from 'zustand'
import { onWritten } from '../api/client'

/** Dialogs that are open, the topmost last. */
export const useLayers = create<{ open: readonly number[] }>(() => ({ open: [] }))

export const TOAST_DURATION_MS = 5000
const PROOF_DURATION_MS = 15_000

export type Toast = {
  readonly number: number
  /** The dialog that was topmost when it came; null for the page. */
  readonly layer: number | null
  readonly tone: 'done' | 'failed'
  readonly title: string
  readonly detail: string | null
  readonly undo: (() => void) | null
  /** Where what happened can be seen; on the site, or a place of the panel. */
  readonly links?: readonly { readonly label: string; readonly href: string }[]
  /** How long it stays, where that is longer than others. */
  readonly milliseconds?: number
}

type ToastStore = {
  readonly toast: Toast | null
  readonly show: (toast: Omit<Toast, 'number' | 'layer'>) => void
  readonly dismiss: () => void
}

let shown = 0

export const useToasts = create<ToastStore>((set) => ({
  toast: null,
  show: (toast) => {
    shown += 1
    set({ toast: { ...toast, number: shown, layer: topLayer() } })
  },
  dismiss: () => set({ toast: null }),
}))

onWritten(() => {
  const { toast, dismiss } = useToasts.getState()
  if (toast?.tone === 'failed') dismiss()
})

function topLayer(): number | null {
  return useLayers.getState().open.at(-1) ?? null
}

export function toastDone(title: string, undo: (() => void) | null = null): void {
  useToasts.getState().show({ tone: 'done', title, detail: null, undo })
}

/** As `toastDone`, with what shows that it is true. */
export function toastProof(toast: Pick<Toast, 'title' | 'detail' | 'undo' | 'links'>): void {
  useToasts.getState().show({ tone: 'done', milliseconds: PROOF_DURATION_MS, ...toast })
}

/** With a link it stays long enough to be followed. */
export function toastFailed(
  title: string,
  detail: string | null,
  links?: NonNullable<Toast['links']>,
): void {
  const rest = links === undefined ? {} : { links, milliseconds: PROOF_DURATION_MS }
  useToasts.getState().show({ tone: 'failed', title, detail, undo: null, ...rest })
}
