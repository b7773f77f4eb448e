// A carousel of pictures, each of which opens in the lightbox. Without script it opens as a file.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { frameByShape, shapeOf } from '../../lib/picture'
import { Carousel, type Shape } from '../../primitives/carousel'
import { PictureImage } from '../../primitives/picture'
import { testimonianze } from '../content/testimonianze'
import styles from './image-carousel.module.css'
import { Lightbox, type Shown } from './lightbox'

type ImageCarouselProps<Item extends Shown> = {
  readonly items: readonly Item[]
  readonly title: string
  readonly heading: ComponentChildren
  readonly look: 'arched' | 'framed' | 'clipping'
  /** What stands below a clipping's words. */
  readonly extra?: (item: Item) => ComponentChildren
}

const shapeByLook = { arched: 'gallery', framed: 'thanks', clipping: 'words' } as const satisfies {
  readonly [look: string]: Shape
}

const sizesByLook = {
  arched: '(width >= 76rem) 17rem, (width >= 64rem) 23vw, (width >= 48rem) 46vw, 90vw',
  framed: '(width >= 76rem) 34rem, (width >= 48rem) 46vw, 90vw',
  clipping: '(width >= 76rem) 23rem, (width >= 64rem) 31vw, (width >= 48rem) 46vw, 90vw',
}

export function ImageCarousel<Item extends Shown>(props: ImageCarouselProps<Item>) {
  const { items, title, heading, look, extra } = props
  const [open, setOpen] = useState<number | null>(null)
  return (
    <>
      <Carousel
        label={title}
        shape={shapeByLook[look]}
        slides={items.length}
        words={testimonianze.carousel}
        heading={heading}
      >
        {items.map((item, index) => (
          <li key={item.id}>
            <figure class={classNames(styles[look], styles[shapeOf(item.image)])}>
              <a
                class={styles.open}
                href={item.image.url}
                aria-label={testimonianze.carousel.openImage.replace(
                  '{title}',
                  () => item.title || title,
                )}
                aria-haspopup="dialog"
                draggable={false}
                onClick={(event) => {
                  event.preventDefault()
                  setOpen(index)
                }}
              >
                <PictureImage
                  picture={item.image}
                  sizes={sizesByLook[look]}
                  frame={frameByShape[shapeOf(item.image)]}
                  // Letters and clippings lose their sense when they are cropped.
                  isWhole={look !== 'arched'}
                  alt={item.title ?? ''}
                />
              </a>
              <figcaption>
                {item.title && <h3>{item.title}</h3>}
                {item.description && <p>{item.description}</p>}
                {extra?.(item)}
              </figcaption>
            </figure>
          </li>
        ))}
      </Carousel>
      {open !== null && <Lightbox pictures={items} start={open} onClose={() => setOpen(null)} />}
    </>
  )
}
