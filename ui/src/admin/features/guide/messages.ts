// Texts around the guide.
export const guideMessages = {
  text: 'Si apre da ogni schermata con «?» oppure con il tasto F1.',
  find: 'Cerca nella guida',
  placeholder: 'Che cosa vuoi fare?',
  whole: 'Tutta la guida, da leggere o stampare (si apre in una nuova scheda)',
  print: 'Stampa',
  here: 'Per questa schermata',
  others: 'Tutto il resto',
  countOne: '1 risposta',
  count: '{n} risposte',
  none: 'Niente per «{query}». Prova con una parola sola.',
} as const
