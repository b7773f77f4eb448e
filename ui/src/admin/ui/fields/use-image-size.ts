// Natural size of an image, once the browser has loaded it.

import { useEffect, useState } from 'preact/hooks'
import type { Size } from './crop-frames'

export function useImageSize(src: string): Size | null {
  const [known, setKnown] = useState<{ src: string; size: Size } | null>(null)
  useEffect(() => {
    if (src === '') return undefined
    const image = new Image()
    image.onload = () =>
      setKnown({ src, size: { width: image.naturalWidth, height: image.naturalHeight } })
    image.src = src
    return () => {
      image.onload = null
    }
  }, [src])
  return known?.src === src ? known.size : null
}
