// A carousel of pictures, each of which opens in the lightbox. Without script it opens as a file.

import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { Carousel, type Shape } from '../../primitives/carousel'
import type { Collection, Shown, Slides } from '../collections'
import { carouselLabels } from '../labels'
import { useWords } from '../use-words'
import { Lightbox } from './lightbox'
import { TextLink } from './links'
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
  const { slides, onNearEnd } = useSlides(collection, first)
  const [open, setOpen] = useState<number | null>(null)
  const { title, all } = useWords(collection.words)
  return (
    <>
      <Carousel
        label={title}
        shape={shapeByLook[look]}
        slides={slides.items.length}
        words={carouselLabels}
        heading={heading}
        onNearEnd={onNearEnd}
        all={
          first.hasMore && (
            <TextLink href={collection.path} hasArrow>
              {all}
            </TextLink>
          )
        }
      >
        <PictureItems items={slides.items} title={title} look={look} onOpen={setOpen} />
      </Carousel>
      {open !== null && (
        <Lightbox pictures={slides.items} start={open} onClose={() => setOpen(null)} />
      )}
    </>
  )
}
