// Content of the closing section of three pages: three ways to begin.

import { block, button, line, link, list, sentences } from './schema'
import { icon } from './shared-fields'

export const booking = [
  block(
    'booking.section',
    'Scegli come iniziare',
    ['/', '/chi-sono', '/rebirthing'],
    {
      title: line('Titolo'),
      intro: sentences('Introduzione'),
      see: line('Link ai prezzi', 60),
      seeLink: link('Link ai prezzi: dove porta'),
      ...button('cta', 'Pulsante'),
    },
    {
      title: 'Scegli come iniziare',
      intro:
        "C'è chi preferisce cominciare a tu per tu e chi si trova meglio in gruppo. Scegli la formula che senti più tua: i dettagli li decidiamo insieme.",
      see: 'Vedi prezzi',
      seeLink: '/servizi#pricing',
      cta: 'Contattami per Info e Prenotazioni',
      ctaLink: '/contatti',
    },
    { hideable: true },
  ),
  block(
    'booking.cards',
    'I modi per iniziare',
    ['/', '/chi-sono', '/rebirthing'],
    {
      cards: list(
        'Schede',
        {
          icon: icon(),
          title: line('Titolo', 60),
          duration: line('Durata', 60),
          format: line('Formato', 60),
          price: line('Prezzo', 60),
          text: sentences('Testo'),
          topics: list('Temi', { text: line('Tema', 80) }, { max: 12 }),
        },
        { min: 1, max: 6 },
      ),
    },
    {
      cards: [
        {
          id: 'private',
          icon: 'User',
          title: 'Sessioni private',
          duration: "Circa un'ora",
          format: 'Uno a uno',
          price: {
            text: [
              'da ',
              {
                price: 'individual',
              },
            ],
          },
          text: "Circa un'ora di pratica tutta per te, uno a uno e con il tuo ritmo. Prima e dopo c'è il tempo per raccontare come stai e per fare domande.",
          topics: [],
        },
        {
          id: 'group',
          icon: 'Users',
          title: 'Sessioni di gruppo',
          duration: 'Circa due ore',
          format: 'In gruppo',
          price: {
            text: [
              {
                price: 'group',
              },
            ],
          },
          text: "Circa due ore per respirare insieme ad altre persone. Ognuno segue il proprio respiro, e alla fine chi lo desidera condivide l'esperienza.",
          topics: [],
        },
        {
          id: 'seminars',
          icon: 'Presentation',
          title: 'Seminari',
          duration: 'Una giornata',
          format: 'In gruppo',
          price: 'Prezzi di volta in volta',
          text: 'Una giornata intera tra respirazione, esercizi e dialogo, dedicata a un tema da portare subito nella vita di tutti i giorni.',
          topics: [
            {
              id: '1',
              text: 'Equilibrio psico-fisico',
            },
            {
              id: '2',
              text: 'Il potere delle emozioni',
            },
            {
              id: '3',
              text: 'Azioni positive',
            },
            {
              id: '4',
              text: 'Trasformare le abitudini',
            },
          ],
        },
      ],
    },
  ),
] as const
