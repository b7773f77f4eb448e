// Content of the page about the practitioner.

import { block, line, link, list, optional, paragraphs, picture, sentences } from './schema'
import { icon } from './shared-fields'

export const chiSono = [
  block(
    'chi-sono.hero',
    'Apertura',
    ['/chi-sono'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      portrait: picture('Ritratto'),
    },
    {
      title: 'Chi Sono',
      subtitle:
        'Insegno a respirare con consapevolezza. Con serietà, con calore e con i piedi per terra.',
    },
  ),
  block(
    'chi-sono.biography',
    'Biografia',
    ['/chi-sono'],
    {
      title: line('Titolo'),
      pullQuote: optional(sentences('Frase in evidenza', 240)),
      text: paragraphs('Testo', 8000),
    },
    {
      title: 'Una vita a tu per tu con il respiro',
      pullQuote: 'Il respiro non ha bisogno di grandi parole. Ha bisogno di tempo.',
      text: {
        text: [
          {
            either: [
              [
                'Mi chiamo ',
                {
                  setting: 'practitioner',
                },
                ' e insegno',
              ],
              ['Insegno'],
            ],
          },
          " Rebirthing, motivazione e crescita personale in Italia e in Svizzera. Lavoro con chi sente il bisogno di fermarsi un momento, con le aziende che tengono alle persone e con chi, nello sport, sa che la testa e il fiato arrivano al traguardo insieme.\n\nHo incontrato la respirazione consapevole nel 1987. All'inizio è stata una scoperta personale; poi, un passo alla volta, è diventata un mestiere: studiare, praticare, accompagnare altre persone e tornare a studiare.\n\nIl mio modo di lavorare è concreto. Prima ascolto, poi spiego, poi si respira. Ti dico con chiarezza che cosa puoi aspettarti dal Rebirthing e che cosa non è: non è un trattamento medico né psicoterapeutico. Se quello che cerchi è un altro tipo di aiuto, te lo dico subito.\n\nIn questi anni ho imparato che il respiro non ha bisogno di grandi parole. Ha bisogno di tempo, di un luogo tranquillo e di qualcuno che sappia starti accanto senza metterti fretta.",
        ],
      },
    },
    { hideable: true, toConfirm: ['pullQuote', 'text'] },
  ),
  block(
    'chi-sono.timeline',
    'Le tappe',
    ['/chi-sono'],
    {
      title: line('Titolo'),
      items: list(
        'Tappe',
        { year: line('Anno', 20), title: line('Titolo'), text: sentences('Testo') },
        { min: 1, max: 40 },
      ),
    },
    {
      title: 'Le tappe del mio percorso',
      items: [
        {
          id: '1',
          year: '1987',
          title: "L'incontro con il respiro",
          text: "La prima esperienza di respirazione consapevole. Nasce una curiosità che non se n'è più andata.",
        },
        {
          id: '2',
          year: '1993',
          title: 'Lo studio diventa impegno',
          text: 'Comincia un percorso regolare di formazione nel Rebirthing e nella crescita personale.',
        },
        {
          id: '3',
          year: '2004',
          title: 'Le prime sessioni',
          text: 'La pratica si apre agli altri: prendono forma i primi incontri individuali e di gruppo.',
        },
        {
          id: '4',
          year: '2005/2006',
          title: 'Un biennio di approfondimento',
          text: 'Due anni dedicati al metodo, alla motivazione e alla conduzione dei gruppi.',
        },
        {
          id: '5',
          year: '2009-2018',
          title: "L'esperienza in ospedale",
          text: 'Incontri di respirazione e di ascolto in ambito ospedaliero, accanto al lavoro del personale sanitario e mai al suo posto.',
        },
        {
          id: '6',
          year: '2014-2015',
          title: 'Nuove qualifiche',
          text: "Altri studi e altri attestati, per dare basi sempre più solide all'insegnamento.",
        },
        {
          id: '7',
          year: 'Dal 2019',
          title: 'Formare chi guiderà altri',
          text: "L'attività di trainer diventa stabile: insegno il metodo a chi vuole accompagnare altre persone nella pratica.",
        },
        {
          id: '8',
          year: 'Oggi',
          title: 'Tra Italia e Svizzera',
          text: 'Sessioni, seminari, incontri per aziende e società sportive, e un libro che arriva alla terza edizione.',
        },
      ],
    },
    { hideable: true, toConfirm: ['items'] },
  ),
  block(
    'chi-sono.book',
    'Il libro',
    ['/chi-sono'],
    {
      title: line('Titolo'),
      bookTitle: optional(line('Titolo del libro', 200)),
      text: paragraphs('Testo'),
      edition: optional(line('Edizione', 200)),
      shops: list(
        'Dove si compra',
        { label: line('Testo', 80), labelLink: link('Dove porta') },
        { max: 6 },
      ),
      cover: picture('Copertina'),
    },
    {
      title: 'Il libro',
      bookTitle: {
        text: [
          {
            setting: 'bookTitle',
          },
        ],
      },
      text: 'Nel libro ho raccolto quello che insegno nelle sessioni: come funziona il respiro consapevole, da dove cominciare, come portarlo nelle giornate normali, quelle piene di impegni e di imprevisti.\n\nÈ una lettura pratica, pensata per chi parte da zero e per chi vuole riprendere il filo.',
      edition: {
        text: [
          {
            setting: 'bookEdition',
          },
        ],
      },
      shops: [
        {
          id: 'bookstore',
          label: 'Acquista nella libreria online',
          labelLink: {
            setting: 'bookstoreUrl',
          },
        },
        {
          id: 'publisher',
          label: "Acquista dall'editore",
          labelLink: {
            setting: 'publisherUrl',
          },
        },
      ],
    },
    { hideable: true, toConfirm: ['text'] },
  ),
  block(
    'chi-sono.experience',
    'La mia esperienza',
    ['/chi-sono'],
    {
      title: line('Titolo'),
      cards: list(
        'Schede',
        { icon: icon(), title: line('Titolo'), text: sentences('Testo') },
        { min: 1, max: 12 },
      ),
    },
    {
      title: 'La mia esperienza',
      cards: [
        {
          id: 'trainer',
          icon: 'GraduationCap',
          title: 'Trainer di Rebirthing',
          text: 'Formo chi desidera guidare altre persone nella respirazione consapevole, con un percorso di oltre 300 ore tra teoria, pratica ed etica del lavoro.',
        },
        {
          id: 'certifications',
          icon: 'Award',
          title: 'Attestati e aggiornamento',
          text: {
            text: [
              'Attestato di Rebirther riconosciuto da ',
              {
                either: [
                  [
                    {
                      setting: 'certifyingBody',
                    },
                  ],
                  ['un ente di promozione sportiva'],
                ],
              },
              ' e formazione continua. Esercito la professione ai sensi della legge 14 gennaio 2013, n. 4.',
            ],
          },
        },
        {
          id: 'hospital',
          icon: 'Hospital',
          title: 'Esperienza in ambito ospedaliero',
          text: "Ho proposto incontri di respirazione e di ascolto in ospedale, nel rispetto dei ruoli: l'attività sanitaria resta sempre ai professionisti sanitari.",
        },
        {
          id: 'currentActivity',
          icon: 'Wind',
          title: 'Attività di oggi',
          text: 'Sessioni individuali, di coppia, di gruppo e online, ritiri, seminari, incontri in azienda e nelle società sportive, tra Italia e Svizzera.',
        },
      ],
    },
    { hideable: true, toConfirm: ['cards'] },
  ),
] as const
