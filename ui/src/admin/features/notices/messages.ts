// Italian strings of notices: the list, its buttons, the e-mail switches.
import { withArticle } from '../../../lib/date-article'
import { counted } from '../../../lib/plural'

export const noticesMessages = {
  title: 'Avvisi',
  keptNote: 'Gli avvisi restano qui per 90 giorni.',
  empty: 'Nessun avviso. Tutto tranquillo.',
  new: 'Nuovo',
  solved: 'Risolto',
  read: 'Segna come letti',
  emailed: 'Inviato anche per e-mail.',
  host: 'Riguarda il server: inoltra a chi lo gestisce.',
  copy: 'Copia per chi gestisce',
  copied: 'Testo copiato',
  testimonial: (n: number) =>
    counted(n, '1 testimonianza nuova da leggere.', '{n} testimonianze nuove da leggere.'),
  testimonialAction: 'Leggi',
  backupFailed: (reason: string) => `Il backup non è riuscito: ${reason}.`,
  backupLast: (date: string) => `Ultima copia buona: ${date}.`,
  backupNever: 'Ancora nessuna copia buona.',
  backupAction: 'Apri Backup',
  backupSolved: 'Il backup è di nuovo a posto.',
  offsiteFailed: (delay: string, reason: string) =>
    `La copia fuori dal server è ferma da ${delay}: ${reason}.`,
  offsiteSolved: 'La copia fuori dal server è di nuovo al passo.',
  certificate: (days: number, reason: string) =>
    `Il certificato scade ${counted(days, 'domani', 'tra {n} giorni', 'oggi')}: ${reason}.`,
  certificateExpired: 'Il certificato è scaduto: i visitatori vedono un avviso.',
  certificateSolved: (date: string) =>
    `Il certificato è stato rinnovato: vale fino ${withArticle('al', date)}.`,
  device: (device: string) => `Accesso da un nuovo dispositivo: ${device}.`,
  access: (what: string) => `${what}.`,
  planWaits: (since: string, reason: string) =>
    `Qualcosa in programma aspetta (${since}): ${reason}.`,
  planNext: 'Il sito riprova da sé, appena può.',
  planSolved: 'Quello che era in programma è stato fatto.',
  notStarted: (reason: string) =>
    `Una newsletter in programma non è partita ed è di nuovo una bozza: ${reason}.`,
  unreadable: (places: string) =>
    `Una parte dei dati salvati non si legge, e sul sito manca: ${places}.`,
  unreadableNext: 'Il resto va avanti come sempre. Niente è stato cancellato.',
  unreadableSolved: 'Ora si legge di nuovo tutto.',
  bounces: (since: string, reason: string) =>
    `La casella dei messaggi tornati indietro non si legge ${withArticle('dal', since)}: ${reason}.`,
  bouncesNext: 'La newsletter parte lo stesso. Il sito riprova da sé, ogni dieci minuti.',
  bouncesSolved: 'La casella si legge di nuovo.',
  month: (month: string) => `Com’è andato il mese di ${month}.`,
  monthAction: 'Guarda le visite',
  copies: 'Da una settimana non c’è una copia nuova.',
  copiesSolved: 'Una copia nuova c’è.',
  disk: (free: string) => `Il disco del server è quasi pieno: ${free}.`,
  diskNext: 'Quando è pieno non si possono più caricare immagini né salvare.',
  diskSolved: 'C’è di nuovo spazio.',
  mail: (reason: string) => `Un’e-mail del sito è stata rifiutata: ${reason}.`,
  mailNext: 'Conferme di iscrizione e newsletter potrebbero non arrivare.',
  mailSolved: 'Dopo, la posta è di nuovo partita.',
  newsletterAction: 'Apri Newsletter',
  signups: (limit: string): readonly string[] => {
    const many = 'Molte richieste di iscrizione alla newsletter in poco tempo.'
    if (limit === 'list') {
      return [
        'L’elenco della newsletter è pieno: chi si iscrive adesso non viene aggiunto.',
        'Elimina gli indirizzi che non servono più.',
      ]
    }
    if (limit === 'outbox') {
      return [
        many,
        'Gli indirizzi arrivati dopo sono in elenco come «Raccolta»: se sono di persone vere premi «Chiedi la conferma», altrimenti dopo 30 giorni spariscono da sé.',
      ]
    }
    return [many, 'Le e-mail per confermare partono poche alla volta: qualcuna arriva più tardi.']
  },
  deviceYes: 'Sono io',
  deviceNo: 'Non sono io',
  deviceNoTitle: 'Metti al sicuro l’account',
  deviceNoText:
    'Esci da tutti gli altri dispositivi e scegli subito un’altra password. Se usavi la stessa altrove, cambiala anche lì. Poi guarda le passkey: togli quelle che non conosci.',
  deviceNoConfirm: 'Esci dagli altri',
  delay: (milliseconds: number) => {
    const hours = Math.floor(milliseconds / 3_600_000)
    if (hours < 2) return 'un’ora'
    if (hours < 24) return `${hours} ore`
    return hours < 48 ? 'un giorno' : `${Math.floor(hours / 24)} giorni`
  },
} as const

export const noticeSwitchMessages = {
  title: 'Avvisi',
  text: 'Che cosa vuoi sapere per e-mail. Nel pannello trovi sempre tutto, anche a interruttore spento.',
  recipient: (email: string) => `Arrivano a ${email}.`,
  oncePerHour: 'Al massimo un’e-mail l’ora per ogni tipo.',
  noMailServer: 'Il sito non può mandare posta: gli avvisi restano qui nel pannello.',
  deviceOffQuestion: 'Spegnere questo avviso?',
  deviceOffText: 'Se qualcun altro entrasse con la tua password, per e-mail non lo sapresti.',
  deviceOffConfirm: 'Spegni',
  test: 'Manda una prova',
  tested: (email: string) => `Prova inviata a ${email}`,
  testFailed: 'La prova non è partita',
  saved: 'Avvisi aggiornati',
  monthly: 'Il mese in breve',
  monthlyHelp:
    'All’inizio di ogni mese: visite, iscrizioni e cose da fare. Vale solo per il tuo account.',
  failed: (when: string, reason: string) => `L’ultimo avviso non è partito (${when}): ${reason}`,
} as const
