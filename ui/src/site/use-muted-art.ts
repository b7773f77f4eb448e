// Whether what is drawn keeps quiet: beside photographs of hers a drawn scene looks like a stock picture.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export const MutedArtContext = createContext(false)

export function useIsArtMuted(): boolean {
  return useContext(MutedArtContext)
}
