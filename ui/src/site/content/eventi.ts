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
    past: {
      title: 'Eventi passati',
      text: 'Gli appuntamenti già svolti.',
      empty: 'Ancora nessun evento passato.',
      action: 'Mostra gli eventi passati',
    },
    calendar: {
      action: 'Segui il calendario',
      hint: 'I prossimi eventi nel tuo calendario, aggiornati da soli.',
      path: '/eventi.ics',
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
    dateToCome: 'Data da definire',
    placeToCome: 'Luogo da definire',
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
    contentTitle: 'Informazioni dettagliate',
    health: {
      title: 'Prima di partecipare',
      text: 'La pratica è controindicata in caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti e uso di psicofarmaci. Se ti riconosci in una di queste situazioni, o hai dubbi, chiedi prima al tuo medico e contattami: ne parliamo con riservatezza.',
      link: { label: 'Leggi le domande frequenti', href: '/contatti#faq' },
    },
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
