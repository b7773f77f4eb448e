// Tells whether placeholder art is muted: beside the practitioner's photographs a drawn scene looks
// like a stock picture.

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'

export const MutedArtContext = createContext(false)

export function useIsArtMuted(): boolean {
  return useContext(MutedArtContext)
}
