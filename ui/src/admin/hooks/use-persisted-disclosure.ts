// A side that folds, and stays as it was left.
import { useState } from 'preact/hooks'
import { getLocalStorage } from '../drafts/draft-storage'

export type Disclosure = { readonly open: boolean; readonly set: (open: boolean) => void }

/** Open until it was closed once; remembered where the browser remembers anything. */
export function usePersistedDisclosure(key: string): Disclosure {
  const [open, setOpen] = useState(() => read(key) !== 'closed')
  const set = (next: boolean) => {
    setOpen(next)
    try {
      getLocalStorage()?.setItem(key, next ? 'open' : 'closed')
    } catch {
      // A full shelf costs no more than one press the next time.
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
