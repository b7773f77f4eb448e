// The screens behind the links of a newsletter message, by the names the program calls them.

const invalid = {
  title: 'Collegamento non valido',
  text: 'Questo collegamento è scaduto o non è intero. Aprilo di nuovo dal messaggio, oppure iscriviti ancora dalla pagina Blog: ne riceverai uno nuovo.',
  button: { label: 'Vai al blog', href: '/blog' },
} as const

export const newsletter = {
  confirm: {
    title: "Conferma l'iscrizione",
    text: 'Premi il pulsante per ricevere la newsletter al tuo indirizzo.',
    action: "Conferma l'iscrizione",
  },
  confirmed: {
    title: 'Iscrizione confermata',
    text: "Grazie! Ti scrivo quando esce un nuovo articolo o si apre un nuovo appuntamento. Puoi cancellarti quando vuoi: il collegamento è nell'e-mail che hai ricevuto.",
    button: { label: 'Vai al blog', href: '/blog' },
  },
  unsubscribe: {
    title: "Cancella l'iscrizione",
    text: 'Premi il pulsante per non ricevere più la newsletter.',
    action: "Cancella l'iscrizione",
  },
  unsubscribed: {
    title: 'Iscrizione cancellata',
    text: 'Non riceverai più la newsletter. Se cambi idea, puoi iscriverti di nuovo dalla pagina Blog.',
    button: { label: 'Vai al blog', href: '/blog' },
  },
  expired: invalid,
  forged: invalid,
} as const
