// A stored picture in the sizes a screen needs, with a blur in its place until it has arrived.

import { classNames } from '../lib/class-names'
import {
  cropPosition,
  fillingSizes,
  focusStep,
  isTooSmall,
  matSizes,
  type Picture,
  plainSource,
  sourceSet,
  visibleParts,
  widestPxByPlace,
} from '../lib/picture'
import styles from './picture.module.css'

type PictureImageProps = {
  readonly picture: Picture
  /** How wide its frame is, in the words of the `sizes` attribute. */
  readonly sizes: string
  /** The frame's width over its height, as far as it is known. */
  readonly frame?: number
  /** How wide the frame gets at most, where that is not a card's width. */
  readonly widestPx?: number
  /** Said where the picture's own text is missing. */
  readonly alt?: string
  /** `high` for the one picture a screen opens with, `low` for others in the first view. */
  readonly priority?: 'high' | 'low' | undefined
  /** Shows all of it instead of filling the frame. */
  readonly isWhole?: boolean
}

export function PictureImage(props: PictureImageProps) {
  const { picture, frame, alt = '', priority, isWhole, widestPx = widestPxByPlace.card } = props
  const isSmall = isTooSmall(picture, frame ?? picture.width / picture.height, widestPx)
  const fills = frame && !isWhole ? fillingSizes(props.sizes, picture, frame) : props.sizes
  const sizes = isSmall ? matSizes(picture) : fills
  const { across, down } = visibleParts(picture, frame ?? 1)
  return (
    <span
      class={classNames(styles.picture, isWhole && styles.whole, isSmall && styles.small)}
      // What is whole stands in the middle of its frame.
      data-x={isWhole ? undefined : stepAside(picture.focusX, across)}
      data-y={isWhole ? undefined : stepAside(picture.focusY, down)}
      data-small={isSmall ? '' : undefined}
    >
      {picture.placeholder && (
        <img class={styles.blur} src={picture.placeholder} alt="" aria-hidden="true" />
      )}
      <picture>
        <source type="image/webp" srcset={sourceSet(picture, 'webp')} sizes={sizes} />
        <img
          class={styles.image}
          src={plainSource(picture)}
          srcset={sourceSet(picture, 'jpeg')}
          sizes={sizes}
          alt={picture.alt ?? alt}
          width={picture.width}
          height={picture.height}
          loading={priority ? 'eager' : 'lazy'}
          fetchpriority={priority ?? 'auto'}
          decoding="async"
        />
      </picture>
    </span>
  )
}

/** The step of `object-position`; none for the middle. */
function stepAside(focus: number, visible: number): number | undefined {
  const step = focusStep(cropPosition(focus, visible))
  return step === 5 ? undefined : step
}
