// The Italian words of every kind. A kind without words does not build; fields are called as the table of kinds calls them.

import { withoutExtension } from './file-check'
import { newsletters } from './newsletter-messages'
import { type FieldName, type Kind, kindSpecs } from './schema'

export type FieldWords = {
  /** Where the panel calls it by another name than the table of kinds. */
  label?: string
  placeholder?: string
  help?: string
  /** How much of a row the field takes on a wide screen. */
  size?: 'half' | 'third'
  /** A telephone number is tried as visitors will use it. */
  tries?: 'call' | 'message'
  /** What visitors see instead, when the field is empty. */
  shownWhenEmpty?: string
}

export type FieldWording = FieldWords & { label: string }

export type KindWording<K extends Kind> = {
  /** Tab and heading. */
  label: string
  text: string
  add: string
  empty: string
  /** One sentence under the empty list: what will appear where. */
  emptyHint: string
  addTitle: string
  addSubmit: string
  editTitle: string
  confirmDelete: string
  /** Said before deleting: the thing may be a she. */
  staysInTrash: string
  /** 'pictures': new items are born from a batch of files. 'form': from the editor. */
  addBy: 'form' | 'pictures'
  /** Title of an item made from a file without one; null leaves it without. */
  fileTitle: ((filename: string) => string) | null
  /** Whether the shared texts of a batch hold for every file, or for a single one only. */
  sharedTexts: 'all' | 'single'
  multipleHint?: string
  note?: string
  /** Said of new items only. */
  noteWhenNew?: string
  toasts: {
    added: (count: number) => string
    addFailed: string
    updated: string
    published: string
    deleted: string
  }
  status: { on: string; off: string; switch: string }
  /** Where published items are seen. */
  where: { path: string; label: string }
  publishButton?: string
  /** Others are asked to write it, by a personal link. */
  isAsked?: boolean
  /** It goes out by mail: no page shows it. */
  isMail?: boolean
  orderHelp?: string
  /** Free texts that the server reads as a date; what it made of them is said after the last field. */
  dateTexts?: { date: FieldName<K>; time: FieldName<K>; after: FieldName<K> }
  /** What a row of the list shows under the title. */
  rowText: FieldName<K>
  rowMeta: readonly FieldName<K>[]
  /** What stands beside a field's name, which the table of kinds has. */
  fields: Readonly<Partial<Record<FieldName<K>, FieldWords>>>
}

const TRASH_FEMININE = 'Resta nel cestino per 30 giorni: puoi ripristinarla quando vuoi.'
const TRASH_MASCULINE = 'Resta nel cestino per 30 giorni: puoi ripristinarlo quando vuoi.'
const UPDATE_STATUS = 'Stato pubblicazione aggiornato!'
const TESTIMONIANZE = { path: '/testimonianze', label: 'Testimonianze' }

const courseTestimonials: KindWording<'course-testimonials'> = {
  label: 'Testimonianze Corsisti',
  text: 'Le parole di chi ha partecipato ai corsi, mostrate nella pagina Testimonianze.',
  add: 'Aggiungi Testimonianza',
  empty: 'Nessuna testimonianza presente',
  emptyHint: 'Le parole che aggiungi qui compaiono nella pagina Testimonianze.',
  addTitle: 'Nuova Testimonianza',
  addSubmit: 'Aggiungi Testimonianza',
  editTitle: 'Modifica Testimonianza',
  confirmDelete: 'Sei sicuro di voler eliminare questa testimonianza?',
  staysInTrash: TRASH_FEMININE,
  addBy: 'form',
  fileTitle: null,
  sharedTexts: 'all',
  note: 'Pubblica solo testimonianze vere, con il consenso di chi le ha scritte.',
  isAsked: true,
  toasts: {
    added: () => 'Testimonianza aggiunta con successo!',
    addFailed: 'Errore nel salvataggio',
    updated: 'Testimonianza aggiornata!',
    published: UPDATE_STATUS,
    deleted: 'Testimonianza eliminata!',
  },
  status: { on: 'Pubblicata', off: 'Bozza', switch: 'Pubblicata sul sito' },
  where: TESTIMONIANZE,
  rowText: 'testimonial',
  rowMeta: ['profession', 'rating'],
  fields: {
    name: { placeholder: 'Nome e iniziale del cognome', size: 'half' },
    profession: {
      placeholder: 'Es. Insegnante',
      help: 'Se lasci vuoto, sul sito compare «Corsista Rebirthing».',
      size: 'half',
      shownWhenEmpty: 'Corsista Rebirthing',
    },
    testimonial: {
      placeholder: 'Scrivi qui il testo della testimonianza',
    },
  },
}

