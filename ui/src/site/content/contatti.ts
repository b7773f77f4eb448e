// The words of the contact page.

export const contatti = {
  hero: {
    title: 'Contatti',
    subtitle:
      'Per una domanda, per una prenotazione o solo per capire meglio: scegli il modo che preferisci, ti rispondo di persona.',
  },
  cards: [
    {
      id: 'phone',
      icon: 'Phone',
      title: 'Telefono',
      value: '{{phone}}',
      href: 'tel:{{phone}}',
      hint: 'Clicca per chiamare',
    },
    {
      id: 'email',
      icon: 'Mail',
      title: 'E-mail',
      value: '{{email}}',
      href: 'mailto:{{email}}',
      hint: 'Clicca per scrivere',
    },
    {
      id: 'social',
      icon: 'MessageCircle',
      title: 'Social e messaggi',
      links: [
        {
          id: 'socialNetwork',
          label: '[[Seguimi su {{social_name}}||Seguimi sui social]]',
          href: '{{social_url}}',
          external: true,
        },
        {
          id: 'messaging',
          label: 'Scrivimi su WhatsApp',
          href: 'https://wa.me/{{whatsapp}}',
          usesPrefilledGreeting: true,
          external: true,
        },
      ],
      hint: 'Si apre in una nuova scheda',
    },
  ],
  empty: 'I recapiti verranno pubblicati presto',
  consultationNote: 'La consulenza di 20 minuti è gratuita e senza impegno.',
} as const
