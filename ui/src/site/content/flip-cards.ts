// The two sections with flip cards: companies and sport.

export const business = {
  anchor: 'aziende',
  title: 'Rebirthing per le aziende',
  paragraphs: [
    "Un'azienda è fatta di persone che respirano nella stessa stanza, o davanti allo stesso schermo. Gli incontri portano nel luogo di lavoro strumenti essenziali, da usare tra una riunione e l'altra, senza abbigliamento sportivo e senza parole difficili.",
    'Si può cominciare con un incontro di prova, proseguire con un ciclo o dedicare una giornata intera a un gruppo. Formato e durata si costruiscono insieme.',
  ],
  imageAlt: 'Un gruppo di lavoro seduto in cerchio durante una pausa di respirazione',
  flipCards: [
    {
      id: 'people',
      icon: 'UserCheck',
      front: {
        title: 'Per le persone',
        text: 'Strumenti semplici per vivere meglio la giornata di lavoro.',
      },
      back: {
        title: 'Che cosa portano a casa',
        items: [
          'Pause brevi che lasciano il segno',
          'Più attenzione su un compito alla volta',
          'Un modo concreto di gestire i picchi di lavoro',
          'Un confine più netto tra ufficio e vita privata',
        ],
      },
    },
    {
      id: 'team',
      icon: 'UsersRound',
      front: { title: 'Per il gruppo', text: "Un'esperienza condivisa che migliora l'ascolto." },
      back: {
        title: 'Che cosa cambia insieme',
        items: [
          'Riunioni che cominciano con la testa presente',
          'Più ascolto e meno interruzioni',
          'Un linguaggio comune per dire come si sta',
          'Un momento di incontro fuori dai ruoli',
        ],
      },
    },
    {
      id: 'company',
      icon: 'Building2',
      front: {
        title: "Per l'azienda",
        text: 'Un segno di attenzione concreto, facile da organizzare.',
      },
      back: {
        title: "Che cosa offre l'iniziativa",
        items: [
          'Incontri in sede o in videochiamata',
          'Programma costruito sulle esigenze del gruppo',
          'Nessuna attrezzatura particolare richiesta',
          "Un'idea in più per le giornate dedicate al benessere",
        ],
      },
    },
  ],
  note: 'Gli incontri in azienda sono attività formative e di benessere: non sostituiscono gli adempimenti in materia di salute e sicurezza sul lavoro.',
  cta: { label: 'Chiedi una proposta per la tua azienda', href: '/contatti' },
} as const

export const sport = {
  anchor: 'sport',
  title: 'Rebirthing per lo sport',
  paragraphs: [
    'Chi fa sport allena muscoli, tecnica e tattica. Il respiro, che tiene insieme tutto, spesso resta fuori dal programma. Eppure è lì che si sente per prima la tensione della gara, ed è da lì che si può ricominciare.',
    "Lavoro con atleti, squadre e società sportive, accanto allo staff tecnico e mai al suo posto. Si respira all'asciutto, lontano dalla prestazione, per conoscere il proprio ritmo e ritrovarlo quando conta.",
  ],
  imageAlt: "Un'atleta a occhi chiusi prima della partenza",
  flipCards: [
    {
      id: 'athlete',
      icon: 'Medal',
      front: { title: 'Per chi gareggia', text: 'Arrivare alla partenza con la testa libera.' },
      back: {
        title: 'Che cosa si allena',
        items: [
          'Ascolto del proprio ritmo di respiro',
          'Concentrazione nei minuti prima della gara',
          'Capacità di voltare pagina dopo un errore',
          'Un ritorno graduale alla calma dopo lo sforzo',
        ],
      },
    },
    {
      id: 'sportsTeam',
      icon: 'Trophy',
      front: {
        title: 'Per la squadra',
        text: 'Trovare un ritmo comune, dentro e fuori dal campo.',
      },
      back: {
        title: 'Che cosa cresce insieme',
        items: [
          'Fiducia reciproca nello spogliatoio',
          'Un rituale comune prima della partita',
          'Più lucidità nei momenti decisivi',
          'Un modo sano di parlare di pressione e di emozioni',
        ],
      },
    },
    {
      id: 'coach',
      icon: 'ClipboardCheck',
      front: { title: 'Per chi allena', text: 'Uno strumento in più da inserire nel programma.' },
      back: {
        title: 'Che cosa si aggiunge',
        items: [
          'Esercizi brevi, adatti al riscaldamento',
          'Indicazioni chiare su quando usarli e quando no',
          'Incontri pensati insieme allo staff tecnico',
          "Un'occasione per osservare il gruppo con altri occhi",
        ],
      },
    },
  ],
  note: 'La pratica affianca la preparazione atletica e non sostituisce le indicazioni del medico sportivo. Non si pratica mai in acqua né alla guida.',
  cta: { label: 'Chiedi una proposta per la tua squadra', href: '/contatti' },
} as const
