// Texts that several areas of the panel show.

import { answers } from '../../kinds/kinds.gen'
import { counted } from '../../lib/plural'

export const words = {
  title: 'Admin Panel',
  signIn: 'Accedi',
  loading: 'Caricamento...',
  retry: 'Riprova',
  save: 'Salva',
  saveChanges: 'Salva Modifiche',
  otherChoice: 'Un’altra…',
  saving: 'Salvataggio in corso...',
  cancel: 'Annulla',
  undo: 'Annulla',
  failed: 'Qualcosa non ha funzionato. Riprova.',
  network: 'Connessione assente. Controlla la rete e riprova.',
  renewed:
    'Nel frattempo il pannello è stato aggiornato. Ricarica la pagina: quello che hai scritto è al sicuro.',
  reload: 'Ricarica la pagina',
  close: 'Chiudi',
  edit: 'Modifica',
  remove: 'Elimina',
  deleting: 'Eliminazione in corso...',
  required: 'obbligatorio',
  optional: 'facoltativo',
  untitled: 'Senza titolo',
  keptForLater: 'Quello che hai scritto è al sicuro: lo ritrovi quando riapri.',
  problems: {
    count: 'Scrivi un numero intero, per esempio 8, oppure lascia vuoto',
    required: 'Compila questo campo',
    url: 'Inserisci un indirizzo web completo, che inizi con https://',
    email: 'Scrivi un indirizzo completo, per esempio nome@esempio.it',
    price: answers.price,
    slug: 'Usa solo lettere minuscole senza accenti, numeri e trattini',
  },
  urlCompleted: (url: string) => `Indirizzo completato: ${url}`,
  loadError: {
    title: 'Errore nel Caricamento',
    text: "L'elenco non è arrivato. Controlla la connessione e riprova.",
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
    restored: 'È di nuovo al suo posto',
  },
} as const

export function deleteLabel(title: string): string {
  return `Elimina: ${title}`
}

export function starsLabel(count: number): string {
  return counted(count, '1 stella su 5', '{n} stelle su 5')
}
