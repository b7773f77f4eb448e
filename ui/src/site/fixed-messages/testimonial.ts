// Texts of the testimonial form behind a personal link. The consent text comes with the page data,
// because the server stores the version that was agreed to.

export const testimonial = {
  documentTitle: 'Racconta com’è stato',
  page: {
    title: 'Racconta com’è stato per te',
    text: 'Questa pagina è solo per te. Quello che scrivi arriva a {practitioner}, che lo legge di persona prima di pubblicarlo.',
    textUnnamed:
      'Questa pagina è solo per te. Quello che scrivi viene letto prima di essere pubblicato.',
    activityLine: 'Hai partecipato a: {activity}',
    expiresLine: 'Il link vale fino {date}.',
    freedomNote:
      'Nessun obbligo e nessun premio: scrivi solo se ti va, e quello che pensi davvero.',
  },
  visibility: {
    publicTitle: 'Che cosa diventa pubblico',
    publicText: [
      'il nome, come lo scrivi tu',
      'la professione, se la indichi',
      'le stelle e il testo',
    ],
    publicNote: 'Sul sito li può leggere chiunque, anche i motori di ricerca.',
    privateTitle: 'Che cosa resta privato',
    privateText: [
      'quando hai scritto e con quale link',
      'a che cosa hai partecipato',
      'il testo del consenso che hai accettato',
    ],
    privateNote: 'Non ti viene chiesto alcun recapito.',
  },
  form: {
    nameLabel: 'Come vuoi firmare',
    namePlaceholder: 'Es. Marta oppure Marta B.',
    nameHint: 'Comparirà così. Va bene anche solo il nome o un’iniziale.',
    professionLabel: 'Professione',
    professionPlaceholder: 'Es. Insegnante',
    professionHint: 'Facoltativa. Se la lasci vuota compare «{fallback}».',
    starsLabel: 'Quante stelle daresti?',
    starsHint: 'Da una a cinque: scegli quelle che pensi.',
    star: '1 stella su 5',
    stars: '{n} stelle su 5',
    bodyLabel: 'Il tuo racconto',
    bodyPlaceholder: 'Che cosa cercavi, che cosa è successo, che cosa ti è rimasto...',
    bodyHint: 'Bastano poche righe. Puoi dire anche che cosa non ti è piaciuto.',
    healthNote:
      'Per favore non scrivere di malattie, diagnosi o farmaci, tuoi o di altri: sono dati delicati e non vengono pubblicati.',
    lengthLine: '{n} di {max} caratteri',
    previewTitle: 'Così apparirà',
    sendAction: 'Invia la testimonianza',
    sendingLine: 'Invio in corso...',
    consentLabel: 'Consenso',
    privacyLink: 'Leggi l’informativa privacy',
  },
  draft: {
    keptNote:
      'Quello che scrivi resta su questo dispositivo finché non lo invii: puoi chiudere e tornare.',
    foundTitle: 'Riprendere da dove eri?',
    foundText: 'Qui c’è quello che avevi cominciato a scrivere.',
    resumeAction: 'Riprendi',
    restartAction: 'Ricomincia',
    clearAction: 'Cancella la bozza da qui',
    clearedToast: 'Bozza cancellata da questo dispositivo',
    noStorageNote:
      'Questo browser non conserva la bozza: prima di chiudere invia o copia il testo.',
  },
  thanks: {
    title: 'Grazie, {name}',
    unnamedTitle: 'Grazie',
    text: 'Le tue parole sono arrivate. Verranno lette con calma; se saranno pubblicate, le troverai nella pagina Testimonianze.',
    change:
      'Vuoi cambiarle o ritirarle? Scrivi a {email} o rispondi al messaggio con cui hai ricevuto il link.',
    changeUnnamed:
      'Vuoi cambiarle o ritirarle? Rispondi al messaggio con cui hai ricevuto il link.',
    siteAction: 'Vai al sito',
  },
  ended: {
    expired: {
      title: 'Il link è scaduto',
      text: 'Valeva 30 giorni. Se vuoi ancora scrivere, rispondi al messaggio con cui l’hai ricevuto: te ne arriva uno nuovo.',
    },
    used: {
      title: 'Hai già scritto',
      text: 'Da questo link una testimonianza è già arrivata: grazie. Per cambiarla rispondi al messaggio con cui l’hai ricevuto.',
    },
    withdrawn: {
      title: 'Testimonianza ritirata',
      text: 'Non è più sul sito e verrà eliminata entro 30 giorni.',
    },
    cancelled: {
      title: 'Il link non vale più',
      text: 'È stato annullato o sostituito. Se vuoi scrivere, rispondi al messaggio con cui l’hai ricevuto.',
    },
    broken: {
      title: 'Il link non è intero',
      text: 'Aprilo di nuovo dal messaggio, oppure copialo tutto fino all’ultimo carattere.',
    },
  },
  left: {
    draftText: 'Quello che avevi scritto è ancora su questo dispositivo:',
    copyAction: 'Copia il testo',
    copiedToast: 'Testo copiato',
    copyByHandToast: 'Il testo è selezionato: copialo da qui',
  },
  withdraw: {
    action: 'Ritira la testimonianza',
    title: 'Ritirare la testimonianza?',
    text: 'Se è pubblicata lascia subito il sito. Non serve un motivo.',
    confirmAction: 'Ritira',
  },
  errors: {
    summary: 'C’è 1 cosa da sistemare.',
    summaryMany: 'Ci sono {n} cose da sistemare.',
    name: 'Scrivi come vuoi firmare.',
    nameLong: 'La firma è troppo lunga: al massimo {max} caratteri.',
    professionLong: 'La professione è troppo lunga: al massimo {max} caratteri.',
    stars: 'Scegli le stelle.',
    body: 'Scrivi almeno una riga.',
    bodyLong: 'Il testo è troppo lungo: al massimo {max} caratteri.',
    consent:
      'Senza il consenso non può essere pubblicata. Se preferisci che resti privata, scrivi a {email}.',
    consentUnnamed: 'Senza il consenso non può essere pubblicata.',
    link: 'Togli gli indirizzi web dal testo.',
    limit: 'Troppi tentativi da qui. Riprova tra 1 minuto: il testo resta.',
    limitMany: 'Troppi tentativi da qui. Riprova tra {minutes} minuti: il testo resta.',
    network: 'Connessione assente. Il testo resta qui: riprova quando torna.',
    server: 'Adesso il sito non riesce a registrarla. Il testo resta qui: riprova tra poco.',
  },
} as const
