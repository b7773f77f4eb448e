// Texts of error screens and error messages.

export const errors = {
  blogLoad: {
    title: 'Errore nel Caricamento',
    text: 'Si è verificato un errore nel caricamento degli articoli. Riprova più tardi.',
  },
  eventNotFound: {
    title: 'Evento Non Trovato',
    text: "L'evento che stai cercando non esiste o è stato rimosso.",
    button: { label: 'Torna agli eventi', href: '/eventi' },
  },
  articleNotFound: {
    title: 'Articolo Non Trovato',
    text: "L'articolo che stai cercando non esiste o è stato rimosso.",
    button: { label: 'Torna al blog', href: '/blog' },
  },
  network: 'Connessione assente. Controlla la rete e riprova.',
} as const
