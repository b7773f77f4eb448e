// Content for search engines and link previews, per page, and the facts about the practice.

import { block, choice, line, list, optional, sentences } from './schema'

/** ISO 3166 codes; the admin panel has the names. */
const countries = ['IT', 'CH', 'SM', 'AT', 'FR', 'DE', 'SI', 'HR', 'ES', 'MT'] as const

/** Fields of a page without a picture of its own. */
const fieldsWithoutPicture = {
  title: line('Titolo', 70),
  description: sentences('Descrizione', 200),
  keywords: optional(line('Parole chiave', 400)),
}

const fields = {
  ...fieldsWithoutPicture,
  shareTitle: optional(line("Titolo sull'immagine condivisa", 80)),
  shareAlt: optional(line("Testo alternativo dell'immagine condivisa", 200)),
}

export const seo = [
  block('seo.home', 'Home', ['/'], fields, {
    title: 'Rebirthing: Respirare bene per vivere meglio',
    description:
      'Rebirthing, motivazione e crescita personale in Italia e Svizzera: sessioni individuali, di gruppo e online. Consulenza gratuita di 20 minuti.',
    keywords:
      'rebirthing, respirazione consapevole, respiro circolare, crescita personale, motivazione, rebirthing Italia, rebirthing Svizzera',
    shareTitle: 'Respirare bene per vivere meglio',
    shareAlt: null,
  }),
  block('seo.chi-sono', 'Chi Sono', ['/chi-sono'], fields, {
    title: 'Chi Sono',
    description:
      'La storia, gli studi e il modo di lavorare di chi insegna Rebirthing, motivazione e crescita personale tra Italia e Svizzera. E un libro sul respiro.',
    keywords:
      'chi sono, insegnante di rebirthing, trainer rebirthing, rebirther, libro rebirthing, crescita personale',
    shareTitle: 'Chi Sono',
    shareAlt: null,
  }),
  block('seo.rebirthing', "Cos'è il Rebirthing", ['/rebirthing'], fields, {
    title: "Cos'è il Rebirthing",
    description:
      "Che cos'è il Rebirthing, come si svolge una sessione e come la respirazione consapevole entra in azienda e nello sport. Spiegato in parole semplici.",
    keywords:
      "cos'è il rebirthing, respirazione circolare, tecnica di respirazione, rebirthing per aziende, rebirthing per lo sport, stress e respiro",
    shareTitle: "Cos'è il Rebirthing",
    shareAlt: null,
  }),
  block('seo.servizi', 'Servizi', ['/servizi'], fields, {
    title: 'Servizi e Prezzi',
    description:
      'Sessioni individuali, di gruppo, di coppia e online, ritiri e formazione per facilitatori: durata, prezzi e pacchetti di Rebirthing, senza sorprese.',
    keywords:
      'sessioni di rebirthing, prezzi rebirthing, rebirthing online, rebirthing di coppia, ritiro di respirazione, formazione rebirther',
    shareTitle: 'I Nostri Servizi',
    shareAlt: null,
  }),
  block(
    'seo.testimonianze',
    'Testimonianze',
    [
      '/testimonianze',
      '/testimonianze/parole',
      '/testimonianze/foto',
      '/testimonianze/ringraziamenti',
      '/testimonianze/media',
    ],
    fields,
    {
      title: 'Testimonianze',
      description:
        'Le parole di chi ha partecipato a corsi e sessioni di Rebirthing, le fotografie degli incontri, i ringraziamenti e gli articoli della stampa.',
      keywords:
        'testimonianze rebirthing, esperienze rebirthing, corsi di rebirthing, opinioni rebirthing',
      shareTitle: 'Testimonianze',
      shareAlt: null,
    },
  ),
  block('seo.eventi', 'Eventi', ['/eventi', '/eventi/passati', '/evento/{id}'], fields, {
    title: 'Eventi',
    description:
      'Serate introduttive, seminari e ritiri di Rebirthing in Italia, in Svizzera e online: date, orari, luoghi e informazioni per partecipare.',
    keywords:
      'eventi rebirthing, seminari rebirthing, workshop respirazione, ritiri di respirazione, corsi rebirthing',
    shareTitle: 'Eventi',
    shareAlt: null,
  }),
  block('seo.blog', 'Blog', ['/blog', '/blog/{slug}'], fields, {
    title: 'Blog',
    description:
      'Articoli brevi sulla respirazione consapevole: tecniche da provare, storie e idee per portare il respiro nella vita di tutti i giorni.',
    keywords:
      'blog rebirthing, esercizi di respirazione, respirazione consapevole, crescita personale, benessere',
    shareTitle: 'Blog',
    shareAlt: null,
  }),
  block('seo.contatti', 'Contatti', ['/contatti'], fields, {
    title: 'Contatti',
    description:
      'Telefono, e-mail e messaggi per chiedere informazioni o prenotare una sessione di Rebirthing. In più, le risposte alle domande frequenti.',
    keywords:
      'contatti rebirthing, prenotare rebirthing, consulenza gratuita rebirthing, domande frequenti rebirthing',
    shareTitle: 'Contatti',
    shareAlt: null,
  }),
  block('seo.privacy', 'Privacy Policy', ['/privacy'], fieldsWithoutPicture, {
    title: 'Privacy Policy',
    description:
      'Quali dati personali vengono trattati, perché, per quanto tempo e quali diritti hai secondo il Regolamento (UE) 2016/679.',
    keywords: 'privacy, protezione dei dati personali, GDPR',
  }),
  block('seo.terms', 'Termini e Condizioni', ['/terms'], fieldsWithoutPicture, {
    title: 'Termini e Condizioni',
    description:
      'Le condizioni di prenotazione, pagamento, cancellazione e rimborso delle sessioni e dei percorsi di Rebirthing.',
    keywords: 'termini e condizioni, prenotazioni, cancellazioni e rimborsi',
  }),
  block('seo.cookies', 'Cookie Policy', ['/cookies'], fieldsWithoutPicture, {
    title: 'Cookie Policy',
    description:
      'Quali cookie e strumenti di memorizzazione usa questo sito, a che cosa servono, quanto durano e come gestirli.',
    keywords: 'cookie, cookie policy, preferenze cookie',
  }),
  block(
    'seo.not-found',
    'Pagina non trovata',
    ['/{key}'],
    { ...fieldsWithoutPicture, shareTitle: fields.shareTitle },
    {
      title: 'Pagina non trovata',
      description: 'La pagina richiesta non esiste.',
    },
  ),
  block('seo.evento-not-found', 'Evento non trovato', ['/evento/{id}'], fieldsWithoutPicture, {
    title: 'Evento Non Trovato',
    description: "L'evento che stai cercando non esiste o è stato rimosso.",
  }),
  block(
    'seo.evento',
    'Un evento senza descrizione',
    ['/evento/{id}'],
    { description: sentences('Descrizione', 200), keywords: optional(line('Parole chiave', 400)) },
    {
      description:
        "Data, orario, luogo e programma dell'incontro di Rebirthing, con tutte le informazioni per partecipare.",
      keywords: 'evento rebirthing, seminario rebirthing, respirazione consapevole',
    },
  ),
  block(
    'seo.articolo',
    'Un articolo senza riassunto',
    ['/blog/{slug}'],
    { description: sentences('Descrizione', 200), keywords: optional(line('Parole chiave', 400)) },
    {
      description:
        'Un articolo sulla respirazione consapevole, da leggere in pochi minuti e da provare subito.',
      keywords: 'respirazione consapevole, rebirthing',
    },
  ),
  block(
    'seo.organization',
    "L'attività, per i motori di ricerca",
    ['*'],
    {
      description: sentences('Descrizione', 300),
      jobTitle: line('Professione', 80),
      contactType: line('Per che cosa ti si scrive', 80),
      services: list('Servizi', { text: line('Servizio', 120) }, { max: 30 }),
      countries: list('Dove lavori', { country: choice('Paese', countries) }, { max: 10 }),
      shareAlt: line("Testo alternativo dell'immagine condivisa", 200),
    },
    {
      description:
        'Rebirthing, motivazione e crescita personale: sessioni, seminari e formazione in Italia e in Svizzera.',
      jobTitle: 'Trainer di Rebirthing',
      contactType: 'Informazioni e prenotazioni',
      services: [
        {
          id: '1',
          text: 'Sessioni individuali di Rebirthing',
        },
        {
          id: '2',
          text: 'Sessioni di gruppo di Rebirthing',
        },
        {
          id: '3',
          text: 'Sessioni online di Rebirthing',
        },
        {
          id: '4',
          text: 'Sessioni a domicilio di Rebirthing',
        },
        {
          id: '5',
          text: 'Ritiri nel fine settimana',
        },
        {
          id: '6',
          text: 'Sessioni di coppia di Rebirthing',
        },
        {
          id: '7',
          text: 'Seminari di crescita personale',
        },
        {
          id: '8',
          text: 'Formazione per facilitatori di Rebirthing',
        },
        {
          id: '9',
          text: 'Incontri di respirazione per aziende',
        },
        {
          id: '10',
          text: 'Incontri di respirazione per lo sport',
        },
        {
          id: '11',
          text: 'Consulenza gratuita di 20 minuti',
        },
      ],
      countries: [
        { id: '1', country: 'IT' },
        { id: '2', country: 'CH' },
      ],
      shareAlt: {
        text: [
          {
            setting: 'brand',
          },
          ': Rebirthing e respirazione consapevole',
        ],
      },
    },
  ),
] as const
