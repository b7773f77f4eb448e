// Names of the kinds of items, which several areas of the panel show.
import type { Kind } from './schema'

type KindLabels = {
  /** Tab and heading. */
  label: string
  status: { on: string; off: string; switch: string }
  /** The page that shows published items. */
  where: { path: string; label: string }
  deleted: string
}

const TESTIMONIANZE = { path: '/testimonianze', label: 'Testimonianze' }

export const kindLabels: { readonly [K in Kind]: KindLabels } = {
  'course-testimonials': {
    label: 'Testimonianze Corsisti',
    status: { on: 'Pubblicata', off: 'Bozza', switch: 'Pubblicata sul sito' },
    where: TESTIMONIANZE,
    deleted: 'Testimonianza eliminata!',
  },
  'photo-gallery': {
    label: 'Galleria Fotografica',
    status: { on: 'Pubblicata', off: 'Bozza', switch: 'Pubblicata sul sito' },
    where: TESTIMONIANZE,
    deleted: 'Foto eliminata con successo!',
  },
  'special-thanks': {
    label: 'Ringraziamenti Speciali',
    status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
    where: TESTIMONIANZE,
    deleted: 'Ringraziamento eliminato!',
  },
  'media-features': {
    label: 'Parlano di noi',
    status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
    where: TESTIMONIANZE,
    deleted: 'Media eliminato!',
  },
  events: {
    label: 'Eventi',
    status: { on: 'Pubblicato', off: 'Nascosto', switch: 'Pubblicato sul sito' },
    where: { path: '/eventi', label: 'Eventi' },
    deleted: 'Evento eliminato con successo!',
  },
  blog: {
    label: 'Blog',
    status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
    where: { path: '/blog', label: 'Blog' },
    deleted: 'Articolo eliminato con successo!',
  },
  newsletters: {
    label: 'Newsletter',
    status: { on: 'Inviata', off: 'Bozza', switch: 'Inviata' },
    where: { path: '/blog', label: 'Blog' },
    deleted: 'Newsletter eliminata',
  },
}

/** The tabs of 'Contenuti', in their order; the other kinds have an area of their own. */
export const CONTENT_KINDS: readonly Kind[] = [
  'course-testimonials',
  'photo-gallery',
  'special-thanks',
  'media-features',
  'events',
]
