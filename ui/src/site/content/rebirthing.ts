// The words of the page about the method.

export const rebirthing = {
  hero: {
    title: "Cos'è il Rebirthing",
    subtitle:
      'Un modo di respirare continuo, morbido e consapevole. Si impara con una guida, si porta con sé ogni giorno.',
    imageAlt: 'Una sala luminosa con materassini pronti per una sessione di respirazione',
  },
  method: {
    title: 'Il metodo',
    paragraphs: [
      "Il Rebirthing è una tecnica di respirazione consapevole nata negli Stati Uniti negli anni Settanta. Il suo gesto di base è il respiro circolare: l'inspirazione e l'espirazione si susseguono senza pause, come un'onda che sale e scende, senza spingere e senza trattenere.",
      "Detto così sembra facile, e in effetti lo è. La parte interessante è quello che succede quando smettiamo di controllare il respiro e cominciamo ad ascoltarlo: il corpo si distende, l'attenzione torna al presente, le emozioni trovano spazio per farsi sentire e per passare.",
      'La parola inglese rebirthing significa «rinascere». A me piace leggerla in modo semplice: ricominciare dal respiro, che è la prima cosa che abbiamo imparato a fare.',
    ],
    steps: {
      title: 'Come si svolge una sessione',
      items: [
        {
          title: 'Ci conosciamo',
          text: 'Mi racconti come stai e che cosa ti porta qui. Verifichiamo insieme che la pratica sia adatta a te.',
        },
        {
          title: 'Impari la tecnica',
          text: 'Ti mostro il respiro circolare e lo proviamo per qualche minuto, con calma, finché ti viene naturale.',
        },
        {
          title: 'Respiri',
          text: 'Ti distendi in una posizione comoda e respiri con continuità. Io resto accanto a te e ti guido con la voce, solo quando serve.',
        },
        {
          title: 'Torni con calma',
          text: "Il respiro rientra nel suo ritmo naturale. Ti riposi e, se lo desideri, mi racconti com'è andata.",
        },
      ],
    },
    prices: { label: 'Vedi servizi e prezzi', href: '/servizi' },
    boundaries: {
      title: 'Che cosa non è',
      text: 'Il Rebirthing non è un trattamento medico né psicoterapeutico, non serve a fare diagnosi e non sostituisce cure o terapie. In caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti o uso di psicofarmaci la pratica è controindicata: parlane prima con il tuo medico.',
      cta: { label: 'Leggi le domande frequenti', href: '/contatti' },
    },
  },
  stress: {
    title: 'Lo stress e il respiro',
    paragraphs: [
      "Quando siamo sotto pressione il respiro è il primo ad accorgersene: sale verso il petto, si fa corto, a volte si ferma. Di solito è anche l'ultima cosa a cui pensiamo.",
      'Lo stress non si cancella con un esercizio, e nessuno dovrebbe prometterlo. Si può però imparare a riconoscerlo prima, a non aggiungere tensione alla tensione, a concedersi una pausa che sia davvero una pausa.',
    ],
    signs: {
      title: 'Segnali da ascoltare',
      items: [
        'Trattieni il fiato mentre leggi un messaggio',
        'Arrivi a sera con le spalle alzate e la mascella stretta',
        'Sospiri spesso senza sapere perché',
        'Fai tre cose insieme e non ne senti nessuna',
      ],
    },
    learnings: {
      title: 'Che cosa impari a fare',
      items: [
        'Accorgerti del respiro mentre la giornata corre',
        'Sciogliere la fretta con pochi minuti di pratica',
        "Riconoscere un'emozione prima che decida per te",
        'Chiudere la giornata e lasciare il lavoro dove sta',
      ],
    },
    note: 'Se lo stress diventa sofferenza, o dura da tempo, rivolgiti al tuo medico o a uno psicologo: questa pratica non può prenderne il posto.',
  },
  flipCardLabels: { showBack: 'Mostra i benefici', showFront: 'Torna al titolo' },
} as const
