// Provides the content blocks of the current page to components.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Words } from './content/blocks'

export const ContentContext = createContext<Words | null>(null)

/** Returns a content block; null when it is hidden. */
export function useContent<Id extends keyof Words>(id: Id): Words[Id] {
  const words = useContext(ContentContext)
  if (words === null) throw new Error('no words around')
  return words[id]
}
