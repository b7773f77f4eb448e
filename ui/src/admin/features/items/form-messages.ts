// Texts of the form of each kind. The type requires texts for every kind; a field's name comes from the field table.
import { counted } from '../../../lib/plural'
import {
  type FieldName,
  type FieldWording,
  type FieldWords,
  type Kind,
  kindSpecs,
} from '../../api/schema'

type FormMessages<K extends Kind> = {
  addTitle: string
  addSubmit: string
  editTitle: string
  note?: string
  /** Shown for new items only. */
  noteWhenNew?: string
  publishButton?: string
  /** The site sends the item by e-mail and shows it on no page. */
  isMail?: boolean
  orderHelp?: string
  added: (count: number) => string
  addFailed: string
  updated: string
  published: string
  /** Texts of a field, in addition to its name. */
  fields: Readonly<Partial<Record<FieldName<K>, FieldWords>>>
}

const UPDATE_STATUS = 'Stato pubblicazione aggiornato!'

export const formMessages: { readonly [K in Kind]: FormMessages<K> } = {
  'course-testimonials': {
    addTitle: 'Nuova Testimonianza',
    addSubmit: 'Aggiungi Testimonianza',
    editTitle: 'Modifica Testimonianza',
    note: 'Pubblica solo testimonianze vere, con il consenso di chi le ha scritte.',
    added: () => 'Testimonianza aggiunta con successo!',
    addFailed: 'Errore nel salvataggio',
    updated: 'Testimonianza aggiornata!',
    published: UPDATE_STATUS,
    fields: {
      name: { placeholder: 'Nome e iniziale del cognome', size: 'half' },
      profession: {
        placeholder: 'Es. Insegnante',
        help: 'Se lasci vuoto, sul sito compare «Corsista Rebirthing».',
        size: 'half',
      },
      testimonial: {
        placeholder: 'Scrivi qui il testo della testimonianza',
      },
    },
  },
  'photo-gallery': {
    addTitle: 'Nuove Foto',
    addSubmit: 'Carica Foto',
    editTitle: 'Modifica Foto',
    note: 'Pubblica solo foto di persone che hanno dato il consenso.',
    added: (count) => `${count} foto caricate con successo!`,
    addFailed: 'Errore nel caricamento',
    updated: 'Foto aggiornata con successo!',
    published: UPDATE_STATUS,
    fields: {
      title: {
        placeholder: 'Es. Seminario di primavera',
        help: 'Se lasci vuoto: «Foto» e il nome del file.',
      },
      description: { placeholder: 'Una riga per raccontare il momento' },
    },
  },
  'special-thanks': {
    addTitle: 'Nuovo Ringraziamento',
    addSubmit: 'Carica Ringraziamento',
    editTitle: 'Modifica Ringraziamento',
    note: 'Nascondi nomi e firme se non hai il consenso a mostrarli.',
    added: () => 'Ringraziamento aggiunto con successo!',
    addFailed: 'Errore nel caricamento',
    updated: 'Ringraziamento aggiornato!',
    published: UPDATE_STATUS,
    fields: {
      title: { placeholder: 'Es. Lettera di un gruppo' },
      description: { placeholder: 'Da chi arriva e in quale occasione' },
    },
  },
  'media-features': {
    addTitle: 'Nuovi Media',
    addSubmit: 'Carica Media',
    editTitle: 'Modifica Media',
    added: (count) =>
      counted(count, 'Media aggiunto con successo!', '{n} media aggiunti con successo!'),
    addFailed: 'Errore nel caricamento',
    updated: 'Media aggiornato!',
    published: UPDATE_STATUS,
    fields: {
      title: { placeholder: 'Es. Intervista sul respiro' },
      description: { placeholder: 'Testata, data e argomento in breve' },
      externalUrl: { placeholder: 'https://' },
    },
  },
  events: {
    addTitle: 'Nuovo Evento',
    addSubmit: 'Carica Evento',
    editTitle: 'Modifica Evento',
    noteWhenNew: 'Il nuovo evento resta in bozza finché non lo pubblichi.',
    publishButton: 'Pubblica Evento',
    orderHelp: 'Un numero: gli eventi con il numero più basso compaiono per primi.',
    added: (count) => `${count} eventi caricati con successo!`,
    addFailed: 'Errore nel caricamento',
    updated: 'Evento aggiornato con successo!',
    published: 'Evento pubblicato con successo!',
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
        size: 'half',
      },
      time: { placeholder: 'Es. 14:30', size: 'half' },
      location: { placeholder: 'Es. Milano, oppure Online' },
      mapUrl: {
        placeholder: 'https://',
        help: 'Il link del luogo in Google Maps o in un’altra mappa: sulla pagina si legge «Apri la mappa».',
      },
      mode: { size: 'half' },
      price: {
        help: 'Per esempio «15», «120 CHF», «15 € a persona», «offerta libera». Vuoto: non compare.',
        size: 'half',
      },
      placesLeft: {
        help: 'Un numero che cambi tu, anche dall’elenco. Con 0 l’evento è esaurito. Vuoto: non compare.',
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
  },
  blog: {
    addTitle: 'Nuovo Articolo',
    addSubmit: 'Salva Articolo',
    editTitle: 'Modifica Articolo',
    publishButton: 'Pubblica Articolo',
    added: () => 'Articolo aggiunto con successo!',
    addFailed: 'Errore nel salvataggio',
    updated: 'Articolo aggiornato con successo!',
    published: 'Articolo pubblicato con successo!',
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
  },
  newsletters: {
    addTitle: 'Nuova newsletter',
    addSubmit: 'Salva bozza',
    editTitle: 'Modifica newsletter',
    note: 'In fondo il sito aggiunge da sé chi scrive, perché arriva e come cancellarsi.',
    isMail: true,
    added: () => 'Bozza salvata',
    addFailed: 'Errore nel salvataggio',
    updated: 'Bozza salvata',
    published: UPDATE_STATUS,
    fields: {
      title: {
        placeholder: 'Es. Tre minuti di respiro prima di cena',
        help: 'È la prima cosa che si legge. Fino a 45 caratteri si vede intero anche sul telefono.',
      },
      preheader: {
        placeholder: 'Es. Un esercizio breve, da provare stasera',
        help: 'Nella posta compare accanto all’oggetto. Se la lasci vuota vale l’inizio del testo.',
      },
      content: { placeholder: 'Ciao, ...' },
      buttonText: { size: 'half' },
      buttonUrl: { placeholder: 'https://', size: 'half' },
    },
  },
}

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
  'mapUrl',
  'mode',
  'price',
  'placesLeft',
  'content',
  'externalUrl',
  'url',
  'soldOut',
  'cancelled',
  'rating',
]

/** The name of a form value, which may be no field of the kind. */
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

/** Texts of any field of any kind, for generic code. */
export function fieldWording(kind: Kind, name: string): FieldWording {
  const fields: Readonly<Record<string, FieldWords>> = formMessages[kind].fields
  return { label: kindSpecs[kind].fields[name]?.label ?? name, ...fields[name] }
}
