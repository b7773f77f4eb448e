// A picture of hers, or what is drawn in its place until she has given one.

import type { ComponentProps } from 'preact'
import { PictureImage } from '../../primitives/picture'
import type { ShownPicture } from '../words/fields'

type OwnPictureProps = Omit<ComponentProps<typeof PictureImage>, 'picture'> & {
  readonly own: ShownPicture
  /** What the settings hold, where the words hold nothing. */
  readonly otherwise?: ShownPicture['picture']
  readonly drawing: string
  readonly width: number
  readonly height: number
  /** How the drawing is fetched; when it comes near where not said. */
  readonly drawn?: 'high' | 'low' | 'plain'
}

export function OwnPicture(props: OwnPictureProps) {
  const { own, otherwise = null, drawing, width, height, drawn, ...rest } = props
  const picture = own.picture ?? otherwise
  if (picture) return <PictureImage {...rest} picture={picture} />
  return (
    <img
      src={drawing}
      alt={own.alt}
      width={width}
      height={height}
      loading={drawn ? undefined : 'lazy'}
      fetchpriority={drawn === 'plain' ? undefined : drawn}
    />
  )
}
