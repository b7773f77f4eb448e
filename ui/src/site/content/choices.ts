// What a visitor may have chosen before asking: the line that says so, and the message that is ready.
// `{price}` is the price that the card shows, `{detail}` that or an event's date.

export const choices = {
  hint: 'Scrivimi o telefona: il messaggio è già pronto e puoi cambiarlo.',
  change: 'Cambia',
  clear: 'Togli la scelta',
  label: 'La tua scelta',
  whatsapp: 'Scrivimi su WhatsApp',
  email: 'Scrivi un’e-mail',
  call: 'Telefona',
  health:
    'Gravidanza, problemi di salute o farmaci? Non scriverlo qui: ne parliamo a voce, con riservatezza.',
} as const

/** What only the publish reads. */
export const messages = {
  chosen: 'Hai scelto: {title}, {detail}',
  chosenFree: 'Hai scelto: {title}',
  message: 'Ciao, {ask}',
  letter: 'Ciao,\n\n{ask}\n\nNome:\nTelefono:\n\nGrazie\n',
  asks: {
    individual: {
      title: 'Sessione individuale',
      ask: 'vorrei prenotare una sessione individuale ({price}). Quando avresti posto?',
    },
    group: {
      title: 'Sessione di gruppo',
      ask: 'vorrei partecipare a una sessione di gruppo ({price}). Quali sono le prossime date?',
    },
    training: {
      title: 'Formazione per facilitatori',
      ask: 'vorrei ricevere il programma della formazione per facilitatori ({price}).',
    },
    online: {
      title: 'Sessione online',
      ask: 'vorrei prenotare una sessione online ({price}). Quando avresti posto?',
    },
    retreat: {
      title: 'Ritiro nel fine settimana',
      ask: 'vorrei sapere le prossime date del ritiro nel fine settimana ({price}).',
    },
    couple: {
      title: 'Sessione di coppia',
      ask: 'vorrei prenotare una sessione di coppia ({price}). Quando avresti posto?',
    },
    base: {
      title: 'Pacchetto Base',
      ask: 'mi interessa il pacchetto Base ({price}), con 3 sessioni individuali. Come si comincia?',
    },
    complete: {
      title: 'Pacchetto Completo',
      ask: 'mi interessa il pacchetto Completo ({price}), con 10 sessioni. Come si comincia?',
    },
    intensive: {
      title: 'Percorso Intensivo',
      ask: 'mi interessa il percorso Intensivo di 3 mesi ({price}). Come si comincia?',
    },
    freeConsultation: {
      title: 'Consulenza gratuita, 20 minuti',
      ask: 'vorrei fissare la consulenza gratuita di 20 minuti. Quando possiamo sentirci?',
    },
    atHome: {
      title: 'Sessione a domicilio',
      ask: 'vorrei una sessione a domicilio. Mi puoi dire disponibilità e prezzo? Il mio comune è:',
    },
    seminars: {
      title: 'Seminario di una giornata',
      ask: 'vorrei sapere le prossime date e i prezzi dei seminari.',
    },
    business: {
      title: 'Incontri per aziende',
      ask: 'vorrei un preventivo per un incontro in azienda. Quanti siamo e dove:',
    },
    sport: {
      title: 'Incontri per lo sport',
      ask: 'vorrei informazioni sugli incontri per chi fa sport. Chi siamo:',
    },
    certificate: {
      title: 'Attestato di Rebirther',
      ask: 'vorrei informazioni sull’attestato di Rebirther.',
    },
  },
  event: {
    subject: 'Partecipo: {title}',
    ask: 'vorrei partecipare a «{title}», {date}. C’è ancora posto?',
    undatedAsk: 'vorrei partecipare a «{title}». C’è ancora posto?',
    letter: 'Ciao,\n\n{ask}\n\nNome:\nIn quanti siamo:\nTelefono:\n\nGrazie\n',
  },
} as const
