// The words of the footer.

export const footer = {
  tagline: 'Rebirthing, motivazione e crescita personale in Italia e in Svizzera.',
  columns: [
    {
      id: 'site',
      title: 'Il sito',
      links: [
        { label: 'Chi Sono', href: '/chi-sono' },
        { label: "Cos'è il Rebirthing", href: '/rebirthing' },
        { label: 'Servizi e prezzi', href: '/servizi' },
        { label: 'Testimonianze', href: '/testimonianze' },
        { label: 'Eventi', href: '/eventi' },
        { label: 'Blog', href: '/blog' },
        { label: 'Contatti', href: '/contatti' },
      ],
    },
    {
      id: 'legal',
      title: 'Informazioni legali',
      links: [
        { label: 'Privacy Policy', href: '/privacy' },
        { label: 'Termini e Condizioni', href: '/terms' },
        { label: 'Cookie Policy', href: '/cookies' },
      ],
      cookiePreferences: 'Preferenze cookie',
    },
    {
      id: 'contacts',
      title: 'Contatti',
      links: [
        { label: '{{phone}}', href: 'tel:{{phone}}' },
        { label: '{{email}}', href: 'mailto:{{email}}' },
        { label: '{{social_name}}', href: '{{social_url}}', external: true },
      ],
    },
  ],
  certificate: {
    // To be confirmed by the practitioner.
    title: 'Attestato di Rebirther',
    text: "Vuoi fare del respiro il tuo lavoro? Al termine della formazione puoi conseguire l'attestato di Rebirther riconosciuto da [[{{certifying_body}}, ente di promozione sportiva||un ente di promozione sportiva]].",
    note: "Il riconoscimento vale nell'ambito dell'ente che lo rilascia e non abilita a professioni sanitarie o regolamentate.",
    imageAlt: 'Attestato di Rebirther',
    button: { label: 'Richiedi informazioni', opens: 'messaging' },
  },
  disclaimer:
    'Il Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico.',
  legalNotice:
    '[[{{practitioner}} · ]][[{{address}} · ]][[P. IVA {{vat_number}} · ]]Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4',
  copyright: '© {{copyright_year}} {{brand}}. Tutti i diritti riservati.',
} as const
