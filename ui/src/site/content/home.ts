// Content of the home page.

import {
  block,
  button,
  choice,
  line,
  list,
  optional,
  paragraphs,
  picture,
  sentences,
} from './schema'

export const home = [
  block(
    'home.hero',
    'Apertura',
    ['/'],
    {
      title: line('Titolo'),
      subtitle: sentences('Sottotitolo', 240),
      who: optional(line('Chi e dove')),
      ...button('cta', 'Primo pulsante'),
      ...button('consultation', 'Secondo pulsante'),
      pictureOne: picture('Prima immagine'),
      pictureTwo: picture('Seconda immagine'),
      scrim: optional(choice('Velo sulle fotografie', ['darker', 'darkest'])),
    },
    {
      title: 'Rebirthing: Respirare bene per vivere meglio!',
      subtitle:
        'Una tecnica di respirazione consapevole, da imparare con calma e da portare con te ogni giorno.',
      who: {
        text: [
          {
            either: [
              [
                {
                  setting: 'practitioner',
                },
                ' · ',
                {
                  setting: 'towns',
                },
              ],
              [
                {
                  setting: 'practitioner',
                },
              ],
              [
                {
                  setting: 'brand',
                },
                ' · ',
                {
                  setting: 'towns',
                },
              ],
              [
                {
                  setting: 'towns',
                },
              ],
            ],
          },
        ],
      },
      cta: 'Scopri il Rebirthing',
      ctaLink: '/rebirthing',
      consultation: 'Consulenza gratuita, 20 minuti',
      consultationLink: '/contatti',
    },
  ),
  block(
    'home.intro',
    'Introduzione',
    ['/'],
    { title: line('Titolo'), text: paragraphs('Testo'), note: optional(sentences('Nota')) },
    {
      title: 'Respiri circa ventimila volte al giorno. Di quante ti accorgi?',
      text: 'Il respiro lavora per te anche quando non ci pensi. Si accorcia quando hai fretta, si ferma quando qualcosa ti sorprende, si apre quando ridi. Il Rebirthing comincia da qui: imparare ad ascoltarlo e lasciarlo scorrere, senza pause e senza sforzo.\n\nÈ una pratica semplice, che si impara con una guida accanto e che poi resta tua: a casa, al lavoro, prima di una gara o di una giornata impegnativa.',
      note: 'Il Rebirthing è una pratica di crescita personale: non è un trattamento medico né psicoterapeutico e non li sostituisce.',
    },
    { hideable: true },
  ),
  block(
    'home.practitioner',
    'Piacere di conoscerti',
    ['/'],
    {
      title: line('Titolo'),
      text: paragraphs('Testo'),
      ...button('cta', 'Primo link'),
      ...button('prices', 'Secondo link'),
      portrait: picture('Ritratto'),
    },
    {
      title: 'Piacere di conoscerti',
      text: {
        text: [
          {
            either: [
              [
                'Sono ',
                {
                  setting: 'practitioner',
                },
                ' e insegno',
              ],
              ['Insegno'],
            ],
          },
          " Rebirthing, motivazione e crescita personale in Italia e in Svizzera.\n\nLavoro con chi cerca un momento per sé, con le aziende e con chi fa sport. Il principio è sempre lo stesso: nessuno può respirare al posto tuo, ma imparare è più facile se al tuo fianco c'è una guida esperta.",
        ],
      },
      cta: 'Leggi la mia storia',
      ctaLink: '/chi-sono',
      prices: 'Servizi e prezzi',
      pricesLink: '/servizi',
    },
    { hideable: true },
  ),
  block(
    'home.audiences',
    'Aziende e sport',
    ['/'],
    {
      title: line('Titolo'),
      cards: list(
        'Schede',
        {
          title: line('Titolo'),
          text: sentences('Testo'),
          ...button('cta', 'Link'),
          drawing: choice('Disegno', ['companies', 'sport']),
          picture: picture('Immagine'),
        },
        { min: 1, max: 6 },
      ),
    },
    {
      title: 'Il respiro, anche al lavoro e in campo',
      cards: [
        {
          id: 'business',
          title: 'Per le aziende',
          text: 'Incontri pratici per i gruppi di lavoro: pause che ricaricano davvero, riunioni più lucide e un modo concreto di affrontare i periodi intensi.',
          cta: 'Scopri le proposte per le aziende',
          ctaLink: '/rebirthing#aziende',
          drawing: 'companies',
        },
        {
          id: 'sport',
          title: 'Per lo sport',
          text: 'Un allenamento in più, quello del respiro: per arrivare alla gara con la testa libera e ritrovare il ritmo dopo lo sforzo, a livello individuale o di squadra.',
          cta: 'Scopri le proposte per lo sport',
          ctaLink: '/rebirthing#sport',
          drawing: 'sport',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'home.quote',
    'La citazione',
    ['/'],
    {
      title: line('Titolo'),
      quote: sentences('Citazione'),
      author: line('Di chi è'),
      ...button('cta', 'Link'),
    },
    {
      title: 'Dicono di questo lavoro',
      quote:
        'Ho provato il Rebirthing per curiosità e sono tornata per me. Ho trovato un lavoro serio sul respiro, confini chiari e una guida che sa quando parlare e quando lasciare spazio al silenzio.',
      author: 'una psicologa',
      cta: 'Leggi le altre testimonianze',
      ctaLink: '/testimonianze',
    },
    { hideable: true, toConfirm: ['quote', 'author'], quotes: true },
  ),
] as const
