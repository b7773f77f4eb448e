// What the page of testimonies is made of: four collections, the first slides of each at once.

import type { Found, Item, Kind, Picture } from './data'
import type { Testimonial } from './sections/cards/testimonial-card'

type PictureKind = 'photo-gallery' | 'special-thanks' | 'media-features'

export type Shown = Pick<Item<PictureKind>, 'id' | 'title' | 'description' | 'updatedAt'> & {
  readonly image: Picture
  readonly externalUrl: string | null
}

/** What is known of a collection so far. */
export type Slides<Slide> = {
  readonly items: readonly Slide[]
  /** Items asked for: one whose picture is gone shows nothing. */
  readonly read: number
  readonly hasMore: boolean
}

/** The block of words around a collection. */
export type CollectionWords = `testimonianze.${'words' | 'photos' | 'thanks' | 'media'}`

export type Collection<Slide> = {
  readonly kind: Kind
  readonly words: CollectionWords
  /** The page of them all; there is one when the first slides are not all. */
  readonly path: string
  readonly fields: readonly string[]
  /** Null: its picture is gone. */
  slideOf(item: Item<Kind>): Slide | null
}

/** Slides that the page carries; the others come as they are reached. */
export const firstSlides = 12
/** Slides that are fetched together. */
const fetchedSlides = 24

const pictureFields = ['id', 'title', 'description', 'image', 'updatedAt'] as const

function shown(item: Item<PictureKind>): Shown | null {
  const { id, title, description, image, updatedAt } = item
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

/** The slides with those that follow. */
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
