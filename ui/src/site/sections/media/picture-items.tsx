// Pictures as list items. Without a script each opens as a file.

import { classNames } from '../../../lib/class-names'
import { frameByShape, shapeOf } from '../../../lib/picture'
import { PictureImage } from '../../../primitives/picture'
import { carouselLabels } from '../../fixed-messages/control-labels'
import type { Shown } from '../../testimonial-page-collections'
import { useContent } from '../../use-content'
import { TextLink } from '../links'
import parts from '../shared.module.css'
import styles from './image-carousel.module.css'

export type Look = 'arched' | 'framed' | 'clipping'

type PictureItemsProps = {
  readonly items: readonly Shown[]
  /** Name of a picture that has no title. */
  readonly title: string
  readonly look: Look
  readonly onOpen: (index: number) => void
}

const sizesByLook = {
  arched: '(width >= 76rem) 17rem, (width >= 64rem) 23vw, (width >= 48rem) 46vw, 90vw',
  framed: '(width >= 76rem) 34rem, (width >= 48rem) 46vw, 90vw',
  clipping: '(width >= 76rem) 23rem, (width >= 64rem) 31vw, (width >= 48rem) 46vw, 90vw',
}

export function PictureItems({ items, title, look, onOpen }: PictureItemsProps) {
  const media = useContent('testimonianze.media')
  return (
    <>
      {items.map((item, index) => (
        <li key={item.id}>
          <figure class={classNames(styles[look], styles[shapeOf(item.image)])}>
            <a
              class={styles.open}
              href={item.image.url}
              aria-label={carouselLabels.openImage.replace('{title}', () => item.title || title)}
              aria-haspopup="dialog"
              draggable={false}
              onClick={(event) => {
                event.preventDefault()
                onOpen(index)
              }}
            >
              <PictureImage
                picture={item.image}
                sizes={sizesByLook[look]}
                frame={frameByShape[shapeOf(item.image)]}
                // Letters and press clippings are unreadable when they are cropped.
                isWhole={look !== 'arched'}
                alt={item.title ?? ''}
              />
            </a>
            <figcaption>
              {item.title && <h3>{item.title}</h3>}
              {item.description && <p class={parts.lines}>{item.description}</p>}
              {item.externalUrl && (
                <TextLink href={item.externalUrl} isExternal>
                  {media.externalLink}
                </TextLink>
              )}
            </figcaption>
          </figure>
        </li>
      ))}
    </>
  )
}
