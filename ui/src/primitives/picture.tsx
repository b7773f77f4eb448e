// A stored picture in the sizes a screen needs, with a blur in its place until it has arrived.

import { classNames } from '../lib/class-names'
import { fillingSizes, focusStep, type Picture, plainSource, sourceSet } from '../lib/picture'
import styles from './picture.module.css'

type PictureImageProps = {
  readonly picture: Picture
  /** How wide its frame is, in the words of the `sizes` attribute. */
  readonly sizes: string
  /** The frame's width over its height, where the picture is cropped to fill it. */
  readonly frame?: number
  /** Said where the picture's own text is missing. */
  readonly alt?: string
  /** `high` for the one picture a screen opens with, `low` for others in the first view. */
  readonly priority?: 'high' | 'low' | undefined
  /** Shows all of it instead of filling the frame. */
  readonly isWhole?: boolean
}

export function PictureImage(props: PictureImageProps) {
  const { picture, frame, alt = '', priority, isWhole } = props
  const sizes = frame ? fillingSizes(props.sizes, picture, frame) : props.sizes
  const focus = classNames(
    styles[`x${focusStep(picture.focusX)}`],
    styles[`y${focusStep(picture.focusY)}`],
  )
  return (
    <span class={classNames(styles.picture, focus, isWhole && styles.whole)}>
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
