// The words of the home page.

export const home = {
  hero: {
    title: 'Rebirthing: Respirare bene per vivere meglio!',
    subtitle:
      'Una tecnica di respirazione consapevole, da imparare con calma e da portare con te ogni giorno.',
    who: '[[{{practitioner}} · {{towns}}||{{practitioner}}||{{brand}} · {{towns}}||{{towns}}]]',
    cta: { label: 'Scopri il Rebirthing', href: '/rebirthing' },
    consultation: { label: 'Consulenza gratuita, 20 minuti', href: '/contatti' },
    slides: [
      {
        id: 'slide1',
        imageAlt: 'Una persona distesa respira a occhi chiusi in una stanza luminosa',
      },
      { id: 'slide2', imageAlt: "Luce del mattino sull'acqua calma di un lago" },
    ],
    dotsLabel: "Scegli l'immagine",
    dotLabel: "Mostra l'immagine {n} di {total}",
    pause: 'Ferma lo scorrimento delle immagini',
    play: 'Riprendi lo scorrimento delle immagini',
  },
  intro: {
    title: 'Respiri circa ventimila volte al giorno. Di quante ti accorgi?',
    paragraphs: [
      'Il respiro lavora per te anche quando non ci pensi. Si accorcia quando hai fretta, si ferma quando qualcosa ti sorprende, si apre quando ridi. Il Rebirthing comincia da qui: imparare ad ascoltarlo e lasciarlo scorrere, senza pause e senza sforzo.',
      'È una pratica semplice, che si impara con una guida accanto e che poi resta tua: a casa, al lavoro, prima di una gara o di una giornata impegnativa.',
    ],
    note: 'Il Rebirthing è una pratica di crescita personale: non è un trattamento medico né psicoterapeutico e non li sostituisce.',
  },
  practitioner: {
    title: 'Piacere di conoscerti',
    paragraphs: [
      '[[Sono {{practitioner}} e insegno||Insegno]] Rebirthing, motivazione e crescita personale in Italia e in Svizzera.',
      "Lavoro con chi cerca un momento per sé, con le aziende e con chi fa sport. Il principio è sempre lo stesso: nessuno può respirare al posto tuo, ma imparare è più facile se al tuo fianco c'è una guida esperta.",
    ],
    imageAlt: 'Ritratto[[ di {{practitioner}}]]',
    cta: { label: 'Leggi la mia storia', href: '/chi-sono' },
    prices: { label: 'Servizi e prezzi', href: '/servizi' },
  },
  audiences: {
    title: 'Il respiro, anche al lavoro e in campo',
    cards: [
      {
        id: 'business',
        title: 'Per le aziende',
        text: 'Incontri pratici per i gruppi di lavoro: pause che ricaricano davvero, riunioni più lucide e un modo concreto di affrontare i periodi intensi.',
        icon: 'Building2',
        cta: { label: 'Scopri le proposte per le aziende', href: '/rebirthing#aziende' },
      },
      {
        id: 'sport',
        title: 'Per lo sport',
        text: 'Un allenamento in più, quello del respiro: per arrivare alla gara con la testa libera e ritrovare il ritmo dopo lo sforzo, a livello individuale o di squadra.',
        icon: 'Trophy',
        cta: { label: 'Scopri le proposte per lo sport', href: '/rebirthing#sport' },
      },
    ],
  },
  testimonial: {
    // To be confirmed by the practitioner.
    title: 'Dicono di questo lavoro',
    quote:
      'Ho provato il Rebirthing per curiosità e sono tornata per me. Ho trovato un lavoro serio sul respiro, confini chiari e una guida che sa quando parlare e quando lasciare spazio al silenzio.',
    author: 'una psicologa',
    cta: { label: 'Leggi le altre testimonianze', href: '/testimonianze' },
  },
} as const
