// Content around every page: header, footer, cookie banner.

import { block, button, line, link, list, optional, picture, sentences } from './schema'

export const shell = [
  block(
    'header.menu',
    'Menu',
    ['*'],
    {
      left: list(
        'A sinistra del nome',
        { label: line('Testo', 40), labelLink: link('Dove porta') },
        { min: 1, max: 5 },
      ),
      right: list(
        'A destra del nome',
        { label: line('Testo', 40), labelLink: link('Dove porta') },
        { min: 1, max: 5 },
      ),
    },
    {
      left: [
        {
          id: 'home',
          label: 'Home',
          labelLink: '/',
        },
        {
          id: 'about',
          label: 'Chi Sono',
          labelLink: '/chi-sono',
        },
        {
          id: 'rebirthing',
          label: "Cos'è il Rebirthing",
          labelLink: '/rebirthing',
        },
      ],
      right: [
        {
          id: 'testimonials',
          label: 'Testimonianze',
          labelLink: '/testimonianze',
        },
        {
          id: 'events',
          label: 'Eventi',
          labelLink: '/eventi',
        },
        {
          id: 'contact',
          label: 'Contatti',
          labelLink: '/contatti',
        },
      ],
    },
  ),
  block(
    'header.messaging',
    'Pulsante dei messaggi',
    ['*'],
    { label: line('Testo', 60) },
    {
      label: 'Scrivimi su WhatsApp',
    },
  ),
  block(
    'footer.certificate',
    'Attestato',
    ['*'],
    {
      title: line('Titolo'),
      text: sentences('Testo'),
      note: optional(sentences('Nota')),
      cta: line('Pulsante', 60),
      ctaLink: link('Pulsante: dove porta'),
      picture: picture('Immagine'),
    },
    {
      title: 'Attestato di Rebirther',
      text: {
        text: [
          "Vuoi fare del respiro il tuo lavoro? Al termine della formazione puoi conseguire l'attestato di Rebirther riconosciuto da ",
          {
            either: [
              [
                {
                  setting: 'certifyingBody',
                },
                ', ente di promozione sportiva',
              ],
              ['un ente di promozione sportiva'],
            ],
          },
          '.',
        ],
      },
      note: "Il riconoscimento vale nell'ambito dell'ente che lo rilascia e non abilita a professioni sanitarie o regolamentate.",
      cta: 'Richiedi informazioni',
      ctaLink: {
        setting: 'whatsapp',
      },
    },
    { hideable: true, toConfirm: ['text', 'note'] },
  ),
  block(
    'footer.links',
    'Link in fondo',
    ['*'],
    {
      tagline: sentences('Frase sotto il nome', 200),
      siteTitle: line('Prima colonna: titolo', 60),
      site: list(
        'Prima colonna',
        { label: line('Testo', 40), labelLink: link('Dove porta') },
        { max: 14 },
      ),
      legalTitle: line('Seconda colonna: titolo', 60),
      legal: list(
        'Seconda colonna',
        { label: line('Testo', 40), labelLink: link('Dove porta') },
        { max: 8 },
      ),
      contactTitle: line('Terza colonna: titolo', 60),
      contacts: list(
        'Terza colonna',
        { label: line('Testo', 40), labelLink: link('Dove porta') },
        { max: 8 },
      ),
    },
    {
      tagline: 'Rebirthing, motivazione e crescita personale in Italia e in Svizzera.',
      siteTitle: 'Il sito',
      site: [
        {
          id: '1',
          label: 'Chi Sono',
          labelLink: '/chi-sono',
        },
        {
          id: '2',
          label: "Cos'è il Rebirthing",
          labelLink: '/rebirthing',
        },
        {
          id: '3',
          label: 'Servizi e prezzi',
          labelLink: '/servizi',
        },
        {
          id: '4',
          label: 'Testimonianze',
          labelLink: '/testimonianze',
        },
        {
          id: '5',
          label: 'Eventi',
          labelLink: '/eventi',
        },
        {
          id: '6',
          label: 'Blog',
          labelLink: '/blog',
        },
        {
          id: '7',
          label: 'Contatti',
          labelLink: '/contatti',
        },
      ],
      legalTitle: 'Informazioni legali',
      legal: [
        {
          id: '1',
          label: 'Privacy Policy',
          labelLink: '/privacy',
        },
        {
          id: '2',
          label: 'Termini e Condizioni',
          labelLink: '/terms',
        },
        {
          id: '3',
          label: 'Cookie Policy',
          labelLink: '/cookies',
        },
      ],
      contactTitle: 'Contatti',
      contacts: [
        {
          id: 'phone',
          label: {
            text: [
              {
                setting: 'phone',
              },
            ],
          },
          labelLink: {
            setting: 'phone',
          },
        },
        {
          id: 'email',
          label: {
            text: [
              {
                setting: 'email',
              },
            ],
          },
          labelLink: {
            setting: 'email',
          },
        },
        {
          id: 'social',
          label: {
            text: [
              {
                setting: 'socialName',
              },
            ],
          },
          labelLink: {
            setting: 'socialUrl',
          },
        },
      ],
    },
  ),
  block(
    'footer.legal',
    'Note legali in fondo',
    ['*'],
    {
      disclaimer: sentences('Che cosa non è'),
      notice: sentences('Chi, dove, legge 4/2013'),
      copyright: line('Diritti', 200),
    },
    {
      disclaimer:
        'Il Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico.',
      notice: {
        text: [
          {
            either: [
              [
                {
                  setting: 'practitioner',
                },
                ' · ',
              ],
            ],
          },
          {
            either: [
              [
                {
                  setting: 'address',
                },
                ' · ',
              ],
            ],
          },
          {
            either: [
              [
                'P. IVA ',
                {
                  setting: 'vatNumber',
                },
                ' · ',
              ],
              [
                'C. F. ',
                {
                  setting: 'taxCode',
                },
                ' · ',
              ],
            ],
          },
          'Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4',
        ],
      },
      copyright: {
        text: [
          '© ',
          {
            setting: 'copyrightYear',
          },
          ' ',
          {
            setting: 'brand',
          },
          '. Tutti i diritti riservati.',
        ],
      },
    },
  ),
  block(
    'cookies.banner',
    'Avviso sui cookie',
    ['*'],
    {
      text: sentences('Testo', 400),
      ...button('policy', 'Link'),
      necessaryOnly: line('Rifiuta', 40),
      acceptAll: line('Accetta', 40),
      customize: line('Scegli', 40),
    },
    {
      text: 'Il sito usa solo strumenti tecnici; altri, in futuro, solo con il tuo consenso: se chiudi restano i tecnici.',
      policy: 'Cookie Policy',
      policyLink: '/cookies',
      necessaryOnly: 'Solo Necessari',
      acceptAll: 'Accetta Tutti',
      customize: 'Personalizza',
    },
  ),
  block(
    'cookies.preferences',
    'Preferenze sui cookie',
    ['*'],
    {
      open: line('Link che le apre', 60),
      title: line('Titolo', 60),
      text: sentences('Testo'),
      necessaryTitle: line('Necessari: titolo', 60),
      necessary: sentences('Necessari: testo'),
      necessaryLabel: line('Necessari: etichetta', 80),
      analyticsTitle: line('Analisi: titolo', 60),
      analytics: sentences('Analisi: testo'),
      analyticsCounted: sentences('Analisi: testo, se le visite vengono contate'),
      analyticsLabel: line('Analisi: etichetta', 80),
      marketingTitle: line('Marketing: titolo', 60),
      marketing: sentences('Marketing: testo'),
      marketingLabel: line('Marketing: etichetta', 80),
      save: line('Salva', 40),
      cancel: line('Annulla', 40),
    },
    {
      open: 'Preferenze cookie',
      title: 'Preferenze cookie',
      text: 'Scegli che cosa autorizzare. Puoi cambiare idea in ogni momento dal link «Preferenze cookie» in fondo a ogni pagina.',
      necessaryTitle: 'Necessari',
      necessary:
        "Ricordano le scelte fatte in questo riquadro e proteggono l'accesso all'area riservata a chi gestisce il sito. Sono sempre attivi.",
      necessaryLabel: 'Sempre attivi',
      analyticsTitle: 'Analisi',
      analytics: 'Servirebbero a capire quali pagine vengono lette. Oggi il sito non ne usa.',
      analyticsCounted:
        'Servirebbero a capire quali pagine vengono lette. Oggi il sito non ne usa: conta le visite senza cookie e senza riconoscere nessuno.',
      analyticsLabel: 'Autorizza i cookie di analisi',
      marketingTitle: 'Marketing',
      marketing:
        'Servirebbero a mostrare contenuti o annunci di altri servizi. Oggi il sito non ne usa.',
      marketingLabel: 'Autorizza i cookie di marketing',
      save: 'Salva preferenze',
      cancel: 'Annulla',
    },
  ),
] as const
