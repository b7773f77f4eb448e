// Lists the kinds of content with their Italian names, and pictures for uploads.

import { resolve } from 'node:path'

export type Kind =
  | 'course-testimonials'
  | 'photo-gallery'
  | 'special-thanks'
  | 'media-features'
  | 'events'
  | 'blog'

/** The Italian texts of the specification for each kind. */
export const kinds: readonly {
  kind: Kind
  tab: string
  add: string
  dialog: string
  empty: string
  confirm: string
  updated: string
  deleted: string
  on: string
  off: string
}[] = [
  {
    kind: 'course-testimonials',
    tab: 'Testimonianze Corsisti',
    add: 'Aggiungi Testimonianza',
    dialog: 'Nuova Testimonianza',
    empty: 'Nessuna testimonianza presente',
    confirm: 'Sei sicuro di voler eliminare questa testimonianza?',
    updated: 'Testimonianza aggiornata!',
    deleted: 'Testimonianza eliminata!',
    on: 'Pubblicata',
    off: 'Bozza',
  },
  {
    kind: 'photo-gallery',
    tab: 'Galleria Fotografica',
    add: 'Aggiungi Foto',
    dialog: 'Nuove Foto',
    empty: 'Nessuna foto presente',
    confirm: 'Sei sicuro di voler eliminare questa foto?',
    updated: 'Foto aggiornata con successo!',
    deleted: 'Foto eliminata con successo!',
    on: 'Pubblicata',
    off: 'Bozza',
  },
  {
    kind: 'special-thanks',
    tab: 'Ringraziamenti Speciali',
    add: 'Aggiungi Ringraziamento',
    dialog: 'Nuovo Ringraziamento',
    empty: 'Nessun ringraziamento presente',
    confirm: 'Sei sicuro di voler eliminare questo ringraziamento?',
    updated: 'Ringraziamento aggiornato!',
    deleted: 'Ringraziamento eliminato!',
    on: 'Pubblicato',
    off: 'Bozza',
  },
  {
    kind: 'media-features',
    tab: 'Parlano di noi',
    add: 'Aggiungi Media',
    dialog: 'Nuovi Media',
    empty: 'Nessun media presente',
    confirm: 'Sei sicuro di voler eliminare questo media?',
    updated: 'Media aggiornato!',
    deleted: 'Media eliminato!',
    on: 'Pubblicato',
    off: 'Bozza',
  },
  {
    kind: 'events',
    tab: 'Eventi',
    add: 'Aggiungi Evento',
    dialog: 'Nuovo Evento',
    empty: 'Nessun evento presente',
    confirm: 'Sei sicuro di voler eliminare questo evento?',
    updated: 'Evento aggiornato con successo!',
    deleted: 'Evento eliminato con successo!',
    on: 'Pubblicato',
    off: 'Nascosto',
  },
]

export const pictures = [1, 2, 3, 4].map((number) =>
  resolve(`../src/importers/demo/pictures/gallery-${number}.jpg`),
)
