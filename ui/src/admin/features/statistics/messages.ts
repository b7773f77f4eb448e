// Italian strings of the visit statistics.
import { withArticle } from '../../../lib/date-article'

export const statisticsMessages = {
  title: 'Visite',
  text: 'Quante persone passano dal sito, da dove arrivano e che cosa leggono. Senza cookie e senza riconoscere nessuno.',
  updated: 'Aggiornato un minuto fa o meno.',
  period: 'Periodo',
  periods: { days: 'Ultimi 30 giorni', months: 'Ultimi 12 mesi' },
  cards: {
    views: 'Pagine aperte',
    visitors: 'Visitatori',
    visitorsHint: 'Contati giorno per giorno: chi torna un altro giorno conta di nuovo.',
    contacts: 'Quanti ti hanno scritto',
    contactsHint:
      'Quante volte sono stati premuti telefono, e-mail e messaggi. Non sempre poi parte un messaggio.',
    more: (change: string) => `${change}% in più del periodo prima`,
    less: (change: string) => `${change}% in meno del periodo prima`,
    same: 'Come nel periodo prima',
    none: 'Ancora senza confronto',
  },
  charts: {
    days: 'Giorno per giorno',
    months: 'Mese per mese',
    sources: 'Da dove arrivano',
    pages: 'Che cosa leggono',
    events: 'Gli eventi più guardati',
    contacts: 'Quanti ti hanno scritto',
    asTable: 'Mostra come tabella',
    asChart: 'Mostra come grafico',
    aria: {
      days: 'Grafico delle visite degli ultimi 30 giorni',
      months: 'Grafico delle visite degli ultimi 12 mesi',
    },
    all: 'Mostra tutto',
    less: 'Mostra meno',
  },
  table: {
    day: 'Giorno',
    month: 'Mese',
    views: 'Pagine aperte',
    visitors: 'Visitatori',
    source: 'Provenienza',
    page: 'Pagina',
    event: 'Evento',
    phone: 'Telefono',
    // A non-breaking hyphen: the column is narrow.
    email: 'E‑mail',
    messages: 'Messaggi',
    captions: {
      days: 'Visite degli ultimi 30 giorni',
      months: 'Visite degli ultimi 12 mesi',
    },
    csv: 'Scarica la tabella',
  },
  names: {
    direct: 'Indirizzo scritto o messaggio',
    directHint:
      'Chi scrive l’indirizzo, lo tiene tra i preferiti o lo apre da un messaggio o da un’e-mail.',
    others: 'Altri',
    removed: 'Pagina non più pubblicata',
  },
  empty: {
    title: 'Ancora nessuna visita',
    text: 'I numeri compaiono con le prime visite. Le tue non contano, finché hai l’accesso al pannello.',
    sources: 'Nessuna provenienza da mostrare in questo periodo.',
    contacts: 'In questo periodo nessuno ha premuto telefono, e-mail o messaggi.',
    since: (date: string) => `Il conteggio è cominciato ${withArticle('il', date)}.`,
  },
  honesty: {
    title: 'Che cosa viene contato',
    counted:
      'Il sito conta le pagine aperte, i visitatori di ogni giorno, i siti da cui arrivano e quante volte vengono premuti telefono, e-mail e messaggi.',
    notCounted:
      'Non salva indirizzi IP, non mette nulla sui dispositivi e non riconosce chi torna un altro giorno; le tue visite e i programmi automatici restano fuori, per quanto si riesce a distinguerli.',
    rough:
      'Sono numeri onesti ma non esatti: più persone dalla stessa rete e con lo stesso browser possono contare come una.',
    cache:
      'Davanti al sito c’è una copia veloce (CDN): le pagine che serve da sé non vengono contate qui.',
  },
  switch: {
    label: 'Conta le visite',
    hint: 'Spento, il sito non conta più nulla. La pagina Privacy cambia da sé.',
    on: 'Il sito conta le visite',
    off: 'Il sito non conta più le visite',
    offTitle: 'Conteggio spento',
    offText: (date: string) =>
      `${withArticle('Dal', date)} non viene contato nulla. I numeri di prima restano finché non li cancelli.`,
    clear: 'Cancella i numeri',
    clearQuestion: 'Cancellare tutte le statistiche?',
    clearNote: 'Non si può annullare. Il sito e i contenuti non cambiano.',
    cleared: 'Statistiche cancellate',
  },
} as const

/** Titles of built-in pages; the other pages have a title of their own. */
export const pageNames: Readonly<Record<string, string>> = {
  '/': 'Home',
  '/chi-sono': 'Chi Sono',
  '/servizi': 'Servizi',
  '/rebirthing': 'Cos’è il Rebirthing',
  '/testimonianze': 'Testimonianze',
  '/eventi': 'Eventi',
  '/eventi/passati': 'Eventi passati',
  '/blog': 'Blog',
  '/contatti': 'Contatti',
  '/privacy': 'Privacy Policy',
  '/terms': 'Termini e condizioni',
  '/cookies': 'Cookie Policy',
}
