// The words of the list of events and of one event.

export const eventi = {
  list: {
    hero: {
      title: 'Eventi',
      subtitle:
        'Serate introduttive, seminari e ritiri: i prossimi appuntamenti in cui respirare insieme.',
    },
    loading: 'Caricamento...',
    card: { date: 'Data', time: 'Orario', location: 'Luogo', detailsLink: 'Vedi dettagli' },
    empty: {
      title: 'Nessun evento programmato',
      text: 'Al momento non ci sono eventi in programma. Torna presto per scoprire i prossimi workshop e corsi di Rebirthing.',
    },
    closing: {
      title: 'Vuoi un incontro su misura?',
      text: 'Organizzo seminari anche per gruppi, associazioni, aziende e società sportive.',
      links: [
        { label: 'Contattami', href: '/contatti' },
        { label: 'Scopri il Rebirthing', href: '/rebirthing' },
      ],
    },
  },
  detail: {
    loading: 'Caricamento...',
    back: 'Torna agli eventi',
    date: 'Data',
    time: 'Orario',
    location: 'Luogo',
    contentTitle: 'Informazioni dettagliate',
    moreInfo: 'Maggiori Informazioni',
    participate: { label: 'Contattaci per Partecipare', href: '/contatti' },
    closing: {
      title: 'Continua a esplorare',
      text: 'Guarda gli altri appuntamenti o scopri da vicino la pratica.',
      links: [
        { label: 'Tutti gli eventi', href: '/eventi' },
        { label: "Cos'è il Rebirthing", href: '/rebirthing' },
      ],
    },
    errorKey: 'eventNotFound',
  },
} as const
