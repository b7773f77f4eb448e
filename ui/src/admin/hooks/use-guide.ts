// Whether the guide is open over the present screen.
import { create } from 'zustand'

export const GUIDE_NAME = 'Guida'

type GuideStore = {
  readonly isOpen: boolean
  /** What is searched in it at first. */
  readonly query: string
  readonly open: (query?: string) => void
  readonly close: () => void
}

export const useGuide = create<GuideStore>((set) => ({
  isOpen: false,
  query: '',
  open: (query = '') => set({ isOpen: true, query }),
  close: () => set({ isOpen: false }),
}))

/** F1, also while the focus is in the iframe of an open page. */
export function openGuideByKey(event: KeyboardEvent): void {
  if (event.key !== 'F1' || event.ctrlKey || event.altKey || event.metaKey) return
  event.preventDefault()
  useGuide.getState().open()
}
