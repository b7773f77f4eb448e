// The words of the services page: the six services and what to expect.

import { euro, prices } from './prices'

export const services = {
  hero: {
    title: 'I Nostri Servizi',
    subtitle:
      'A tu per tu, in coppia, in gruppo o a distanza: scegli la formula che si adatta al tuo momento.',
  },
  intro:
    'Ogni proposta ha un prezzo chiaro e una durata definita. Se non sai da quale cominciare, partiamo dalla consulenza gratuita di 20 minuti: mi racconti che cosa cerchi e ti dico con franchezza se posso esserti utile.',
  labels: { price: 'Prezzo', featuresTitle: 'Che cosa comprende' },
  services: [
    {
      id: 'individual',
      title: 'Sessioni individuali',
      price: euro(prices.individual),
      priceAmount: prices.individual,
      priceCurrency: 'EUR',
      priceNote: 'a sessione',
      description:
        'Un incontro tutto per te, a tu per tu, per imparare il respiro circolare e trovare il tuo ritmo.',
      features: [
        'Durata: 1,5-2 ore',
        'Colloquio di apertura e condivisione finale',
        "Respirazione guidata dall'inizio alla fine",
        'Indicazioni semplici per continuare a casa',
      ],
      icon: 'User',
      color: 'primary',
      buttonText: 'Prenota una sessione',
    },
    {
      id: 'group',
      title: 'Sessioni di gruppo',
      price: euro(prices.group),
      priceAmount: prices.group,
      priceCurrency: 'EUR',
      priceNote: 'a persona',
      description:
        'Respirare insieme ad altre persone, ognuno con il proprio passo, in un gruppo piccolo e accogliente.',
      features: [
        'Massimo 8 persone',
        'Durata: circa 2 ore',
        'Spiegazione iniziale anche per chi è alla prima volta',
        'Condivisione finale libera, mai obbligatoria',
      ],
      icon: 'Users',
      color: 'secondary',
      buttonText: 'Unisciti al gruppo',
    },
    {
      id: 'training',
      title: 'Formazione per facilitatori',
      price: euro(prices.training),
      priceAmount: prices.training,
      priceCurrency: 'EUR',
      priceNote: 'percorso completo',
      description:
        'Un percorso professionale per chi vuole guidare altre persone nel Rebirthing con competenza e responsabilità.',
      features: [
        '300+ ore di formazione',
        'Pratica personale, teoria e conduzione',
        'Sicurezza, limiti della pratica ed etica professionale',
        'Attestato di Rebirther a fine percorso',
      ],
      icon: 'GraduationCap',
      color: 'accent',
      buttonText: 'Chiedi il programma',
    },
    {
      id: 'online',
      title: 'Sessioni online',
      price: euro(prices.online),
      priceAmount: prices.online,
      priceCurrency: 'EUR',
      priceNote: 'a sessione',
      description:
        'La stessa attenzione di un incontro dal vivo, nella tranquillità di casa tua e ovunque ti trovi.',
      features: [
        'In videochiamata',
        'Ti spiego prima come preparare la stanza',
        'Presenza continua per tutta la sessione',
        "Orari da concordare, anche se vivi all'estero",
      ],
      icon: 'Video',
      color: 'primary',
      buttonText: 'Prenota online',
    },
    {
      id: 'retreat',
      title: 'Ritiri nel fine settimana',
      price: euro(prices.retreat),
      priceAmount: prices.retreat,
      priceCurrency: 'EUR',
      priceNote: 'a persona',
      description:
        'Due giorni lontano dal rumore, per dedicare al respiro tutto il tempo che di solito manca.',
      features: [
        '2 giorni, pasti inclusi',
        'Più sessioni di respirazione di gruppo',
        "Momenti di silenzio e passeggiate all'aperto",
        'Esercizi da portare nella settimana che segue',
      ],
      icon: 'Mountain',
      color: 'secondary',
      buttonText: 'Chiedi le prossime date',
    },
    {
      id: 'couple',
      title: 'Sessioni di coppia',
      price: euro(prices.couple),
      priceAmount: prices.couple,
      priceCurrency: 'EUR',
      priceNote: 'per la coppia',
      description: 'Uno spazio a due per respirare fianco a fianco e ascoltarsi con più calma.',
      features: [
        'Sessione riservata a due persone',
        'Respirazione guidata per entrambi',
        'Tempo per la condivisione, nel rispetto di ciascuno',
        'Un esercizio da fare insieme a casa',
      ],
      icon: 'HeartHandshake',
      color: 'accent',
      buttonText: 'Prenota per due',
    },
  ],
  moreOffers: {
    title: 'E se ti serve altro',
    items: [
      {
        id: 'freeConsultation',
        icon: 'MessageCircle',
        title: 'Consulenza gratuita',
        text: '20 minuti per conoscerci, fare domande e capire se il Rebirthing fa per te. Senza impegno.',
      },
      {
        id: 'atHome',
        icon: 'House',
        title: 'Sessioni a domicilio',
        text: 'Se preferisci respirare a casa tua, vengo io. Disponibilità e prezzo si concordano in base alla distanza.',
      },
      {
        id: 'seminars',
        icon: 'Presentation',
        title: 'Seminari',
        text: 'Una giornata su un tema preciso: equilibrio psico-fisico, potere delle emozioni, azioni positive, trasformazione delle abitudini. Date e prezzi sono indicati di volta in volta.',
      },
      {
        id: 'companiesAndSport',
        icon: 'Building2',
        title: 'Aziende e sport',
        text: 'Incontri su misura per gruppi di lavoro, atleti e società sportive, su preventivo.',
      },
    ],
  },
  expectations: {
    title: 'Cosa Aspettarti dalle Sessioni',
    intro: 'Sapere come funziona aiuta a rilassarsi prima ancora di cominciare.',
    blocks: [
      {
        id: 'preparation',
        icon: 'ClipboardList',
        title: 'Come prepararti',
        text: 'Bastano abiti comodi, uno stomaco leggero e qualche minuto di anticipo.',
        items: [
          'Prenota con almeno 24 ore di anticipo',
          'Evita pasti abbondanti nelle due ore precedenti',
          'Silenzia il telefono e non fissare impegni subito dopo',
          'Segnala prima eventuali condizioni di salute, gravidanza o farmaci',
        ],
      },
      {
        id: 'duringSession',
        icon: 'Wind',
        title: 'Durante la sessione',
        text: 'Ci sediamo, mi racconti come stai e ti spiego la tecnica. Poi ti distendi e respiri in modo circolare, senza pause, con la mia guida.',
        items: [
          'La prima esperienza di respiro dura da 45 a 60 minuti',
          'Nelle sessioni successive si respira da 60 a 90 minuti',
          'Puoi rallentare o fermarti in qualsiasi momento',
          'Si finisce con calma, a respiro naturale',
        ],
      },
      {
        id: 'afterSession',
        icon: 'Coffee',
        title: 'Dopo la sessione',
        text: 'Prenditi qualche minuto prima di rimetterti in movimento: il corpo ha lavorato, anche se da fuori non si vede.',
        items: [
          'Bevi acqua e mangia qualcosa di semplice',
          'Mettiti alla guida solo quando ti senti del tutto presente',
          'Annota due righe su quello che hai sentito',
          'Se hai domande nei giorni seguenti, scrivimi',
        ],
      },
      {
        id: 'expectedBenefits',
        icon: 'Sparkles',
        title: 'Quali benefici puoi notare',
        text: 'Non faccio promesse di risultato. Queste sono le cose che le persone raccontano più spesso.',
        items: [
          'Un respiro più ampio e più facile da ascoltare',
          'Una sensazione di calma e di leggerezza',
          'Più chiarezza su ciò che conta in quel momento',
          'Uno strumento semplice da usare ogni giorno',
        ],
      },
    ],
    note: 'Il Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico e non sostituisce cure o terapie in corso.',
  },
} as const
