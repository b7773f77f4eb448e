// Content around the four collections of testimonials.

import { block, line, optional, picture, sentences } from './schema'
import { closing } from './shared-fields'

export const testimonianze = [
  block(
    'testimonianze.hero',
    'Apertura',
    ['/testimonianze'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: 'Testimonianze',
      subtitle: 'Parole, immagini e incontri di chi ha respirato con me.',
    },
  ),
  block(
    'testimonianze.lists',
    'Sulle pagine di tutte',
    [
      '/testimonianze/parole',
      '/testimonianze/foto',
      '/testimonianze/ringraziamenti',
      '/testimonianze/media',
    ],
    { back: line('Link indietro', 60) },
    {
      back: 'Torna alle testimonianze',
    },
  ),
  block(
    'testimonianze.words',
    'Le parole dei corsisti',
    ['/testimonianze', '/testimonianze/parole'],
    {
      title: line('Titolo', 60),
      text: sentences('Testo', 300),
      empty: line('Finché non ce ne sono', 160),
      all: line('Link a tutte', 60),
      fallbackProfession: line('Professione, se manca', 80),
    },
    {
      title: 'Le parole dei corsisti',
      text: 'Chi ha partecipato a sessioni, corsi e seminari racconta la propria esperienza.',
      empty: 'Le testimonianze dei corsisti verranno pubblicate presto',
      all: 'Tutte le testimonianze',
      fallbackProfession: 'Corsista Rebirthing',
    },
  ),
  block(
    'testimonianze.photos',
    'Galleria fotografica',
    ['/testimonianze', '/testimonianze/foto'],
    {
      title: line('Titolo', 60),
      text: sentences('Testo', 300),
      empty: line('Finché non ce ne sono', 160),
      all: line('Link a tutte', 60),
    },
    {
      title: 'Galleria Fotografica',
      text: 'Momenti di corsi, ritiri e seminari.',
      empty: 'La galleria fotografica verrà pubblicata presto',
      all: 'Tutte le foto',
    },
  ),
  block(
    'testimonianze.thanks',
    'Ringraziamenti',
    ['/testimonianze', '/testimonianze/ringraziamenti'],
    {
      title: line('Titolo', 60),
      text: sentences('Testo', 300),
      empty: line('Finché non ce ne sono', 160),
      all: line('Link a tutte', 60),
    },
    {
      title: 'Ringraziamenti Speciali',
      text: 'Lettere, dediche e attestati di stima ricevuti in questi anni.',
      empty: 'I ringraziamenti speciali verranno pubblicati presto',
      all: 'Tutti i ringraziamenti',
    },
  ),
  block(
    'testimonianze.media',
    'Parlano di noi',
    ['/testimonianze', '/testimonianze/media'],
    {
      title: line('Titolo', 60),
      text: sentences('Testo', 300),
      empty: line('Finché non ce ne sono', 160),
      all: line('Link a tutte', 60),
      externalLink: line("Link all'articolo", 60),
    },
    {
      title: 'Parlano di noi',
      text: 'Articoli, interviste e trasmissioni.',
      empty: 'Le menzioni stampa verranno pubblicate presto',
      all: 'Tutte le menzioni',
      externalLink: "Leggi l'articolo",
    },
  ),
  block(
    'testimonianze.closing',
    'Chiusura',
    ['/testimonianze'],
    closing,
    {
      title: 'La prossima storia può essere la tua',
      text: 'Scrivimi per una domanda o scopri come funziona la pratica.',
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
    'testimonianze.disclosure',
    'Come sono raccolte',
    ['/testimonianze', '/testimonianze/parole'],
    {
      title: optional(line('Titolo', 60)),
      link: optional(line('Link che porta qui', 60)),
      text: sentences('Testo, se nessuna è arrivata da un link personale', 800),
      asked: optional(sentences('Testo, se alcune sono arrivate da un link personale', 800)),
    },
    {
      title: 'Come raccolgo le testimonianze',
      link: 'Come le raccolgo',
      asked:
        'Le testimonianze vengono da chi ha partecipato a una sessione, a un corso o a un seminario: le chiedo con un link personale o le ricevo di persona, verifico la partecipazione e le pubblico solo con il consenso, senza nulla in cambio. Scelgo quali mostrare, perciò non sono tutte. Raccontano esperienze personali e non sono promesse di risultato.',
      text: 'Le testimonianze sono pubblicate con il consenso di chi le ha scritte, dopo aver verificato la partecipazione a una sessione, a un corso o a un seminario. Raccontano esperienze personali e non sono promesse di risultato.',
    },
  ),
] as const
