// What the links of a newsletter message open.

import { block, button, line, sentences } from './fields'

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
] as const
