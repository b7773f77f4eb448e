// A side panel that remembers in localStorage whether it is open.
import { useState } from 'preact/hooks'
import { getLocalStorage } from '../drafts/draft-storage'

export type Disclosure = { readonly open: boolean; readonly set: (open: boolean) => void }

/** Open by default. Without storage the state lives as long as the page. */
export function usePersistedDisclosure(key: string): Disclosure {
  const [open, setOpen] = useState(() => read(key) !== 'closed')
  const set = (next: boolean) => {
    setOpen(next)
    try {
      getLocalStorage()?.setItem(key, next ? 'open' : 'closed')
    } catch {
      // Storage is full: the panel opens in its default state the next time.
    }
  }
  return { open, set }
}

function read(key: string): string | null {
  try {
    return getLocalStorage()?.getItem(key) ?? null
  } catch {
    return null
  }
}
