// The two cards of benefits on the home page and what their dialogs list.

export const benefits = {
  sectionTitle: 'I benefici di un respiro consapevole',
  sectionText:
    'Sono gli aspetti che chi pratica racconta più spesso. Ogni esperienza è personale: leggili come spunti, non come promesse.',
  openLabel: 'Scopri i benefici',
  closeLabel: 'Chiudi',
  modalNote:
    "Aspetti raccontati da chi pratica con continuità. L'esperienza cambia da persona a persona e non è una promessa di risultato. Il Rebirthing non è un trattamento medico né psicoterapeutico.",
  cards: [
    {
      id: 'physical',
      title: 'FISICI',
      subtitle: 'Quello che senti nel corpo',
      icon: 'PersonStanding',
      modalTitle: 'Benefici fisici',
      modalIntro:
        'Respirare in modo ampio e continuo è, prima di tutto, un gesto del corpo. Ecco che cosa può capitare di notare.',
      items: [
        'Un respiro più ampio e regolare',
        'Un diaframma più libero di muoversi',
        'Spalle, collo e mascella meno contratti',
        'Una postura più aperta e naturale',
        'Una sensazione di leggerezza dopo la sessione',
        "Un'energia più stabile nel corso della giornata",
        'Un recupero più dolce dopo uno sforzo',
        'Un passaggio più morbido dalla giornata al riposo',
        'Una voce più piena, sostenuta dal fiato',
        'Un ascolto più attento dei segnali del corpo',
      ],
    },
    {
      id: 'mental',
      title: 'MENTALI',
      subtitle: 'Quello che cambia nello sguardo',
      icon: 'Brain',
      modalTitle: 'Benefici mentali',
      modalIntro:
        'Quando il respiro trova il suo ritmo, anche i pensieri smettono di correre. Ecco che cosa può capitare di notare.',
      items: [
        'Una calma più facile da ritrovare nei momenti intensi',
        "Una mente più lucida quando c'è da decidere",
        "Un'attenzione più salda, una cosa alla volta",
        'Più spazio tra ciò che accade e come rispondi',
        'Più confidenza con le tue emozioni',
        'Più fiducia nelle tue risorse',
        'Una motivazione più chiara verso un obiettivo',
        'Più creatività e più spazio per le idee',
        'Una presenza più piena nelle relazioni',
      ],
    },
  ],
} as const
