// Renders an uploaded picture in responsive sizes, with a blurred placeholder until it is loaded.

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
  /** Width of the frame, in the syntax of the `sizes` attribute. */
  readonly sizes: string
  /** Aspect ratio (width over height) of the frame, if known. */
  readonly frame?: number
  /** Largest width of the frame in px, if it differs from the width of a card. */
  readonly widestPx?: number
  /** Alternative text for a picture that has none of its own. */
  readonly alt?: string
  /** `high` for the main picture above the fold, `low` for others above the fold. */
  readonly priority?: 'high' | 'low' | undefined
  /** Shows the whole picture instead of filling the frame. */
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
      // A whole picture is centred in its frame.
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

/** Returns the step of `object-position`; undefined for the middle, which is the default. */
function stepAside(focus: number, visible: number): number | undefined {
  const step = focusStep(cropPosition(focus, visible))
  return step === 5 ? undefined : step
}
