// A picture of hers, or what is drawn in its place until she has given one.

import type { ComponentProps } from 'preact'
import { PictureImage } from '../../../primitives/picture'
import type { ShownPicture } from '../../content/schema'
import { useIsArtMuted } from '../../use-muted-art'
import { PlaceholderArt } from './placeholder-art'

type OwnPictureProps = Omit<ComponentProps<typeof PictureImage>, 'picture'> & {
  readonly own: ShownPicture
  /** What the settings hold, where the words hold nothing. */
  readonly otherwise?: ShownPicture['picture']
  /** A scene; where she has given photographs, or none is named, ridges are drawn from the seed. */
  readonly drawing?: string
  readonly seed: string
  readonly width: number
  readonly height: number
  /** How the drawing is fetched; when it comes near where not said. */
  readonly drawn?: 'high' | 'low' | 'plain'
}

/** In the editor the words of a place without a picture say which place it is. */
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
