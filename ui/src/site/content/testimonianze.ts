// The words around the four carousels and the lightbox.

export const testimonianze = {
  hero: {
    title: 'Testimonianze',
    subtitle: 'Parole, immagini e incontri di chi ha respirato con me.',
  },
  loading: 'Caricamento...',
  sections: {
    courseTestimonials: {
      title: 'Le parole dei corsisti',
      text: 'Chi ha partecipato a sessioni, corsi e seminari racconta la propria esperienza.',
      empty: 'Le testimonianze dei corsisti verranno pubblicate presto',
      all: 'Tutte le testimonianze',
      fallbackProfession: 'Corsista Rebirthing',
      ratingLabel: 'Valutazione: {n} su 5',
      more: 'Leggi tutto',
      moreLabel: 'Leggi tutto: testimonianza di {name}',
      dialogTitle: 'Testimonianza di {name}',
      close: 'Chiudi',
    },
    photoGallery: {
      title: 'Galleria Fotografica',
      text: 'Momenti di corsi, ritiri e seminari.',
      empty: 'La galleria fotografica verrà pubblicata presto',
      all: 'Tutte le foto',
    },
    specialThanks: {
      title: 'Ringraziamenti Speciali',
      text: 'Lettere, dediche e attestati di stima ricevuti in questi anni.',
      empty: 'I ringraziamenti speciali verranno pubblicati presto',
      all: 'Tutti i ringraziamenti',
    },
    mediaFeatures: {
      title: 'Parlano di noi',
      text: 'Articoli, interviste e trasmissioni.',
      empty: 'Le menzioni stampa verranno pubblicate presto',
      all: 'Tutte le menzioni',
      externalLink: "Leggi l'articolo",
    },
  },
  disclosure:
    'Le testimonianze sono pubblicate con il consenso di chi le ha scritte, dopo aver verificato la partecipazione a una sessione, a un corso o a un seminario. Raccontano esperienze personali e non sono promesse di risultato.',
  back: 'Torna alle testimonianze',
  carousel: {
    previous: 'Precedente',
    next: 'Successivo',
    dotsLabel: 'Scegli la pagina da vedere',
    dotLabel: 'Vai alla pagina {n}',
    openImage: "Ingrandisci l'immagine: {title}",
  },
  lightbox: {
    dialogLabel: 'Immagine ingrandita',
    close: 'Chiudi',
    previous: 'Immagine precedente',
    next: 'Immagine successiva',
    counter: '{n} / {total}',
  },
  closing: {
    title: 'La prossima storia può essere la tua',
    text: 'Scrivimi per una domanda o scopri come funziona la pratica.',
    links: [
      { label: 'Contattami', href: '/contatti' },
      { label: 'Scopri il Rebirthing', href: '/rebirthing' },
    ],
  },
} as const
