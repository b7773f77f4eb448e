// A picture of the practitioner, or a drawing until she has uploaded one.

import type { ComponentProps } from 'preact'
import { PictureImage } from '../../../primitives/picture'
import type { ShownPicture } from '../../content/schema'
import { useIsArtMuted } from '../../use-muted-art'
import { PlaceholderArt } from './placeholder-art'

type OwnPictureProps = Omit<ComponentProps<typeof PictureImage>, 'picture'> & {
  readonly own: ShownPicture
  /** Picture from the settings, for a block that has none. */
  readonly otherwise?: ShownPicture['picture']
  /** A scene. Without one, or when placeholder art is muted, ridges are drawn from the seed. */
  readonly drawing?: string
  readonly seed: string
  readonly width: number
  readonly height: number
  /** How the drawing is loaded; lazily when absent. */
  readonly drawn?: 'high' | 'low' | 'plain'
}

/**
 * Returns the picture to show. In the editor the alt text of a picture from the settings also
 * carries the source marker of the block's field.
 */
export function pictureOr(own: ShownPicture, otherwise: ShownPicture['picture']) {
  if (own.picture || !otherwise || own.alt === '') return own.picture ?? otherwise
  return { ...otherwise, alt: (otherwise.alt ?? '') + own.alt }
}

export function ImageOrArt(props: OwnPictureProps) {
  const { own, otherwise = null, drawing, seed, width, height, drawn, ...rest } = props
  const isQuiet = useIsArtMuted()
  const picture = pictureOr(own, otherwise)
  if (picture) return <PictureImage {...rest} picture={picture} />
  if (isQuiet || !drawing) return <PlaceholderArt seed={seed} isQuiet={isQuiet} />
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
