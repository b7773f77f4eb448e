// Content of the contact page.

import { block, line, link, list, picture, sentences } from './schema'

export const contatti = [
  block(
    'contatti.hero',
    'Apertura',
    ['/contatti'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: 'Contatti',
      subtitle:
        'Per una domanda, per una prenotazione o solo per capire meglio: scegli il modo che preferisci, ti rispondo di persona.',
    },
  ),
  block(
    'contatti.ways',
    'I modi per scriverti',
    ['/contatti'],
    {
      phoneTitle: line('Telefono: titolo', 60),
      phone: line('Telefono'),
      phoneLink: link('Telefono: dove porta'),
      phoneHint: line('Telefono: indicazione', 120),
      emailTitle: line('E-mail: titolo', 60),
      email: line('E-mail'),
      emailLink: link('E-mail: dove porta'),
      emailHint: line('E-mail: indicazione', 120),
      socialTitle: line('Social: titolo', 60),
      links: list('Link', { label: line('Testo', 80), labelLink: link('Dove porta') }, { max: 8 }),
      socialHint: line('Social: indicazione', 120),
      note: sentences('Nota'),
      empty: line('Finché mancano i recapiti', 160),
    },
    {
      phoneTitle: 'Telefono',
      phone: {
        text: [
          {
            setting: 'phone',
          },
        ],
      },
      phoneLink: {
        setting: 'phone',
      },
      phoneHint: 'Clicca per chiamare',
      emailTitle: 'E-mail',
      email: {
        text: [
          {
            setting: 'email',
          },
        ],
      },
      emailLink: {
        setting: 'email',
      },
      emailHint: 'Clicca per scrivere',
      socialTitle: 'Social e messaggi',
      links: [
        {
          id: 'socialNetwork',
          label: {
            text: [
              {
                either: [
                  [
                    'Seguimi su ',
                    {
                      setting: 'socialName',
                    },
                  ],
                  ['Seguimi sui social'],
                ],
              },
            ],
          },
          labelLink: {
            setting: 'socialUrl',
          },
        },
        {
          id: 'messaging',
          label: 'Scrivimi su WhatsApp',
          labelLink: {
            setting: 'whatsapp',
          },
        },
      ],
      socialHint: 'Si apre in una nuova scheda',
      note: 'La consulenza di 20 minuti è gratuita e senza impegno.',
      empty: 'I recapiti verranno pubblicati presto',
    },
  ),
  block(
    'contatti.faq',
    'Domande frequenti',
    ['/contatti'],
    {
      title: line('Titolo'),
      intro: sentences('Introduzione'),
      items: list(
        'Domande',
        { question: line('Domanda', 200), answer: sentences('Risposta', 2000) },
        { min: 1, max: 40 },
      ),
    },
    {
      title: 'Domande Frequenti',
      intro: "Le risposte alle domande che ricevo più spesso. Se la tua non c'è, scrivimi.",
      items: [
        {
          id: 'whatIsRebirthing',
          question: "Che cos'è il Rebirthing?",
          answer:
            'È una tecnica di respirazione consapevole. Si respira in modo circolare, cioè senza pause tra inspirazione ed espirazione, con una guida accanto. Serve a conoscere il proprio respiro, a rilassarsi e a dare più spazio a ciò che si sente. È una pratica di crescita personale, non una dottrina: non ti viene chiesto di credere in nulla.',
        },
        {
          id: 'isItTherapy',
          question: 'È una terapia?',
          answer:
            'No. Il Rebirthing non è un trattamento medico né psicoterapeutico, non serve a fare diagnosi e non sostituisce cure, farmaci o percorsi con uno specialista. Se stai seguendo una terapia, non interromperla e parla con chi ti segue prima di prenotare.',
        },
        {
          id: 'contraindications',
          question: 'Ci sono controindicazioni?',
          answer:
            'Sì. La pratica è controindicata in caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti e uso di psicofarmaci. Se ti riconosci in una di queste situazioni, o se hai dubbi sulla tua salute, chiedi prima al tuo medico e dimmelo quando mi contatti: ne parliamo con riservatezza.',
        },
        {
          id: 'sessionLength',
          question: 'Quanto dura una sessione?',
          answer:
            'Le sessioni individuali durano da 90 a 120 minuti, di cui da 60 a 90 minuti di respirazione. Il resto del tempo serve per parlare prima e per riposare e condividere dopo. La prima esperienza di respiro è più breve: da 45 a 60 minuti. Le sessioni di gruppo durano circa due ore, i seminari una giornata.',
        },
        {
          id: 'howManySessions',
          question: 'Quante sessioni servono?',
          answer:
            "Dipende da te e da che cosa cerchi. Una sola sessione basta per farsi un'idea. Per imparare bene la tecnica e usarla in autonomia consiglio spesso un ciclo di 10 sessioni, con la cadenza che preferisci. Puoi comunque fermarti quando vuoi.",
        },
        {
          id: 'sensations',
          question: 'Che cosa si prova durante la respirazione?',
          answer:
            "Ogni volta è diverso. Puoi sentire calore o fresco, formicolii alle mani o al viso, leggerezza, voglia di ridere o di piangere, oppure soltanto una grande quiete. Di solito queste sensazioni si attenuano quando il respiro torna naturale. Ti spiego tutto prima, resto con te per l'intera sessione e puoi rallentare o fermarti in ogni momento.",
        },
        {
          id: 'onlineAndHome',
          question: 'Posso fare le sessioni online o a casa mia?',
          answer:
            'Sì, entrambe le cose. Online ci vediamo in videochiamata: ti servono una stanza tranquilla, un posto dove distenderti e il recapito di una persona che possa raggiungerti in caso di bisogno. A domicilio vengo io, in base alla distanza. In ogni caso non praticare mai in acqua né alla guida.',
        },
        {
          id: 'howToBook',
          question: 'Come prenoto e quanto costa?',
          answer:
            "Telefona, scrivi un'e-mail o manda un messaggio, con almeno 24 ore di anticipo. Se vuoi conoscermi prima, c'è una consulenza gratuita di 20 minuti. Una sessione individuale costa 95 €, una di gruppo 45 €, una online 75 €: trovi tutti i prezzi e i pacchetti nella pagina Servizi. Se disdici con meno di 24 ore di preavviso è dovuto il 50% del prezzo.",
        },
      ],
    },
    { hideable: true },
  ),
] as const
