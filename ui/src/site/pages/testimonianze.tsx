// Four carousels: testimonials, photographs, thanks, press mentions.

import { classNames } from '../../lib/class-names'
import { Carousel } from '../../primitives/carousel'
import circle from '../art/arch-circle.svg?no-inline'
import lake from '../art/arch-lake.svg?no-inline'
import path from '../art/arch-path.svg?no-inline'
import { carouselLabels } from '../fixed-messages/control-labels'
import { routeMeta } from '../meta'
import { found, type Input, type Read, type SiteData, siteOf } from '../page-data'
import { disclosureId, type Testimonial, TestimonialCard } from '../sections/cards/testimonial-card'
import { CtaSection } from '../sections/cta-section'
import { TextLink } from '../sections/links'
import { HeroImage } from '../sections/media/hero-image'
import { ImageCarousel } from '../sections/media/image-carousel'
import type { Look } from '../sections/media/picture-items'
import { PlaceholderArt } from '../sections/media/placeholder-art'
import { useSlides } from '../sections/media/use-slides'
import opening from '../sections/page-opening.module.css'
import parts from '../sections/shared.module.css'
import {
  type Collection,
  type CollectionWords,
  firstSlides,
  mentions,
  photos,
  type Shown,
  type Slides,
  slidesOf,
  testimonials,
  thanks,
} from '../testimonial-page-collections'
import { useContent } from '../use-content'
import { useIsArtMuted } from '../use-muted-art'
import styles from './testimonianze.module.css'

type Data = SiteData & {
  readonly testimonials: Slides<Testimonial>
  readonly photos: Slides<Shown>
  readonly thanks: Slides<Shown>
  readonly mentions: Slides<Shown>
}

function readOf(name: string, { kind, fields }: Collection<unknown>): Read {
  return { name, of: kind, how: 'first', count: firstSlides, fields }
}

export const reads: readonly Read[] = /* @__PURE__ */ [
  readOf('testimonials', testimonials),
  readOf('photos', photos),
  readOf('thanks', thanks),
  readOf('mentions', mentions),
]

export function slice(input: Input): Data {
  const first = <Slide,>(name: string, collection: Collection<Slide>) =>
    slidesOf(collection, found(input, name, collection.kind))
  return {
    ...siteOf(input),
    testimonials: first('testimonials', testimonials),
    photos: first('photos', photos),
    thanks: first('thanks', thanks),
    mentions: first('mentions', mentions),
  }
}

export function meta(data: Data) {
  return routeMeta('testimonianze', data)
}

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const closing = useContent('testimonianze.closing')
  return (
    <>
      <Opening />
      <section class={parts.band}>
        <div class={parts.wrap}>
          {data.testimonials.items.length === 0 ? (
            <Empty words={testimonials.words} />
          ) : (
            <Testimonials first={data.testimonials} />
          )}
        </div>
      </section>
      <Pictures collection={photos} first={data.photos} look="arched" ground={parts.lake} />
      <Pictures collection={thanks} first={data.thanks} look="framed" />
      <Pictures
        collection={mentions}
        first={data.mentions}
        look="clipping"
        ground={parts.deepPaper}
      />
      <Disclosure showsAsked={data.showsAsked} />
      <CtaSection words={closing} />
    </>
  )
}

/** Tells readers how the reviews are collected (Codice del consumo, art. 22, 5-bis). */
function Disclosure({ showsAsked }: { readonly showsAsked: boolean }) {
  const { title, text, asked } = useContent('testimonianze.disclosure')
  return (
    <section class={styles.disclosure} id={disclosureId}>
      <div class={parts.wrap}>
        {title !== '' && <h2>{title}</h2>}
        <p class={parts.note}>{(showsAsked && asked) || text}</p>
      </div>
    </section>
  )
}

function Testimonials({ first }: { readonly first: Slides<Testimonial> }) {
  const { slides, start, onMove } = useSlides(testimonials, first)
  const { words: id, path } = testimonials
  const words = useContent(id)
  const { link } = useContent('testimonianze.disclosure')
  return (
    <Carousel
      label={words.title}
      shape="words"
      slides={slides.length}
      words={carouselLabels}
      heading={
        <>
          <Heading words={id} />
          {link !== '' && (
            <p>
              <TextLink href={`#${disclosureId}`}>{link}</TextLink>
            </p>
          )}
        </>
      }
      start={start}
      onMove={onMove}
      all={
        first.hasMore && (
          <TextLink href={path} hasArrow>
            {words.all}
          </TextLink>
        )
      }
    >
      {slides.map((item) => (
        <li key={item.id}>
          <TestimonialCard item={item} />
        </li>
      ))}
    </Carousel>
  )
}

const arches = [
  [styles.lake, lake],
  [styles.circle, circle],
  [styles.path, path],
] as const

function Opening() {
  const words = useContent('testimonianze.hero')
  const isQuiet = useIsArtMuted()
  return (
    <section class={classNames(opening.opening, styles.opening)}>
      <div class={classNames(parts.wrap, opening.stage, styles.stage)}>
        <div class={opening.hello}>
          <h1>{words.title}</h1>
          <p>{words.subtitle}</p>
        </div>
        {words.picture.picture ? (
          <HeroImage picture={words.picture.picture} shape="arch" />
        ) : (
          <div class={styles.arches} aria-hidden="true">
            {arches.map(([shape, src], index) =>
              isQuiet ? (
                <PlaceholderArt
                  seed={`testimonianze-${index}`}
                  isQuiet
                  extraClass={shape}
                  key={src}
                />
              ) : (
                <img
                  class={shape}
                  src={src}
                  alt={src === circle ? words.picture.alt : ''}
                  width={1200}
                  height={900}
                  key={src}
                />
              ),
            )}
          </div>
        )}
      </div>
    </section>
  )
}

type PicturesProps = {
  readonly collection: Collection<Shown>
  readonly first: Slides<Shown>
  readonly look: Look
  readonly ground?: string | undefined
}

function Pictures({ collection, first, look, ground }: PicturesProps) {
  const { words } = collection
  return (
    <section class={classNames(parts.band, ground)}>
      <div class={parts.wrap}>
        {first.items.length === 0 ? (
          <Empty words={words} />
        ) : (
          <ImageCarousel
            collection={collection}
            first={first}
            heading={<Heading words={words} />}
            look={look}
          />
        )}
      </div>
    </section>
  )
}

type HeadingProps = { readonly words: CollectionWords }

function Heading({ words }: HeadingProps) {
  const section = useContent(words)
  return (
    <>
      <h2 class={parts.title}>{section.title}</h2>
      <p class={parts.subtitle}>{section.text}</p>
    </>
  )
}

function Empty({ words }: HeadingProps) {
  const section = useContent(words)
  return (
    <>
      <h2 class={parts.title}>{section.title}</h2>
      <p class={styles.empty}>{section.empty}</p>
    </>
  )
}
