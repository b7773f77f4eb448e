// The words of the panel that belong to no kind of content.
import { answers, limits } from '../../kinds/kinds.gen'

export const words = {
  title: 'Admin Panel',
  subtitle: 'Gestisci i contenuti del sito. Le modifiche pubblicate sono visibili subito.',
  viewSite: 'Vai al sito',
  tabs: 'Sezioni del pannello',
  areas: 'Aree del pannello',
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
  newsletterFrom: 'Scrivi una newsletter da qui',
  sheet: {
    undo: 'Annulla (Ctrl+Z)',
    redo: 'Ripeti (Ctrl+Maiusc+Z)',
    kept: 'Conservato qui alle {time}',
    sideHide: 'Nascondi il pannello',
    sideShow: 'Mostra il pannello',
  },
  order: 'Ordine',
  keptForLater: 'Il testo non salvato è conservato: lo ritrovi riaprendo.',
  unsaved: 'Ci sono modifiche non salvate. Vuoi chiudere senza salvare?',
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
  move: {
    title: 'Sposta nell’elenco',
    label: (title: string, total: number) => `Posizione di «${title}» (sono ${total})`,
    wrong: (total: number) => `Scrivi un numero da 1 a ${total}`,
    action: 'Sposta',
  },
  restored: 'Il sito è tornato',
  more: {
    action: 'Mostra altri',
    shown: (shown: number, found: number) => `Ne vedi ${shown} di ${found}.`,
  },
  staleList: "Non è stato possibile rileggere l'elenco: quello che vedi può non essere aggiornato.",
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
  upload: {
    touch: 'Scegli dalle foto',
    drop: 'Trascina qui le immagini',
    or: 'oppure',
    choose: 'selezionale dal dispositivo',
    hint: `Solo immagini, massimo ${limits.uploadBytesMax / 1024 ** 2} MB ciascuna.`,
    veil: 'Rilascia per caricare',
    replace: 'Sostituisci immagine',
    add: "Seleziona un'immagine",
    take: 'Togli immagine',
    resume: 'Riprendi il caricamento',
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

export function moveUpLabel(title: string): string {
  return `Sposta su: ${title}`
}

export function moveDownLabel(title: string): string {
  return `Sposta giù: ${title}`
}

export function dragLabel(title: string): string {
  return `Trascina per riordinare: ${title}`
}

export function editLabel(title: string): string {
  return `Modifica: ${title}`
}

export function deleteLabel(title: string): string {
  return `Elimina: ${title}`
}

export function starsLabel(count: number): string {
  return count === 1 ? '1 stella su 5' : `${count} stelle su 5`
}
