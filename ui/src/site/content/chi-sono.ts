// The words of the page about the practitioner.

export const chiSono = {
  hero: {
    title: 'Chi Sono',
    subtitle:
      'Insegno a respirare con consapevolezza. Con serietà, con calore e con i piedi per terra.',
    imageAlt: '[[{{practitioner}} durante un seminario||Un momento di un seminario]]',
  },
  biography: {
    // To be confirmed by the practitioner.
    title: 'Una vita a tu per tu con il respiro',
    imageAlt: 'Ritratto[[ di {{practitioner}}]]',
    paragraphs: [
      '[[Mi chiamo {{practitioner}} e insegno||Insegno]] Rebirthing, motivazione e crescita personale in Italia e in Svizzera. Lavoro con chi sente il bisogno di fermarsi un momento, con le aziende che tengono alle persone e con chi, nello sport, sa che la testa e il fiato arrivano al traguardo insieme.',
      "Ho incontrato la respirazione consapevole nel 1987. All'inizio è stata una scoperta personale; poi, un passo alla volta, è diventata un mestiere: studiare, praticare, accompagnare altre persone e tornare a studiare.",
      'Il mio modo di lavorare è concreto. Prima ascolto, poi spiego, poi si respira. Ti dico con chiarezza che cosa puoi aspettarti dal Rebirthing e che cosa non è: non è un trattamento medico né psicoterapeutico. Se quello che cerchi è un altro tipo di aiuto, te lo dico subito.',
      'In questi anni ho imparato che il respiro non ha bisogno di grandi parole. Ha bisogno di tempo, di un luogo tranquillo e di qualcuno che sappia starti accanto senza metterti fretta.',
    ],
    pullQuote: 'Il respiro non ha bisogno di grandi parole. Ha bisogno di tempo.',
  },
  timeline: {
    title: 'Le tappe del mio percorso',
    previous: 'Tappe precedenti',
    next: 'Tappe successive',
    items: [
      {
        // To be confirmed by the practitioner.
        year: '1987',
        title: "L'incontro con il respiro",
        description:
          "La prima esperienza di respirazione consapevole. Nasce una curiosità che non se n'è più andata.",
      },
      {
        // To be confirmed by the practitioner.
        year: '1993',
        title: 'Lo studio diventa impegno',
        description:
          'Comincia un percorso regolare di formazione nel Rebirthing e nella crescita personale.',
      },
      {
        // To be confirmed by the practitioner.
        year: '2004',
        title: 'Le prime sessioni',
        description:
          'La pratica si apre agli altri: prendono forma i primi incontri individuali e di gruppo.',
      },
      {
        // To be confirmed by the practitioner.
        year: '2005/2006',
        title: 'Un biennio di approfondimento',
        description: 'Due anni dedicati al metodo, alla motivazione e alla conduzione dei gruppi.',
      },
      {
        // To be confirmed by the practitioner.
        year: '2009-2018',
        title: "L'esperienza in ospedale",
        description:
          'Incontri di respirazione e di ascolto in ambito ospedaliero, accanto al lavoro del personale sanitario e mai al suo posto.',
      },
      {
        // To be confirmed by the practitioner.
        year: '2014-2015',
        title: 'Nuove qualifiche',
        description:
          "Altri studi e altri attestati, per dare basi sempre più solide all'insegnamento.",
      },
      {
        // To be confirmed by the practitioner.
        year: 'Dal 2019',
        title: 'Formare chi guiderà altri',
        description:
          "L'attività di trainer diventa stabile: insegno il metodo a chi vuole accompagnare altre persone nella pratica.",
      },
      {
        // To be confirmed by the practitioner.
        year: 'Oggi',
        title: 'Tra Italia e Svizzera',
        description:
          'Sessioni, seminari, incontri per aziende e società sportive, e un libro che arriva alla terza edizione.',
      },
    ],
  },
  book: {
    // To be confirmed by the practitioner.
    title: 'Il libro',
    bookTitle: '{{book_title}}',
    imageAlt: 'Copertina del libro[[ {{book_title}}]]',
    paragraphs: [
      'Nel libro ho raccolto quello che insegno nelle sessioni: come funziona il respiro consapevole, da dove cominciare, come portarlo nelle giornate normali, quelle piene di impegni e di imprevisti.',
      'È una lettura pratica, pensata per chi parte da zero e per chi vuole riprendere il filo.',
    ],
    editionNote: '{{book_edition}}',
    links: [
      {
        id: 'bookstore',
        label: 'Acquista nella libreria online',
        href: '{{bookstore_url}}',
        external: true,
      },
      {
        id: 'publisher',
        label: "Acquista dall'editore",
        href: '{{publisher_url}}',
        external: true,
      },
    ],
  },
  experience: {
    title: 'La mia esperienza',
    cards: [
      {
        // To be confirmed by the practitioner.
        id: 'trainer',
        icon: 'GraduationCap',
        title: 'Trainer di Rebirthing',
        text: 'Formo chi desidera guidare altre persone nella respirazione consapevole, con un percorso di oltre 300 ore tra teoria, pratica ed etica del lavoro.',
      },
      {
        // To be confirmed by the practitioner.
        id: 'certifications',
        icon: 'Award',
        title: 'Attestati e aggiornamento',
        text: 'Attestato di Rebirther riconosciuto da [[{{certifying_body}}||un ente di promozione sportiva]] e formazione continua. Esercito la professione ai sensi della legge 14 gennaio 2013, n. 4.',
      },
      {
        // To be confirmed by the practitioner.
        id: 'hospital',
        icon: 'Hospital',
        title: 'Esperienza in ambito ospedaliero',
        text: "Ho proposto incontri di respirazione e di ascolto in ospedale, nel rispetto dei ruoli: l'attività sanitaria resta sempre ai professionisti sanitari.",
      },
      {
        // To be confirmed by the practitioner.
        id: 'currentActivity',
        icon: 'Wind',
        title: 'Attività di oggi',
        text: 'Sessioni individuali, di coppia, di gruppo e online, ritiri, seminari, incontri in azienda e nelle società sportive, tra Italia e Svizzera.',
      },
    ],
  },
} as const
