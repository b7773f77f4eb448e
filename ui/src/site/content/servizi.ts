// Content of the services page: offers and prices.

import {
  amount,
  block,
  button,
  choice,
  entry,
  integer,
  line,
  list,
  optional,
  picture,
  sentences,
} from './schema'
import { icon } from './shared-fields'

export const servizi = [
  block(
    'servizi.hero',
    'Apertura',
    ['/servizi'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: 'I Nostri Servizi',
      subtitle:
        'A tu per tu, in coppia, in gruppo o a distanza: scegli la formula che si adatta al tuo momento.',
    },
  ),
  block(
    'servizi.offers',
    'I servizi',
    ['/servizi'],
    {
      intro: sentences('Introduzione'),
      offers: list(
        'Servizi',
        {
          icon: icon(),
          color: choice('Colore', ['primary', 'secondary', 'accent']),
          title: line('Titolo', 60),
          price: amount('Prezzo'),
          priceNote: optional(line('Nota sul prezzo', 60)),
          description: sentences('Descrizione'),
          features: list('Che cosa comprende', { text: line('Riga', 160) }, { max: 12 }),
          ...button('cta', 'Pulsante'),
        },
        { min: 1, max: 12 },
      ),
    },
    {
      intro:
        'Ogni proposta ha un prezzo chiaro e una durata definita. Se non sai da quale cominciare, partiamo dalla consulenza gratuita di 20 minuti: mi racconti che cosa cerchi e ti dico con franchezza se posso esserti utile.',
      offers: [
        {
          id: 'individual',
          icon: 'User',
          color: 'primary',
          title: 'Sessioni individuali',
          price: {
            cents: 9500,
            currency: 'EUR',
          },
          priceNote: 'a sessione',
          description:
            'Un incontro tutto per te, a tu per tu, per imparare il respiro circolare e trovare il tuo ritmo.',
          features: [
            {
              id: '1',
              text: 'Durata: 1,5-2 ore',
            },
            {
              id: '2',
              text: 'Colloquio di apertura e condivisione finale',
            },
            {
              id: '3',
              text: "Respirazione guidata dall'inizio alla fine",
            },
            {
              id: '4',
              text: 'Indicazioni semplici per continuare a casa',
            },
          ],
          cta: 'Prenota una sessione',
          ctaLink: '/contatti?servizio=individual',
        },
        {
          id: 'group',
          icon: 'Users',
          color: 'secondary',
          title: 'Sessioni di gruppo',
          price: {
            cents: 4500,
            currency: 'EUR',
          },
          priceNote: 'a persona',
          description:
            'Respirare insieme ad altre persone, ognuno con il proprio passo, in un gruppo piccolo e accogliente.',
          features: [
            {
              id: '1',
              text: 'Massimo 8 persone',
            },
            {
              id: '2',
              text: 'Durata: circa 2 ore',
            },
            {
              id: '3',
              text: 'Spiegazione iniziale anche per chi è alla prima volta',
            },
            {
              id: '4',
              text: 'Condivisione finale libera, mai obbligatoria',
            },
          ],
          cta: 'Unisciti al gruppo',
          ctaLink: '/contatti?servizio=group',
        },
        {
          id: 'training',
          icon: 'GraduationCap',
          color: 'accent',
          title: 'Formazione per facilitatori',
          price: {
            cents: 250000,
            currency: 'EUR',
          },
          priceNote: 'percorso completo',
          description:
            'Un percorso professionale per chi vuole guidare altre persone nel Rebirthing con competenza e responsabilità.',
          features: [
            {
              id: '1',
              text: '300+ ore di formazione',
            },
            {
              id: '2',
              text: 'Pratica personale, teoria e conduzione',
            },
            {
              id: '3',
              text: 'Sicurezza, limiti della pratica ed etica professionale',
            },
            {
              id: '4',
              text: 'Attestato di Rebirther a fine percorso',
            },
          ],
          cta: 'Chiedi il programma',
          ctaLink: '/contatti?servizio=training',
        },
        {
          id: 'online',
          icon: 'Video',
          color: 'primary',
          title: 'Sessioni online',
          price: {
            cents: 7500,
            currency: 'EUR',
          },
          priceNote: 'a sessione',
          description:
            'La stessa attenzione di un incontro dal vivo, nella tranquillità di casa tua e ovunque ti trovi.',
          features: [
            {
              id: '1',
              text: 'In videochiamata',
            },
            {
              id: '2',
              text: 'Ti spiego prima come preparare la stanza',
            },
            {
              id: '3',
              text: 'Presenza continua per tutta la sessione',
            },
            {
              id: '4',
              text: "Orari da concordare, anche se vivi all'estero",
            },
          ],
          cta: 'Prenota online',
          ctaLink: '/contatti?servizio=online',
        },
        {
          id: 'retreat',
          icon: 'Mountain',
          color: 'secondary',
          title: 'Ritiri nel fine settimana',
          price: {
            cents: 45000,
            currency: 'EUR',
          },
          priceNote: 'a persona',
          description:
            'Due giorni lontano dal rumore, per dedicare al respiro tutto il tempo che di solito manca.',
          features: [
            {
              id: '1',
              text: '2 giorni, pasti inclusi',
            },
            {
              id: '2',
              text: 'Più sessioni di respirazione di gruppo',
            },
            {
              id: '3',
              text: "Momenti di silenzio e passeggiate all'aperto",
            },
            {
              id: '4',
              text: 'Esercizi da portare nella settimana che segue',
            },
          ],
          cta: 'Chiedi le prossime date',
          ctaLink: '/contatti?servizio=retreat',
        },
        {
          id: 'couple',
          icon: 'HeartHandshake',
          color: 'accent',
          title: 'Sessioni di coppia',
          price: {
            cents: 16000,
            currency: 'EUR',
          },
          priceNote: 'per la coppia',
          description: 'Uno spazio a due per respirare fianco a fianco e ascoltarsi con più calma.',
          features: [
            {
              id: '1',
              text: 'Sessione riservata a due persone',
            },
            {
              id: '2',
              text: 'Respirazione guidata per entrambi',
            },
            {
              id: '3',
              text: 'Tempo per la condivisione, nel rispetto di ciascuno',
            },
            {
              id: '4',
              text: 'Un esercizio da fare insieme a casa',
            },
          ],
          cta: 'Prenota per due',
          ctaLink: '/contatti?servizio=couple',
        },
      ],
    },
  ),
  block(
    'servizi.more',
    'E se ti serve altro',
    ['/servizi'],
    {
      title: line('Titolo'),
      items: list(
        'Altre proposte',
        { icon: icon(), title: line('Titolo', 60), text: sentences('Testo') },
        { min: 1, max: 12 },
      ),
    },
    {
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
    { hideable: true },
  ),
  block(
    'servizi.expectations',
    'Cosa aspettarti',
    ['/servizi'],
    {
      title: line('Titolo'),
      intro: sentences('Introduzione'),
      blocks: list(
        'Parti',
        {
          icon: icon(),
          title: line('Titolo', 60),
          text: sentences('Testo'),
          items: list('Righe', { text: line('Riga', 160) }, { max: 12 }),
        },
        { min: 1, max: 12 },
      ),
      note: optional(sentences('Nota')),
    },
    {
      title: 'Cosa Aspettarti dalle Sessioni',
      intro: 'Sapere come funziona aiuta a rilassarsi prima ancora di cominciare.',
      blocks: [
        {
          id: 'preparation',
          icon: 'ClipboardList',
          title: 'Come prepararti',
          text: 'Bastano abiti comodi, uno stomaco leggero e qualche minuto di anticipo.',
          items: [
            {
              id: '1',
              text: 'Prenota con almeno 24 ore di anticipo',
            },
            {
              id: '2',
              text: 'Evita pasti abbondanti nelle due ore precedenti',
            },
            {
              id: '3',
              text: 'Silenzia il telefono e non fissare impegni subito dopo',
            },
            {
              id: '4',
              text: 'Segnala prima eventuali condizioni di salute, gravidanza o farmaci',
            },
          ],
        },
        {
          id: 'duringSession',
          icon: 'Wind',
          title: 'Durante la sessione',
          text: 'Ci sediamo, mi racconti come stai e ti spiego la tecnica. Poi ti distendi e respiri in modo circolare, senza pause, con la mia guida.',
          items: [
            {
              id: '1',
              text: 'La prima esperienza di respiro dura da 45 a 60 minuti',
            },
            {
              id: '2',
              text: 'Nelle sessioni successive si respira da 60 a 90 minuti',
            },
            {
              id: '3',
              text: 'Puoi rallentare o fermarti in qualsiasi momento',
            },
            {
              id: '4',
              text: 'Si finisce con calma, a respiro naturale',
            },
          ],
        },
        {
          id: 'afterSession',
          icon: 'Coffee',
          title: 'Dopo la sessione',
          text: 'Prenditi qualche minuto prima di rimetterti in movimento: il corpo ha lavorato, anche se da fuori non si vede.',
          items: [
            {
              id: '1',
              text: 'Bevi acqua e mangia qualcosa di semplice',
            },
            {
              id: '2',
              text: 'Mettiti alla guida solo quando ti senti del tutto presente',
            },
            {
              id: '3',
              text: 'Annota due righe su quello che hai sentito',
            },
            {
              id: '4',
              text: 'Se hai domande nei giorni seguenti, scrivimi',
            },
          ],
        },
        {
          id: 'expectedBenefits',
          icon: 'Sparkles',
          title: 'Quali benefici puoi notare',
          text: 'Non faccio promesse di risultato. Queste sono le cose che le persone raccontano più spesso.',
          items: [
            {
              id: '1',
              text: 'Un respiro più ampio e più facile da ascoltare',
            },
            {
              id: '2',
              text: 'Una sensazione di calma e di leggerezza',
            },
            {
              id: '3',
              text: 'Più chiarezza su ciò che conta in quel momento',
            },
            {
              id: '4',
              text: 'Uno strumento semplice da usare ogni giorno',
            },
          ],
        },
      ],
      note: 'Il Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico e non sostituisce cure o terapie in corso.',
    },
    { hideable: true },
  ),
  block(
    'pricing.packages',
    'Pacchetti e prezzi',
    ['/servizi'],
    {
      title: line('Titolo'),
      intro: sentences('Introduzione'),
      savingLabel: line('Parola prima del risparmio', 60),
      sumLabel: line('Parole prima della somma', 120),
      packages: list(
        'Pacchetti',
        {
          color: choice('Colore', ['primary', 'secondary', 'accent']),
          badge: optional(line('Etichetta in evidenza', 40)),
          title: line('Titolo', 60),
          price: amount('Prezzo'),
          compare: choice('Confronto', ['saving', 'sum', 'none']),
          saving: optional(line('Risparmio con parole tue', 80)),
          parts: list(
            'Che cosa conta nel confronto',
            {
              offer: entry('Servizio', 'servizi.offers:offers'),
              count: integer('Quante volte', 1, 99),
            },
            { max: 6 },
          ),
          description: sentences('Descrizione'),
          features: list('Che cosa comprende', { text: line('Riga', 160) }, { max: 12 }),
          ...button('cta', 'Pulsante'),
        },
        { min: 1, max: 6 },
      ),
    },
    {
      title: 'Pacchetti e Prezzi',
      intro:
        'Il respiro si allena con la continuità. Per questo chi sceglie un percorso spende meno rispetto alle singole sessioni.',
      savingLabel: 'Risparmi',
      sumLabel: 'Prese una per una, le sue parti costano',
      packages: [
        {
          id: 'base',
          color: 'primary',
          title: 'Base',
          price: {
            cents: 27000,
            currency: 'EUR',
          },
          compare: 'saving',
          parts: [
            {
              id: '1',
              offer: 'individual',
              count: 3,
            },
          ],
          description: 'Per provare davvero, senza fermarsi alla prima impressione.',
          features: [
            {
              id: '1',
              text: '3 sessioni individuali da 90 minuti',
            },
            {
              id: '2',
              text: '90 € a sessione invece di 95 €',
            },
            {
              id: '3',
              text: 'Indicazioni per la pratica a casa',
            },
          ],
          cta: 'Scegli Base',
          ctaLink: '/contatti?servizio=base',
        },
        {
          id: 'complete',
          color: 'secondary',
          badge: 'Più popolare',
          title: 'Completo',
          price: {
            cents: 85000,
            currency: 'EUR',
          },
          compare: 'saving',
          parts: [
            {
              id: '1',
              offer: 'individual',
              count: 10,
            },
          ],
          description:
            "Il ciclo che consiglio spesso, per dare al respiro il tempo di diventare un'abitudine.",
          features: [
            {
              id: '1',
              text: '10 sessioni da 90 minuti',
            },
            {
              id: '2',
              text: '85 € a sessione invece di 95 €',
            },
            {
              id: '3',
              text: 'Un percorso costruito passo dopo passo',
            },
          ],
          cta: 'Scegli Completo',
          ctaLink: '/contatti?servizio=complete',
        },
        {
          id: 'intensive',
          color: 'accent',
          title: 'Intensivo',
          price: {
            cents: 120000,
            currency: 'EUR',
          },
          compare: 'sum',
          parts: [
            {
              id: '1',
              offer: 'individual',
              count: 12,
            },
            {
              id: '2',
              offer: 'group',
              count: 2,
            },
            {
              id: '3',
              offer: 'retreat',
              count: 1,
            },
          ],
          description:
            'Un percorso di 3 mesi per chi vuole dare alla pratica un posto stabile nella propria vita.',
          features: [
            {
              id: '1',
              text: '12 sessioni individuali',
            },
            {
              id: '2',
              text: '2 sessioni di gruppo',
            },
            {
              id: '3',
              text: '1 ritiro nel fine settimana',
            },
            {
              id: '4',
              text: 'Attestato di completamento',
            },
          ],
          cta: 'Scegli Intensivo',
          ctaLink: '/contatti?servizio=intensive',
        },
      ],
    },
  ),
  block(
    'pricing.notes',
    'Note sui prezzi',
    ['/servizi'],
    {
      durationsTitle: line('Titolo'),
      durations: sentences('Testo', 800),
      notes: list('Note', { text: sentences('Nota', 400) }, { max: 12 }),
    },
    {
      durationsTitle: 'Perché le durate cambiano',
      durations:
        '«Circa un’ora» è il tempo del respiro: con il colloquio prima e il riposo dopo, una sessione individuale dura da un’ora e mezza a due ore, e 90 minuti nei pacchetti.',
      notes: [
        {
          id: '1',
          text: 'I prezzi sono finali e comprendono ogni imposta dovuta.',
        },
        {
          id: '2',
          text: "L'attestato di completamento del percorso Intensivo conferma la partecipazione: non è un titolo professionale.",
        },
        {
          id: '3',
          text: 'Per disdire basta un messaggio almeno 24 ore prima. Oltre questo termine è dovuto il 50% del prezzo della sessione.',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'pricing.consultation',
    'Consulenza gratuita',
    ['/servizi'],
    { title: line('Titolo'), text: sentences('Testo'), ...button('cta', 'Pulsante') },
    {
      title: 'Hai 20 minuti?',
      text: 'La consulenza di 20 minuti è gratuita e senza impegno: parliamo di te, della pratica e della formula più adatta.',
      cta: 'Chiedi la consulenza gratuita',
      ctaLink: '/contatti?servizio=freeConsultation',
    },
    { hideable: true },
  ),
] as const
