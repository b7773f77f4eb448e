// An uploaded picture at the opening of a page, in place of the drawing.

import { frameByPlace, widestPxByPlace } from '../../../lib/picture'
import { PictureImage } from '../../../primitives/picture'
import type { Picture } from '../../page-data'
import styles from './hero-image.module.css'

type OpeningPictureProps = {
  readonly picture: Picture
  /**
   * `arch`: beside the text, standing on the bottom edge like the drawing; `band`: below the text.
   */
  readonly shape: 'arch' | 'band'
}

const sizes = {
  arch: '(width >= 76rem) 38rem, (width >= 48rem) 50vw, 92vw',
  band: '(width >= 76rem) 72rem, 92vw',
} as const
const frames = { arch: frameByPlace.openingArch, band: frameByPlace.openingBand } as const
const widestPx = {
  arch: widestPxByPlace.openingArch,
  band: widestPxByPlace.openingBand,
} as const

export function HeroImage({ picture, shape }: OpeningPictureProps) {
  return (
    <div class={styles[shape]}>
      <PictureImage
        picture={picture}
        sizes={sizes[shape]}
        frame={frames[shape]}
        widestPx={widestPx[shape]}
        priority="high"
      />
    </div>
  )
}
