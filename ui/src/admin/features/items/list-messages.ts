// Texts of the list of each kind.
import type { EventStatus } from '../../../primitives/event-status-badge'
import type { FieldName, Kind } from '../../api/schema'

type ListMessages<K extends Kind> = {
  text: string
  add: string
  empty: string
  /** One sentence under the empty list: what will appear where. */
  emptyHint: string
  confirmDelete: string
  /** Shown before deleting; agrees with the gender of the kind. */
  staysInTrash: string
  /** 'pictures': new items are created from a batch of files. 'form': in the item form. */
  addBy: 'form' | 'pictures'
  /** Others are asked to write it, by a personal link. */
  isAsked?: boolean
  /** Free texts that the server reads as a date; the result is shown below each field. */
  dateTexts?: { date: FieldName<K>; time: FieldName<K> }
  /** Texts of the badges, and of the actions that remove them. */
  statusTexts?: Readonly<Record<EventStatus, { text: string; undo: string }>>
  /** Fields that a row shows below the title. */
  rowText: FieldName<K>
  rowMeta: readonly FieldName<K>[]
  /** Texts that visitors see instead of an empty field. */
  shownWhenEmpty?: Readonly<Partial<Record<FieldName<K>, string>>>
}

const TRASH_FEMININE = 'Resta nel cestino per 30 giorni: puoi ripristinarla quando vuoi.'
const TRASH_MASCULINE = 'Resta nel cestino per 30 giorni: puoi ripristinarlo quando vuoi.'

export const listMessages: { readonly [K in Kind]: ListMessages<K> } = {
  'course-testimonials': {
    text: 'Le parole di chi ha partecipato ai corsi, mostrate nella pagina Testimonianze.',
    add: 'Aggiungi Testimonianza',
    empty: 'Nessuna testimonianza presente',
    emptyHint: 'Le parole che aggiungi qui compaiono nella pagina Testimonianze.',
    confirmDelete: 'Sei sicuro di voler eliminare questa testimonianza?',
    staysInTrash: TRASH_FEMININE,
    addBy: 'form',
    isAsked: true,
    rowText: 'testimonial',
    rowMeta: ['profession', 'rating'],
    shownWhenEmpty: { profession: 'Corsista Rebirthing' },
  },
  'photo-gallery': {
    text: 'Le fotografie di corsi, ritiri e seminari, mostrate nella pagina Testimonianze.',
    add: 'Aggiungi Foto',
    empty: 'Nessuna foto presente',
    emptyHint: 'Le fotografie che aggiungi qui compaiono nella pagina Testimonianze.',
    confirmDelete: 'Sei sicuro di voler eliminare questa foto?',
    staysInTrash: TRASH_FEMININE,
    addBy: 'pictures',
    rowText: 'description',
    rowMeta: ['filename'],
  },
  'special-thanks': {
    text: 'Lettere, dediche e attestati, mostrati nella pagina Testimonianze.',
    add: 'Aggiungi Ringraziamento',
    empty: 'Nessun ringraziamento presente',
    emptyHint:
      'Lettere, dediche e attestati che aggiungi qui compaiono nella pagina Testimonianze.',
    confirmDelete: 'Sei sicuro di voler eliminare questo ringraziamento?',
    staysInTrash: TRASH_MASCULINE,
    addBy: 'pictures',
    rowText: 'description',
    rowMeta: ['filename'],
  },
  'media-features': {
    text: 'Articoli, interviste e trasmissioni, mostrati nella pagina Testimonianze.',
    add: 'Aggiungi Media',
    empty: 'Nessun media presente',
    emptyHint: 'Le menzioni che aggiungi qui compaiono nella pagina Testimonianze.',
    confirmDelete: 'Sei sicuro di voler eliminare questo media?',
    staysInTrash: TRASH_MASCULINE,
    addBy: 'pictures',
    rowText: 'description',
    rowMeta: ['externalUrl'],
  },
  events: {
    text: 'Serate, seminari e ritiri, mostrati nella pagina Eventi.',
    add: 'Aggiungi Evento',
    empty: 'Nessun evento presente',
    emptyHint: 'Gli eventi che pubblichi compaiono nella pagina Eventi.',
    confirmDelete: 'Sei sicuro di voler eliminare questo evento?',
    staysInTrash: TRASH_MASCULINE,
    addBy: 'pictures',
    dateTexts: { date: 'date', time: 'time' },
    statusTexts: {
      soldOut: { text: 'Esaurito', undo: 'Riapri i posti' },
      cancelled: { text: 'Annullato', undo: 'Non è più annullato' },
    },
    rowText: 'description',
    rowMeta: ['date', 'time', 'location'],
  },
  blog: {
    text: 'Gli articoli del blog, dal più recente.',
    add: 'Nuovo Articolo',
    empty: 'Nessun articolo presente',
    emptyHint: 'Gli articoli che pubblichi compaiono nella pagina Blog.',
    confirmDelete: 'Sei sicuro di voler eliminare questo articolo?',
    staysInTrash: TRASH_MASCULINE,
    addBy: 'form',
    rowText: 'excerpt',
    rowMeta: ['category'],
  },
  newsletters: {
    text: 'Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi.',
    add: 'Scrivi una newsletter',
    empty: 'Nessuna newsletter',
    emptyHint: 'Comincia da un foglio bianco oppure da un articolo o da un evento già pubblicato.',
    confirmDelete: 'Sei sicuro di voler eliminare questa newsletter?',
    staysInTrash: TRASH_FEMININE,
    addBy: 'form',
    rowText: 'preheader',
    rowMeta: [],
  },
}
