// What the program itself says: names that screen readers read, buttons that only work, states.
// Everything else on a public page is a block of words.

export const labels = {
  close: 'Chiudi',
  loading: 'Caricamento...',
  skipToContent: 'Vai al contenuto',
  scrollToTop: "Torna all'inizio della pagina",
  newTab: 'si apre in una nuova scheda',
} as const

export const headerLabels = {
  nav: 'Navigazione principale',
  openMenu: 'Apri il menu',
  closeMenu: 'Chiudi il menu',
  drawer: 'Menu',
} as const

export const messagingLabels = {
  label: 'Scrivimi su WhatsApp',
  accessible: 'Scrivimi su WhatsApp: si apre in una nuova scheda',
} as const

export const toastLabels = { region: 'Notifiche ({hotkey})', close: 'Chiudi la notifica' } as const

export const heroLabels = {
  dotsLabel: "Scegli l'immagine",
  dotLabel: "Mostra l'immagine {n} di {total}",
  pause: 'Ferma lo scorrimento delle immagini',
  play: 'Riprendi lo scorrimento delle immagini',
} as const

export const bookingLabels = { duration: 'Durata', price: 'Prezzo', topics: 'Temi' } as const

export const timelineLabels = { previous: 'Tappe precedenti', next: 'Tappe successive' } as const

export const flipCardLabels = {
  showBack: 'Mostra i benefici',
  showFront: 'Torna al titolo',
} as const

export const serviceLabels = { price: 'Prezzo', features: 'Che cosa comprende' } as const

export const testimonialLabels = {
  rating: 'Valutazione: {n} su 5',
  more: 'Leggi tutto',
  moreLabel: 'Leggi tutto: testimonianza di {name}',
  dialogTitle: 'Testimonianza di {name}',
} as const

export const carouselLabels = {
  previous: 'Precedente',
  next: 'Successivo',
  dotsLabel: 'Scegli la pagina da vedere',
  dotLabel: 'Vai alla pagina {n}',
  openImage: "Ingrandisci l'immagine: {title}",
  back: 'Torna alle testimonianze',
} as const

export const lightboxLabels = {
  dialogLabel: 'Immagine ingrandita',
  close: 'Chiudi',
  previous: 'Immagine precedente',
  next: 'Immagine successiva',
  counter: '{n} / {total}',
} as const

export const eventLabels = {
  date: 'Data',
  time: 'Orario',
  location: 'Luogo',
  back: 'Torna agli eventi',
  onlinePlace: 'In videochiamata',
  onlineNote: 'Ricevi il collegamento dopo l’iscrizione.',
  price: 'Prezzo',
  free: 'Gratuito',
  times: '{n} incontri',
  soldOut: {
    badge: 'Posti esauriti',
    note: 'I posti sono esauriti. Scrivimi: se se ne libera uno ti avviso.',
    action: 'Avvisami se si libera',
  },
  cancelled: {
    badge: 'Annullato',
    note: 'Questo evento è stato annullato.',
    help: 'Se avevi prenotato, ti contatto io per il rimborso o una nuova data. Puoi anche scrivermi.',
    action: 'Scrivimi',
  },
  calendar: {
    action: 'Segui il calendario',
    hint: 'I prossimi eventi nel tuo calendario, aggiornati da soli.',
    path: '/eventi.ics',
  },
} as const

export const blogLabels = {
  byline: 'di {author}',
  imageAlt: "Immagine dell'articolo: {title}",
  loadMore: 'Carica Altri Articoli',
  publishedOn: 'Pubblicato il {date}',
  updatedOn: 'Aggiornato il {date}',
} as const

export const newsletterLabels = {
  emailPlaceholder: 'nome@esempio.it',
  success: 'Grazie! Il tuo indirizzo è stato registrato.',
  asked:
    "Grazie! Se l'indirizzo è nuovo riceve ora un'e-mail: apri il collegamento che contiene per confermare. Guarda anche nella posta indesiderata.",
  invalid: "Controlla l'indirizzo e-mail: sembra incompleto.",
  failure: "Non è stato possibile registrare l'indirizzo. Riprova più tardi.",
} as const

export const cookieLabels = {
  close: 'Chiudi e continua con i soli strumenti necessari',
  region: 'Informativa breve sui cookie',
} as const