const photoGallery: KindWording<'photo-gallery'> = {
  label: 'Galleria Fotografica',
  text: 'Le fotografie di corsi, ritiri e seminari, mostrate nella pagina Testimonianze.',
  add: 'Aggiungi Foto',
  empty: 'Nessuna foto presente',
  emptyHint: 'Le fotografie che aggiungi qui compaiono nella pagina Testimonianze.',
  addTitle: 'Nuove Foto',
  addSubmit: 'Carica Foto',
  editTitle: 'Modifica Foto',
  confirmDelete: 'Sei sicuro di voler eliminare questa foto?',
  staysInTrash: TRASH_FEMININE,
  addBy: 'pictures',
  fileTitle: (filename) => `Foto ${filename}`,
  sharedTexts: 'all',
  note: 'Pubblica solo foto di persone che hanno dato il consenso.',
  toasts: {
    added: (count) => `${count} foto caricate con successo!`,
    addFailed: 'Errore nel caricamento',
    updated: 'Foto aggiornata con successo!',
    published: UPDATE_STATUS,
    deleted: 'Foto eliminata con successo!',
  },
  status: { on: 'Pubblicata', off: 'Bozza', switch: 'Pubblicata sul sito' },
  where: TESTIMONIANZE,
  rowText: 'description',
  rowMeta: ['filename'],
  fields: {
    title: {
      placeholder: 'Es. Seminario di primavera',
      help: 'Se lasci vuoto: «Foto» e il nome del file.',
    },
    description: { placeholder: 'Una riga per raccontare il momento' },
  },
}

const specialThanks: KindWording<'special-thanks'> = {
  label: 'Ringraziamenti Speciali',
  text: 'Lettere, dediche e attestati, mostrati nella pagina Testimonianze.',
  add: 'Aggiungi Ringraziamento',
  empty: 'Nessun ringraziamento presente',
  emptyHint: 'Lettere, dediche e attestati che aggiungi qui compaiono nella pagina Testimonianze.',
  addTitle: 'Nuovo Ringraziamento',
  addSubmit: 'Carica Ringraziamento',
  editTitle: 'Modifica Ringraziamento',
  confirmDelete: 'Sei sicuro di voler eliminare questo ringraziamento?',
  staysInTrash: TRASH_MASCULINE,
  addBy: 'pictures',
  fileTitle: null,
  sharedTexts: 'all',
  note: 'Nascondi nomi e firme se non hai il consenso a mostrarli.',
  toasts: {
    added: () => 'Ringraziamento aggiunto con successo!',
    addFailed: 'Errore nel caricamento',
    updated: 'Ringraziamento aggiornato!',
    published: UPDATE_STATUS,
    deleted: 'Ringraziamento eliminato!',
  },
  status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
  where: TESTIMONIANZE,
  rowText: 'description',
  rowMeta: ['filename'],
  fields: {
    title: { placeholder: 'Es. Lettera di un gruppo' },
    description: { placeholder: 'Da chi arriva e in quale occasione' },
  },
}

const mediaFeatures: KindWording<'media-features'> = {
  label: 'Parlano di noi',
  text: 'Articoli, interviste e trasmissioni, mostrati nella pagina Testimonianze.',
  add: 'Aggiungi Media',
  empty: 'Nessun media presente',
  emptyHint: 'Le menzioni che aggiungi qui compaiono nella pagina Testimonianze.',
  addTitle: 'Nuovi Media',
  addSubmit: 'Carica Media',
  editTitle: 'Modifica Media',
  confirmDelete: 'Sei sicuro di voler eliminare questo media?',
  staysInTrash: TRASH_MASCULINE,
  addBy: 'pictures',
  fileTitle: null,
  sharedTexts: 'single',
  multipleHint:
    'Titolo, descrizione e link esterno si applicano solo se selezioni una sola immagine.',
  toasts: {
    added: (count) =>
      count === 1 ? 'Media aggiunto con successo!' : `${count} media aggiunti con successo!`,
    addFailed: 'Errore nel caricamento',
    updated: 'Media aggiornato!',
    published: UPDATE_STATUS,
    deleted: 'Media eliminato!',
  },
  status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
  where: TESTIMONIANZE,
  rowText: 'description',
  rowMeta: ['externalUrl'],
  fields: {
    title: { placeholder: 'Es. Intervista sul respiro' },
    description: { placeholder: 'Testata, data e argomento in breve' },
    externalUrl: { placeholder: 'https://' },
  },
}

