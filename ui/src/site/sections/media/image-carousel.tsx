// A carousel of pictures, each of which opens in the lightbox; without a script, as a file.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Carousel, type Shape } from '../../../primitives/carousel'
import { carouselLabels } from '../../fixed-messages/control-labels'
import type { Collection, Shown, Slides } from '../../testimonial-page-collections'
import { useContent } from '../../use-content'
import { TextLink } from '../links'
import { Lightbox } from './lightbox'
import { type Look, PictureItems } from './picture-items'
import { useSlides } from './use-slides'

type ImageCarouselProps = {
  readonly collection: Collection<Shown>
  readonly first: Slides<Shown>
  readonly heading: ComponentChildren
  readonly look: Look
}

const shapeByLook = { arched: 'gallery', framed: 'thanks', clipping: 'words' } as const satisfies {
  readonly [look: string]: Shape
}

export function ImageCarousel({ collection, first, heading, look }: ImageCarouselProps) {
  const { slides, start, onMove } = useSlides(collection, first)
  const [open, setOpen] = useState<number | null>(null)
  const { title, all } = useContent(collection.words)
  return (
    <>
      <Carousel
        label={title}
        shape={shapeByLook[look]}
        slides={slides.length}
        words={carouselLabels}
        heading={heading}
        start={start}
        onMove={onMove}
        all={
          first.hasMore && (
            <TextLink href={collection.path} hasArrow>
              {all}
            </TextLink>
          )
        }
      >
        <PictureItems items={slides} title={title} look={look} onOpen={setOpen} />
      </Carousel>
      {open !== null && <Lightbox pictures={slides} start={open} onClose={() => setOpen(null)} />}
    </>
  )
}
