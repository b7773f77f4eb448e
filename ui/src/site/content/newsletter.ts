// Content of the screens behind newsletter links, and the texts of newsletters in the
// practitioner's name.

import { block, button, line, optional, paragraphs, sentences } from './schema'

export const newsletter = [
  block(
    'newsletter.screens',
    'Conferma e cancellazione',
    ['/newsletter/{key}'],
    {
      confirmTitle: line('Conferma: titolo', 80),
      confirmText: sentences('Conferma: testo', 400),
      confirmAction: line('Conferma: pulsante', 60),
      confirmedTitle: line('Dopo la conferma: titolo', 80),
      confirmedText: sentences('Dopo la conferma: testo', 400),
      unsubscribeTitle: line('Cancellazione: titolo', 80),
      unsubscribeText: sentences('Cancellazione: testo', 400),
      unsubscribeAction: line('Cancellazione: pulsante', 60),
      unsubscribedTitle: line('Dopo la cancellazione: titolo', 80),
      unsubscribedText: sentences('Dopo la cancellazione: testo', 400),
      ...button('next', 'Pulsante alla fine'),
    },
    {
      confirmTitle: "Conferma l'iscrizione",
      confirmText: 'Premi il pulsante per ricevere la newsletter al tuo indirizzo.',
      confirmAction: "Conferma l'iscrizione",
      confirmedTitle: 'Iscrizione confermata',
      confirmedText:
        'Grazie! Ti scrivo quando esce un nuovo articolo o si apre un nuovo appuntamento. Puoi cancellarti quando vuoi, da ogni e-mail.',
      unsubscribeTitle: "Cancella l'iscrizione",
      unsubscribeText: 'Premi il pulsante per non ricevere più la newsletter.',
      unsubscribeAction: "Cancella l'iscrizione",
      unsubscribedTitle: 'Iscrizione cancellata',
      unsubscribedText:
        "Da questo momento non riceverai più la newsletter. Se cambi idea, puoi iscriverti di nuovo dalla pagina Blog. Se un'e-mail era già partita, può arrivarti ancora quella soltanto.",
      next: 'Vai al blog',
      nextLink: '/blog',
    },
  ),
  block(
    'newsletter.letters',
    'Le e-mail della newsletter',
    ['/newsletter/{key}'],
    {
      welcomeSubject: line('Benvenuto: oggetto', 120),
      welcomeTitle: line('Benvenuto: titolo', 80),
      welcomePreview: line("Benvenuto: riga accanto all'oggetto", 120),
      welcomeText: paragraphs('Benvenuto: testo', 2000),
      welcomeAction: line('Benvenuto: pulsante verso il blog', 60),
      reply: optional(sentences('In fondo: chi risponde', 200)),
      unsubscribe: line('In fondo: link per cancellarsi', 60),
      unsubscribeNote: optional(sentences('In fondo: come ci si cancella', 200)),
    },
    {
      welcomeSubject: {
        text: ['Iscrizione confermata: che cosa riceverai da ', { setting: 'brand' }],
      },
      welcomeTitle: 'Grazie di esserci',
      welcomePreview: 'Che cosa ti scrivo, quando, e come smettere.',
      welcomeText:
        'Ciao,\n\nla tua iscrizione è confermata. Ti scrivo quando esce un nuovo articolo o si apre un nuovo appuntamento, e mai tanto per scrivere.\n\nIn fondo a ogni e-mail c’è il link per cancellarti: un passo solo, senza domande.',
      welcomeAction: 'Leggi il blog',
      reply: 'Puoi rispondere a questa e-mail: la leggo io.',
      unsubscribe: 'Cancella l’iscrizione',
      unsubscribeNote: 'Un passo solo, senza accesso e senza domande.',
    },
  ),
] as const
