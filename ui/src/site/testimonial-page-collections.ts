// The four collections on the testimonials page; the page contains the first slides of each.

import type { Found, Item, Kind, Picture } from './page-data'
import type { Testimonial } from './sections/cards/testimonial-card'

type PictureKind = 'photo-gallery' | 'special-thanks' | 'media-features'

export type Shown = Pick<Item<PictureKind>, 'id' | 'title' | 'description' | 'updatedAt'> & {
  readonly image: Picture
  readonly externalUrl: string | null
}

/** The slides loaded so far. */
export type Slides<Slide> = {
  readonly items: readonly Slide[]
  /**
   * Number of items read, the offset of the next request. An item whose picture no longer exists
   * has no slide.
   */
  readonly read: number
  readonly hasMore: boolean
}

/** Id of the block with the texts around a collection. */
export type CollectionWords = `testimonianze.${'words' | 'photos' | 'thanks' | 'media'}`

export type Collection<Slide> = {
  readonly kind: Kind
  readonly words: CollectionWords
  /**
   * Path of the page with all items; the page exists only while there are more items than
   * `firstSlides`.
   */
  readonly path: string
  readonly fields: readonly string[]
  /** Returns null when the picture of the item no longer exists. */
  slideOf(item: Item<Kind>): Slide | null
}

/** Number of slides in the page; the carousel fetches the others near its end. */
export const firstSlides = 12
/** Number of slides per request. */
const fetchedSlides = 24

const pictureFields = ['id', 'title', 'description', 'image', 'updatedAt'] as const

/** Whether a title is only the default of the upload form, which visitors do not see: `Foto IMG_4824.JPG`. */
export function isFileName(title: string): boolean {
  return /\.(?:jpe?g|png|webp|avif|gif|heic|heif|tiff?|bmp)$/i.test(title.trim())
}

function shown(item: Item<PictureKind>): Shown | null {
  const { id, description, image, updatedAt } = item
  const title = isFileName(item.title ?? '') ? null : item.title
  const externalUrl = 'externalUrl' in item ? (item as Item<'media-features'>).externalUrl : null
  return image === null ? null : { id, title, description, image, updatedAt, externalUrl }
}

export const testimonials: Collection<Testimonial> = {
  kind: 'course-testimonials',
  words: 'testimonianze.words',
  path: '/testimonianze/parole',
  fields: ['id', 'name', 'testimonial', 'profession', 'rating', 'updatedAt'],
  slideOf: ({
    id,
    name,
    testimonial,
    profession,
    rating,
    updatedAt,
  }: Item<'course-testimonials'>) => ({
    id,
    name,
    testimonial,
    profession,
    rating,
    updatedAt,
  }),
}

export const photos: Collection<Shown> = {
  kind: 'photo-gallery',
  words: 'testimonianze.photos',
  path: '/testimonianze/foto',
  fields: pictureFields,
  slideOf: shown,
}

export const thanks: Collection<Shown> = {
  kind: 'special-thanks',
  words: 'testimonianze.thanks',
  path: '/testimonianze/ringraziamenti',
  fields: pictureFields,
  slideOf: shown,
}

export const mentions: Collection<Shown> = {
  kind: 'media-features',
  words: 'testimonianze.media',
  path: '/testimonianze/media',
  fields: [...pictureFields, 'externalUrl'],
  slideOf: shown,
}

export function slidesOf<Slide>(
  collection: Collection<Slide>,
  { items, more }: Found<Kind>,
): Slides<Slide> {
  const slides = items.map((item) => collection.slideOf(item))
  return {
    items: slides.filter((slide) => slide !== null),
    read: items.length,
    hasMore: more,
  }
}

/** Fetches the next slides; returns them with those already loaded. */
export async function withNext<Slide>(
  collection: Collection<Slide>,
  { items, read }: Slides<Slide>,
): Promise<Slides<Slide>> {
  const address = `/api/${collection.kind}?offset=${read}&limit=${fetchedSlides}`
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`${answer.status}`)
  const next: readonly Item<Kind>[] = await answer.json()
  const slides = next.map((item) => collection.slideOf(item))
  return {
    items: [...items, ...slides.filter((slide) => slide !== null)],
    read: read + next.length,
    hasMore: next.length === fetchedSlides,
  }
}
