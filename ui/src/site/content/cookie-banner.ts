// The words of the cookie banner and its dialog.

export const cookieBanner = {
  storageKey: 'cookie-consent',
  banner: {
    text: 'Il sito usa solo strumenti tecnici; altri, in futuro, solo con il tuo consenso: se chiudi restano i tecnici.',
    policyLink: { label: 'Cookie Policy', href: '/cookies' },
    buttons: {
      necessaryOnly: 'Solo Necessari',
      acceptAll: 'Accetta Tutti',
      customize: 'Personalizza',
    },
    close: 'Chiudi e continua con i soli strumenti necessari',
    regionLabel: 'Informativa breve sui cookie',
  },
  dialog: {
    title: 'Preferenze cookie',
    text: 'Scegli che cosa autorizzare. Puoi cambiare idea in ogni momento dal link «Preferenze cookie» in fondo a ogni pagina.',
    categories: {
      necessary: {
        title: 'Necessari',
        text: "Ricordano le scelte fatte in questo riquadro e proteggono l'accesso all'area riservata a chi gestisce il sito. Sono sempre attivi.",
        lockedLabel: 'Sempre attivi',
      },
      analytics: {
        title: 'Analisi',
        text: 'Servirebbero a capire quali pagine vengono lette. Oggi il sito non ne usa.',
        countedText:
          'Servirebbero a capire quali pagine vengono lette. Oggi il sito non ne usa: conta le visite senza cookie e senza riconoscere nessuno.',
        toggleLabel: 'Autorizza i cookie di analisi',
      },
      marketing: {
        title: 'Marketing',
        text: 'Servirebbero a mostrare contenuti o annunci di altri servizi. Oggi il sito non ne usa.',
        toggleLabel: 'Autorizza i cookie di marketing',
      },
    },
    save: 'Salva preferenze',
    cancel: 'Annulla',
    close: 'Chiudi',
  },
  reopenLabel: 'Preferenze cookie',
} as const
