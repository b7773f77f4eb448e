// The booking section that closes three pages.

import { euro, prices } from './prices'

export const booking = {
  title: 'Scegli come iniziare',
  intro:
    "C'è chi preferisce cominciare a tu per tu e chi si trova meglio in gruppo. Scegli la formula che senti più tua: i dettagli li decidiamo insieme.",
  durationLabel: 'Durata',
  topicsLabel: 'Temi',
  prices: {
    label: 'Prezzo',
    href: '/servizi#pricing',
    see: 'Vedi prezzi',
    seeLabel: 'Vedi prezzi: {title}',
  },
  cards: [
    {
      id: 'private',
      title: 'Sessioni private',
      icon: 'User',
      duration: "Circa un'ora",
      format: 'Uno a uno',
      price: `da ${euro(prices.individual)}`,
      text: "Circa un'ora di pratica tutta per te, uno a uno e con il tuo ritmo. Prima e dopo c'è il tempo per raccontare come stai e per fare domande.",
      topics: [],
    },
    {
      id: 'group',
      title: 'Sessioni di gruppo',
      icon: 'Users',
      duration: 'Circa due ore',
      format: 'In gruppo',
      price: euro(prices.group),
      text: "Circa due ore per respirare insieme ad altre persone. Ognuno segue il proprio respiro, e alla fine chi lo desidera condivide l'esperienza.",
      topics: [],
    },
    {
      id: 'seminars',
      title: 'Seminari',
      icon: 'Presentation',
      duration: 'Una giornata',
      format: 'In gruppo',
      price: 'Prezzi di volta in volta',
      text: 'Una giornata intera tra respirazione, esercizi e dialogo, dedicata a un tema da portare subito nella vita di tutti i giorni.',
      topics: [
        'Equilibrio psico-fisico',
        'Il potere delle emozioni',
        'Azioni positive',
        'Trasformare le abitudini',
      ],
    },
  ],
  cta: { label: 'Contattami per Info e Prenotazioni', href: '/contatti' },
} as const
