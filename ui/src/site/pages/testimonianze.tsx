// Four carousels: the words of those who took part, photographs, thanks, the press.

import { classNames } from '../../lib/class-names'
import { Carousel } from '../../primitives/carousel'
import circle from '../art/arch-circle.svg?no-inline'
import lake from '../art/arch-lake.svg?no-inline'
import path from '../art/arch-path.svg?no-inline'
import { testimonianze } from '../content/testimonianze'
import type { Item, Picture, SiteData, Snapshot } from '../data'
import { siteOf } from '../data'
import { routeMeta } from '../meta'
import { Closing } from '../sections/closing'
import { ImageCarousel } from '../sections/image-carousel'
import { TextLink } from '../sections/links'
import opening from '../sections/opening.module.css'
import parts from '../sections/parts.module.css'
import { type Testimonial, TestimonialCard } from '../sections/testimonial-card'
import styles from './testimonianze.module.css'

type PictureKind = 'photo-gallery' | 'special-thanks' | 'media-features'
type Shown = Pick<Item<PictureKind>, 'id' | 'title' | 'description' | 'updatedAt'> & {
  readonly image: Picture
}
type Mention = Shown & { readonly externalUrl: string | null }

type Data = SiteData & {
  readonly testimonials: readonly Testimonial[]
  readonly photos: readonly Shown[]
  readonly thanks: readonly Shown[]
  readonly mentions: readonly Mention[]
}

export function slice(snapshot: Snapshot): Data {
  const { items } = snapshot
  return {
    ...siteOf(snapshot),
    testimonials: items['course-testimonials'].map(
      ({ id, name, testimonial, profession, rating, updatedAt }) => ({
        id,
        name,
        testimonial,
        profession,
        rating,
        updatedAt,
      }),
    ),
    photos: items['photo-gallery'].flatMap(shown),
    thanks: items['special-thanks'].flatMap(shown),
    mentions: items['media-features'].flatMap((item) =>
      shown(item).map((rest) => ({ ...rest, externalUrl: item.externalUrl })),
    ),
  }
}

/** None or one: a picture that is gone leaves nothing to show. */
function shown({ id, title, description, image, updatedAt }: Item<PictureKind>): Shown[] {
  return image === null ? [] : [{ id, title, description, image, updatedAt }]
}

export function meta(data: Data) {
  return routeMeta('testimonials', data)
}

const words = testimonianze.sections

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  return (
    <>
      <Opening />
      <section class={parts.band}>
        <div class={parts.wrap}>
          {data.testimonials.length === 0 ? (
            <Empty words={words.courseTestimonials} />
          ) : (
            <Carousel
              label={words.courseTestimonials.title}
              shape="words"
              slides={data.testimonials.length}
              words={testimonianze.carousel}
              heading={<Heading words={words.courseTestimonials} />}
            >
              {data.testimonials.map((item) => (
                <li key={item.id}>
                  <TestimonialCard item={item} />
                </li>
              ))}
            </Carousel>
          )}
        </div>
      </section>
      <Pictures words={words.photoGallery} items={data.photos} look="arched" ground={parts.lake} />
      <Pictures words={words.specialThanks} items={data.thanks} look="framed" />
      <Pictures
        words={words.mediaFeatures}
        items={data.mentions}
        look="clipping"
        ground={parts.deepPaper}
      />
      <Closing words={testimonianze.closing} note={testimonianze.disclosure} />
    </>
  )
}

function Opening() {
  return (
    <section class={classNames(opening.opening, styles.opening)}>
      <div class={classNames(parts.wrap, opening.stage, styles.stage)}>
        <div class={opening.hello}>
          <h1>{testimonianze.hero.title}</h1>
          <p>{testimonianze.hero.subtitle}</p>
        </div>
        <div class={styles.arches} aria-hidden="true">
          <img class={styles.lake} src={lake} alt="" width={1200} height={900} />
          <img class={styles.circle} src={circle} alt="" width={1600} height={1000} />
          <img class={styles.path} src={path} alt="" width={1200} height={900} />
        </div>
      </div>
    </section>
  )
}

type SectionWords = { readonly title: string; readonly text: string; readonly empty: string }
type PicturesProps = {
  readonly words: SectionWords
  readonly items: readonly (Shown & { readonly externalUrl?: string | null })[]
  readonly look: 'arched' | 'framed' | 'clipping'
  readonly ground?: string | undefined
}

function Pictures({ words: section, items, look, ground }: PicturesProps) {
  return (
    <section class={classNames(parts.band, ground)}>
      <div class={parts.wrap}>
        {items.length === 0 ? (
          <Empty words={section} />
        ) : (
          <ImageCarousel
            items={items}
            title={section.title}
            heading={<Heading words={section} />}
            look={look}
            extra={(item) =>
              item.externalUrl && (
                <TextLink href={item.externalUrl} isExternal>
                  {words.mediaFeatures.externalLink}
                </TextLink>
              )
            }
          />
        )}
      </div>
    </section>
  )
}

type HeadingProps = { readonly words: SectionWords }

function Heading({ words: section }: HeadingProps) {
  return (
    <>
      <h2 class={parts.title}>{section.title}</h2>
      <p class={parts.subtitle}>{section.text}</p>
    </>
  )
}

function Empty({ words: section }: HeadingProps) {
  return (
    <>
      <h2 class={parts.title}>{section.title}</h2>
      <p class={styles.empty}>{section.empty}</p>
    </>
  )
}
