// Content of the event lists and of the page of an event.

import { block, button, line, picture, sentences } from './schema'
import { closing } from './shared-fields'

export const eventi = [
  block(
    'eventi.hero',
    'Apertura',
    ['/eventi'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: 'Eventi',
      subtitle:
        'Serate introduttive, seminari e ritiri: i prossimi appuntamenti in cui respirare insieme.',
    },
  ),
  block(
    'eventi.card',
    'Sulle schede degli eventi',
    ['/eventi', '/eventi/passati', '/evento/{id}'],
    { details: line('Link', 60) },
    {
      details: 'Vedi dettagli',
    },
  ),
  block(
    'eventi.empty',
    'Quando non ci sono eventi',
    ['/eventi'],
    { title: line('Titolo'), text: sentences('Testo') },
    {
      title: 'Nessun evento programmato',
      text: 'Al momento non ci sono eventi in programma. Torna presto per scoprire i prossimi workshop e corsi di Rebirthing.',
    },
  ),
  block(
    'eventi.past',
    'Eventi passati',
    ['/eventi', '/eventi/passati'],
    {
      title: line('Titolo', 60),
      text: sentences('Testo'),
      action: line('Link', 60),
      back: line('Link indietro', 60),
    },
    {
      title: 'Eventi passati',
      text: 'Gli appuntamenti già svolti.',
      action: 'Mostra gli eventi passati',
      back: 'Torna agli eventi',
    },
  ),
  block(
    'eventi.calendar',
    'Il calendario da seguire',
    ['/eventi'],
    { text: sentences('Testo', 200), action: line('Link', 60) },
    {
      text: 'I prossimi eventi nel tuo calendario, aggiornati da soli.',
      action: 'Segui il calendario',
    },
    { hideable: true },
  ),
  block(
    'eventi.states',
    'Esauriti, annullati e passati',
    ['/eventi', '/eventi/passati', '/evento/{id}'],
    {
      soldOut: line('Esaurito: etichetta', 40),
      soldOutNote: sentences('Esaurito: testo', 300),
      soldOutAction: line('Esaurito: pulsante', 60),
      cancelled: line('Annullato: etichetta', 40),
      cancelledNote: sentences('Annullato: testo', 300),
      cancelledHelp: sentences('Annullato: che cosa fare', 300),
      cancelledAction: line('Annullato: pulsante', 60),
      past: line('Già svolto: etichetta', 40),
      pastNote: sentences('Già svolto: testo', 300),
      pastAction: line('Già svolto: pulsante', 60),
    },
    {
      soldOut: 'Esaurito',
      soldOutNote: 'I posti sono esauriti. Scrivimi: se se ne libera uno ti avviso.',
      soldOutAction: 'Avvisami se si libera',
      cancelled: 'Annullato',
      cancelledNote: 'Questo evento è stato annullato.',
      cancelledHelp:
        'Se avevi prenotato, ti contatto io per il rimborso o una nuova data. Puoi anche scrivermi.',
      cancelledAction: 'Scrivimi',
      past: 'Già svolto',
      pastNote: 'Questo evento si è già svolto.',
      pastAction: 'Chiedi la prossima data',
    },
  ),
  block(
    'eventi.closing',
    'Chiusura',
    ['/eventi', '/eventi/passati'],
    closing,
    {
      title: 'Vuoi un incontro su misura?',
      text: 'Organizzo seminari anche per gruppi, associazioni, aziende e società sportive.',
      links: [
        {
          id: '1',
          label: 'Contattami',
          labelLink: '/contatti',
        },
        {
          id: '2',
          label: 'Scopri il Rebirthing',
          labelLink: '/rebirthing',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'evento.labels',
    'Le parole intorno a un evento',
    ['/evento/{id}'],
    {
      back: line('Link indietro', 60),
      date: line('Data', 40),
      dateToCome: line('Quando manca la data', 60),
      time: line('Orario', 40),
      location: line('Luogo', 40),
      placeToCome: line('Quando manca il luogo', 60),
      online: line('Luogo di un evento online', 60),
      onlineNote: sentences('Nota di un evento online', 200),
      times: line('Dopo il numero degli incontri', 40),
      price: line('Prezzo', 40),
      free: line('Quando è gratuito', 40),
      contentTitle: line('Titolo del testo'),
      next: line('Titolo degli eventi che seguono', 60),
      moreInfo: line('Pulsante del link', 60),
      participate: line('Pulsante', 60),
    },
    {
      back: 'Torna agli eventi',
      date: 'Data',
      dateToCome: 'Data da definire',
      time: 'Orario',
      location: 'Luogo',
      placeToCome: 'Luogo da definire',
      online: 'In videochiamata',
      onlineNote: 'Ricevi il collegamento dopo l’iscrizione.',
      times: 'incontri',
      price: 'Prezzo',
      free: 'Gratuito',
      contentTitle: 'Informazioni dettagliate',
      next: 'Prossimi appuntamenti',
      moreInfo: 'Maggiori Informazioni',
      participate: 'Contattaci per Partecipare',
    },
  ),
  block(
    'evento.health',
    'Prima di partecipare',
    ['/evento/{id}'],
    { title: line('Titolo'), text: sentences('Testo', 1200), ...button('cta', 'Link') },
    {
      title: 'Prima di partecipare',
      text: 'La pratica è controindicata in caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti e uso di psicofarmaci. Se ti riconosci in una di queste situazioni, o hai dubbi, chiedi prima al tuo medico e contattami: ne parliamo con riservatezza.',
      cta: 'Leggi le domande frequenti',
      ctaLink: '/contatti#faq',
    },
  ),
  block(
    'evento.closing',
    'Chiusura',
    ['/evento/{id}'],
    closing,
    {
      title: 'Continua a esplorare',
      text: 'Guarda gli altri appuntamenti o scopri da vicino la pratica.',
      links: [
        {
          id: '1',
          label: 'Tutti gli eventi',
          labelLink: '/eventi',
        },
        {
          id: '2',
          label: "Cos'è il Rebirthing",
          labelLink: '/rebirthing',
        },
      ],
    },
    { hideable: true },
  ),
] as const