const events: KindWording<'events'> = {
  label: 'Eventi',
  text: 'Serate, seminari e ritiri, mostrati nella pagina Eventi.',
  add: 'Aggiungi Evento',
  empty: 'Nessun evento presente',
  emptyHint: 'Gli eventi che pubblichi compaiono nella pagina Eventi.',
  addTitle: 'Nuovo Evento',
  addSubmit: 'Carica Evento',
  editTitle: 'Modifica Evento',
  confirmDelete: 'Sei sicuro di voler eliminare questo evento?',
  staysInTrash: TRASH_MASCULINE,
  addBy: 'pictures',
  fileTitle: (filename) => `Evento ${withoutExtension(filename)}`,
  sharedTexts: 'all',
  noteWhenNew: 'Il nuovo evento resta in bozza finché non lo pubblichi.',
  toasts: {
    added: (count) => `${count} eventi caricati con successo!`,
    addFailed: 'Errore nel caricamento',
    updated: 'Evento aggiornato con successo!',
    published: 'Evento pubblicato con successo!',
    deleted: 'Evento eliminato con successo!',
  },
  status: { on: 'Pubblicato', off: 'Nascosto', switch: 'Pubblicato sul sito' },
  where: { path: '/eventi', label: 'Eventi' },
  publishButton: 'Pubblica Evento',
  orderHelp: 'Un numero: gli eventi con il numero più basso compaiono per primi.',
  dateTexts: { date: 'date', time: 'time', after: 'location' },
  rowText: 'description',
  rowMeta: ['date', 'time', 'location'],
  fields: {
    title: { placeholder: 'Es. Serata introduttiva al Rebirthing' },
    description: {
      placeholder: 'Una o due frasi per la scheda dell’evento',
    },
    content: {
      placeholder: 'Programma, costi, cosa portare. Gli a capo vengono mantenuti.',
      help: 'Gli a capo vengono mantenuti.',
    },
    date: {
      placeholder: 'Es. 15 Settembre 2024',
      size: 'third',
    },
    time: { placeholder: 'Es. 14:30', size: 'third' },
    location: { placeholder: 'Es. Milano, oppure Online', size: 'third' },
    mode: { size: 'half' },
    price: {
      help: 'Solo il numero, in euro; in franchi «120 CHF». Vuoto: non compare. Zero: «Gratuito».',
      size: 'half',
    },
    soldOut: {
      help: 'La pagina lo dice e propone di scriverti per un posto libero.',
    },
    cancelled: {
      help: 'L’evento resta visibile con la scritta «Annullato», anche nei calendari di chi lo segue. Il sito non avvisa chi ha prenotato: scrivi tu.',
    },
    url: { placeholder: 'https://' },
  },
}

const blog: KindWording<'blog'> = {
  label: 'Blog',
  text: 'Gli articoli del blog, dal più recente.',
  add: 'Nuovo Articolo',
  empty: 'Nessun articolo presente',
  emptyHint: 'Gli articoli che pubblichi compaiono nella pagina Blog.',
  addTitle: 'Nuovo Articolo',
  addSubmit: 'Salva Articolo',
  editTitle: 'Modifica Articolo',
  confirmDelete: 'Sei sicuro di voler eliminare questo articolo?',
  staysInTrash: TRASH_MASCULINE,
  addBy: 'form',
  fileTitle: null,
  sharedTexts: 'all',
  toasts: {
    added: () => 'Articolo aggiunto con successo!',
    addFailed: 'Errore nel salvataggio',
    updated: 'Articolo aggiornato con successo!',
    published: 'Articolo pubblicato con successo!',
    deleted: 'Articolo eliminato con successo!',
  },
  status: { on: 'Pubblicato', off: 'Bozza', switch: 'Pubblicato sul sito' },
  where: { path: '/blog', label: 'Blog' },
  publishButton: 'Pubblica Articolo',
  rowText: 'excerpt',
  rowMeta: ['category'],
  fields: {
    title: { placeholder: 'Es. Il primo respiro della giornata' },
    slug: {
      help: 'Nasce dal titolo. Se lo cambi, il vecchio indirizzo porta a quello nuovo.',
    },
    category: { size: 'half' },
    excerpt: {
      placeholder: 'Una o due frasi: compaiono nella scheda e nei motori di ricerca',
    },
    content: { placeholder: 'Scrivi qui l’articolo' },
  },
}

export const wording: { readonly [K in Kind]: KindWording<K> } = {
  'course-testimonials': courseTestimonials,
  'photo-gallery': photoGallery,
  'special-thanks': specialThanks,
  'media-features': mediaFeatures,
  events,
  blog,
  newsletters,
}

/** The five tabs of 'Contenuti', in their order; the other kinds have an area of their own. */
export const CONTENT_KINDS: readonly Kind[] = [
  'course-testimonials',
  'photo-gallery',
  'special-thanks',
  'media-features',
  'events',
]

/** The order in which a form shows the fields whose order in the table is not the best to fill in. */
export const FORM_ORDER: readonly string[] = [
  'imageUrl',
  'preheader',
  'name',
  'profession',
  'title',
  'category',
  'excerpt',
  'slug',
  'description',
  'testimonial',
  'date',
  'time',
  'location',
  'mode',
  'price',
  'content',
  'externalUrl',
  'url',
  'soldOut',
  'cancelled',
  'rating',
]

/** The name of anything a form holds, also of what is no field of the kind. */
export function fieldLabel(kind: Kind, name: string): string {
  return OTHER_LABELS[name] ?? fieldWording(kind, name).label
}

const OTHER_LABELS: Readonly<Record<string, string>> = {
  published: 'Pubblicazione',
  sortOrder: 'Ordine',
  createdAt: 'Data di pubblicazione',
  imageAlt: 'Testo alternativo',
  imageDecorative: 'Decorativa',
}

/** Words of any field of any kind, as generic code asks for them. */
export function fieldWording(kind: Kind, name: string): FieldWording {
  const fields: Readonly<Record<string, FieldWords>> = wording[kind].fields
  return { label: kindSpecs[kind].fields[name]?.label ?? name, ...fields[name] }
}
