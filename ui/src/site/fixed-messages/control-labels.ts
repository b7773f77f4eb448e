// Fixed texts of the program: labels for screen readers, functional buttons, states. All other
// texts of a public page are content blocks.

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

export const toastLabels = { region: 'Notifiche ({hotkey})', close: 'Chiudi la notifica' } as const

export const heroLabels = {
  dotsLabel: "Scegli l'immagine",
  dotLabel: "Mostra l'immagine {n} di {total}",
} as const

export const motionLabels = {
  pause: 'Ferma le animazioni',
  play: 'Riprendi le animazioni',
} as const

export const choiceLabels = { region: 'La tua scelta' } as const

export const bookingLabels = { duration: 'Durata', price: 'Prezzo', topics: 'Temi' } as const

/** A price of zero within a sentence. */
export const priceLabels = { free: 'gratis' } as const

export const timelineLabels = { previous: 'Tappe precedenti', next: 'Tappe successive' } as const

export const flipCardLabels = {
  showBack: 'Mostra i benefici',
  showFront: 'Torna al titolo',
} as const

export const serviceLabels = {
  open: 'Che cosa comprende: {title}',
  price: 'Prezzo',
  features: 'Che cosa comprende',
} as const

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
  map: 'Apri la mappa',
  places: 'Posti',
  placeLeft: '1 posto rimasto',
  placesLeft: '{n} posti rimasti',
  calendarPath: '/eventi.ics',
} as const

export const calendarLabels = {
  apple: 'iPhone, iPad e Mac',
  google: 'Google Calendar (anche per Android)',
  outlook: 'Outlook',
  others: 'In un altro programma, copia questo indirizzo:',
  appleHow: 'Conferma «Iscriviti»: i nuovi eventi arrivano da soli.',
  googleHow: 'Conferma «Aggiungi»: dopo un po’ lo vedi anche sul telefono.',
  outlookHow: 'Accedi e premi «Importa»: lo vedi anche nell’app e sul computer.',
  othersHow: 'Incollalo dove il programma dice «Iscriviti a un calendario» o «Aggiungi da URL».',
  copy: 'Copia l’indirizzo',
  copied: 'Indirizzo copiato',
  copyFailed: 'Non si può copiare da qui: tieni premuto sull’indirizzo e copialo a mano.',
} as const

export const blogLabels = {
  imageAlt: "Immagine dell'articolo: {title}",
} as const

export const cookieLabels = {
  close: 'Chiudi e continua con i soli strumenti necessari',
  region: 'Informativa breve sui cookie',
} as const
