// Texts that several areas of the panel show.
import { answers } from '../../kinds/kinds.gen'

export const words = {
  title: 'Admin Panel',
  loading: 'Caricamento...',
  retry: 'Riprova',
  save: 'Salva',
  saveChanges: 'Salva Modifiche',
  saving: 'Salvataggio in corso...',
  cancel: 'Annulla',
  undo: 'Annulla',
  network: 'Connessione assente. Controlla la rete e riprova.',
  renewed:
    'Nel frattempo il pannello è stato aggiornato. Ricarica la pagina: quello che hai scritto resta su questo dispositivo.',
  reload: 'Ricarica la pagina',
  close: 'Chiudi',
  edit: 'Modifica',
  remove: 'Elimina',
  deleting: 'Eliminazione in corso...',
  required: 'obbligatorio',
  optional: 'facoltativo',
  untitled: 'Senza titolo',
  keptForLater: 'Il testo non salvato è conservato: lo ritrovi riaprendo.',
  problems: {
    required: 'Compila questo campo',
    url: 'Inserisci un indirizzo web completo, che inizi con https://',
    email: 'Scrivi un indirizzo completo, per esempio nome@esempio.it',
    price: answers.price,
    slug: 'Usa solo lettere minuscole senza accenti, numeri e trattini',
  },
  phoneNumber: {
    read: (number: string) => `Si legge ${number}`,
    try: 'Prova il link',
    newTab: 'si apre in una nuova scheda',
    unclear: answers.countryUnclear,
  },
  urlCompleted: (url: string) => `Indirizzo completato: ${url}`,
  loadError: {
    title: 'Errore nel Caricamento',
    text: "Non è stato possibile leggere l'elenco. Controlla la connessione e riprova.",
  },
  restored: 'Il sito è tornato',
  more: {
    action: 'Mostra altri',
    shown: (shown: number, found: number) => `Ne vedi ${shown} di ${found}.`,
  },
  toasts: {
    upload: 'Errore nel caricamento',
    update: "Errore nell'aggiornamento",
    remove: "Errore nell'eliminazione",
    reorder: 'Errore nel riordino',
    save: 'Errore nel salvataggio',
    noImage: "Seleziona almeno un'immagine",
    ordered: 'Ordine aggiornato!',
    toggled: 'Stato pubblicazione aggiornato!',
    restored: 'Elemento ripristinato',
  },
  auth: {
    title: "Accesso all'Admin Panel",
    text: "Quest'area è riservata a chi gestisce il sito.",
    email: 'E-mail',
    password: 'Password',
    showPassword: 'Mostra la password',
    hidePassword: 'Nascondi la password',
    submit: 'Accedi',
    submitting: 'Accesso in corso...',
    wrong: answers.wrongSignIn,
    tooMany: 'Troppi tentativi. Riprova tra qualche minuto.',
    expired: 'La sessione è scaduta. Accedi di nuovo.',
    logout: 'Esci',
    loggedOut: "Hai effettuato l'uscita",
    back: 'Torna al sito',
    failed: 'Non è stato possibile completare l’operazione. Riprova.',
    setUpUsed: {
      title: "L'accesso esiste già",
      text: 'Questo link vale una volta sola ed è già stato usato. Entra con la tua e-mail e la tua password.',
      action: 'Accedi',
      help: "Non l'hai fatto tu? Chiedi a chi gestisce il server.",
    },
    code: 'Codice di verifica',
    codeHint: 'Le sei cifre dell’app, oppure un codice di recupero.',
  },
} as const

export function deleteLabel(title: string): string {
  return `Elimina: ${title}`
}

export function starsLabel(count: number): string {
  return count === 1 ? '1 stella su 5' : `${count} stelle su 5`
}
