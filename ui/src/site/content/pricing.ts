// The three packages and their notes.

import { prices } from './prices'

export const pricing = {
  title: 'Pacchetti e Prezzi',
  intro:
    'Il respiro si allena con la continuità. Per questo chi sceglie un percorso spende meno rispetto alle singole sessioni.',
  packages: [
    {
      id: 'base',
      title: 'Base',
      price: '270 €',
      priceAmount: 270,
      priceCurrency: 'EUR',
      description: 'Per provare davvero, senza fermarsi alla prima impressione.',
      features: [
        '3 sessioni individuali da 90 minuti',
        '90 € a sessione invece di 95 €',
        'Indicazioni per la pratica a casa',
      ],
      savings: 'Risparmi 15 €',
      savingsAmount: 15,
      listPriceAmount: 3 * prices.individual,
      popular: false,
      color: 'primary',
      buttonText: 'Scegli Base',
    },
    {
      id: 'complete',
      title: 'Completo',
      price: '850 €',
      priceAmount: 850,
      priceCurrency: 'EUR',
      description:
        "Il ciclo che consiglio spesso, per dare al respiro il tempo di diventare un'abitudine.",
      features: [
        '10 sessioni da 90 minuti',
        '85 € a sessione invece di 95 €',
        'Un percorso costruito passo dopo passo',
      ],
      savings: 'Risparmi 100 €',
      savingsAmount: 100,
      listPriceAmount: 10 * prices.individual,
      popular: true,
      popularLabel: 'Più popolare',
      color: 'secondary',
      buttonText: 'Scegli Completo',
    },
    {
      id: 'intensive',
      title: 'Intensivo',
      price: '1.200 €',
      priceAmount: 1200,
      priceCurrency: 'EUR',
      description:
        'Un percorso di 3 mesi per chi vuole dare alla pratica un posto stabile nella propria vita.',
      features: [
        '12 sessioni individuali',
        '2 sessioni di gruppo',
        '1 ritiro nel fine settimana',
        'Attestato di completamento',
      ],
      savings: null,
      savingsAmount: null,
      listPriceAmount: 12 * prices.individual + 2 * prices.group + prices.retreat,
      popular: false,
      color: 'accent',
      buttonText: 'Scegli Intensivo',
    },
  ],
  /** Where nothing is said of a saving. */
  sumLine: 'Prese una per una, le sue parti costano {amount}.',
  durations: {
    title: 'Perché le durate cambiano',
    text: '«Circa un’ora» è il tempo del respiro: con il colloquio prima e il riposo dopo, una sessione individuale dura da un’ora e mezza a due ore, e 90 minuti nei pacchetti.',
  },
  notes: [
    'I prezzi sono finali e comprendono ogni imposta dovuta.',
    "L'attestato di completamento del percorso Intensivo conferma la partecipazione: non è un titolo professionale.",
    'Per disdire basta un messaggio almeno 24 ore prima. Oltre questo termine è dovuto il 50% del prezzo della sessione.',
  ],
  consultation: {
    title: 'Hai 20 minuti?',
    text: 'La consulenza di 20 minuti è gratuita e senza impegno: parliamo di te, della pratica e della formula più adatta.',
    cta: { label: 'Chiedi la consulenza gratuita', href: '/contatti' },
  },
} as const
