// Italian strings of the newsletter: lists, previews, checks, sending and failures.

import { noMail } from '../../../kinds/lazy-constants.gen'
import { withArticle } from '../../../lib/date-article'
import { counted } from '../../../lib/plural'

export const newsletterMessages = {
  messagesLabel: 'Messaggi',
  addressesLabel: 'Indirizzi',
  newAction: 'Scrivi una newsletter',
  noMailTitle: noMail,
  noMailText:
    'Puoi scrivere e tenere in bozza. Per inviare serve la posta del sito: la imposta chi gestisce il server.',
  emptyTitle: 'Nessuna newsletter',
  emptyText: 'Comincia da un foglio bianco oppure da un articolo o da un evento già pubblicato.',
  untitled: 'Senza oggetto',
  columns: ['Oggetto', 'Stato', 'Quando', 'Inviate', 'Azioni'],
  states: {
    draft: 'Bozza',
    scheduled: 'In programma',
    sending: 'In invio',
    paused: 'In pausa',
    stopped: 'Fermata',
    sent: 'Inviata',
  },
  copy: 'Usa come base',
  start: {
    title: 'Da che cosa cominci?',
    blank: 'Foglio bianco',
    article: 'Da un articolo',
    event: 'Da un evento',
    noArticles:
      'Nessun articolo pubblicato: scrivine uno nel Blog oppure comincia da un foglio bianco.',
    noEvents: 'Nessun evento pubblicato e ancora da venire.',
    search: 'Cerca tra i pubblicati',
    taken: (title: string) => `«${title}» è nella bozza: cambia quello che vuoi`,
  },
  preview: {
    title: 'Anteprima',
    text: 'Come la mostrano i programmi di posta. Ognuno cambia qualcosa: la prova è il modo più sicuro.',
    inbox: 'Nella lista della posta',
    tabsAria: 'Modi di vedere l’anteprima',
    modes: {
      wide: 'Computer',
      phone: 'Telefono',
      dark: 'Sfondo scuro',
      imagesOff: 'Senza immagini',
      plain: 'Solo testo',
    },
    frame: (subject: string) => `Anteprima della newsletter «${subject}»`,
    size: (size: string, max: number) => `Pesa ${size}: il limite è ${max} KB.`,
  },
  test: {
    action: 'Manda una prova a me',
    title: 'Manda una prova',
    address: 'A quale indirizzo',
    hint: 'Solo indirizzi di chi entra nel pannello. Nella prova il link per cancellarsi non cancella nessuno.',
    send: 'Manda la prova',
    done: (recipient: string) => `Prova inviata a ${recipient}`,
    failed: (reason: string) => `La prova non è partita: ${reason}`,
  },
  checks: {
    title: 'Prima di inviare',
    ok: 'Tutto a posto.',
    notes: {
      alt: 'Un’immagine non ha testo alternativo: senza immagini lì non si leggerà nulla.',
      noTest: 'Non hai ancora mandato una prova.',
      longSubject: 'Sul telefono l’oggetto verrà tagliato.',
      pastEvent: 'L’evento di cui scrivi è già passato.',
      unpublished: 'Un link porta a una pagina non pubblicata: chi lo apre non la troverà.',
      claim:
        'Parole come «cura» o «terapia» possono sembrare una promessa medica. Rileggi prima di inviare.',
    },
  },
  sendNow: {
    action: 'Invia adesso',
    title: 'Inviare adesso?',
    text: (subject: string, count: number) =>
      `«${subject}» va a ${counted(
        count,
        '1 persona che ha confermato',
        '{n} persone che hanno confermato',
      )} l’iscrizione.`,
    pace: (count: number, pace: number, when: string) =>
      counted(count, 'Parte subito.', `Con ${pace} messaggi l’ora finisce ${when}.`),
    final:
      'Quello che è partito non si può riprendere. Puoi mettere in pausa o fermare ciò che resta.',
    confirm: 'Sì, invia',
    started: 'Invio cominciato',
    failed: 'L’invio non è cominciato',
  },
  schedule: {
    action: 'Scegli quando',
    title: 'Quando inviarla',
    tomorrow: 'Domani alle 9',
    monday: 'Lunedì alle 9',
    day: 'Giorno',
    time: 'Ora',
    rome: 'È l’ora italiana, ovunque tu sia.',
    confirm: 'Metti in programma',
    done: (when: string) => `In programma per ${when}`,
    edit: 'Se la modifichi resta in programma per lo stesso momento.',
    planned: (when: string) => `Parte ${when}. Va a chi in quel momento risulta confermato.`,
    change: 'Cambia giorno e ora',
    cancel: 'Togli dal programma',
    cancelled: 'Tolta dal programma: è di nuovo una bozza',
    late: (when: string) => `Il sito era fermo all’ora scelta: l’invio è cominciato ${when}.`,
  },
  queue: {
    title: 'Invio in corso',
    counter: (done: number, total: number) => `${done} di ${total}`,
    bar: 'Avanzamento dell’invio',
    spoken: (done: number, total: number) => `Inviati ${done} messaggi su ${total}`,
    end: (when: string) => `Fine prevista ${when}.`,
    pace: (pace: number) => `${pace} messaggi l’ora.`,
    slowed: (pace: number) =>
      `Il server di posta chiede di rallentare: ora ${pace} l’ora. Nessun messaggio è andato perso.`,
    waiting: (delay: string) => `Il server di posta non risponde. Riprovo da me tra ${delay}.`,
    reason: (reason: string) => `Motivo: ${reason}.`,
    resumed: 'Il sito si era fermato ed è ripartito dal punto in cui era.',
    waits:
      'Un’altra newsletter è in invio. Questa parte quando è finita, oppure metti in pausa l’altra.',
    leave: 'Puoi chiudere questa pagina: l’invio prosegue da solo.',
    locked: 'Mentre parte, testo e oggetto non si cambiano.',
    troubles: {
      signIn:
        'Il server di posta non accetta il nome e la password del sito. Avvisa chi gestisce il server.',
      sender:
        'Il server di posta non accetta l’indirizzo da cui scrivi. Avvisa chi gestisce il server.',
      blocked:
        'Più rifiuti per lo stesso motivo? Chiedi a chi gestisce il server di guardare le impostazioni della posta.',
      restored:
        'I dati vengono da una copia, e dopo la copia l’invio può essere andato avanti: per non scrivere due volte a qualcuno è in pausa. Se il sito si era fermato allora, premi «Riprendi l’invio». Se aveva continuato, premi «Ferma»: chi qui aspetta può averla già ricevuta.',
    },
    unplanned: (when: string) =>
      `Era in programma per ${when}, ma i dati vengono da una copia: dopo può essere già partita. Per non scrivere due volte a qualcuno è di nuovo una bozza. Se nessuno l’ha ricevuta inviala o rimettila in programma; altrimenti eliminala.`,
  },
  pause: {
    action: 'Metti in pausa',
    resume: 'Riprendi l’invio',
    stop: 'Ferma',
    paused: (done: number, total: number) => `In pausa a ${done} di ${total}. Gli altri aspettano.`,
    pausedToast: 'Invio in pausa',
    resumedToast: 'Invio ripreso',
    stopTitle: 'Fermare l’invio?',
    stopText: (count: number) =>
      `${counted(count, '1 persona non la riceverà', '{n} persone non la riceveranno')}. Per chi l’ha già ricevuta non cambia nulla.`,
    stopNote: 'Non si può riprendere. Se vuoi solo aspettare, metti in pausa.',
    stopConfirm: 'Ferma per sempre',
    stoppedToast: 'Invio fermato',
  },
  refusals: {
    title: 'Non accettate',
    empty: 'Nessun rifiuto.',
    count: (count: number) =>
      counted(count, 'A 1 indirizzo non è arrivata.', 'A {n} indirizzi non è arrivata.'),
    restore: 'Riprova al prossimo invio',
    restored: 'L’indirizzo è di nuovo tra quelli a cui scrivi',
    columns: ['Indirizzo', 'Motivo', 'Che cosa succede'],
    full: 'La casella è piena o il suo server non accetta messaggi per ora.',
    unknown: 'La casella non esiste o è stata chiusa.',
    blocked: 'Il suo server rifiuta i messaggi del sito.',
    answer: (reason: string) => `Il suo server ha risposto: ${reason}`,
    uncertain: 'La connessione è caduta alla fine: non si sa se è arrivata.',
    retry: (when: string) => `Il sito riprova ${when}.`,
    giveUp: 'Il sito non la manda di nuovo a questo indirizzo.',
    marked: 'L’indirizzo è segnato «Non raggiungibile» e resta fuori dai prossimi invii.',
    softMarked: 'Tre newsletter di seguito rimandate indietro: ora è «Non raggiungibile».',
    uncertainNext: 'Per non scrivere due volte, il sito non riprova.',
  },
  results: {
    title: 'Com’è andata',
    labels: [
      ['accepted', 'Accettate'],
      ['refused', 'Rifiutate'],
      ['uncertain', 'Esito incerto'],
      ['skipped', 'Saltate'],
      ['unsubscribed', 'Cancellate dopo'],
    ] as const,
    started: 'Cominciata',
    ended: 'Finita',
    done: (count: number) =>
      counted(count, 'È partita per 1 persona.', 'È partita per {n} persone.'),
    hints: {
      accepted: 'Prese in carico dal server di posta. Non dice se sono state lette.',
      skipped: 'Persone che si sono cancellate mentre l’invio era in corso.',
      unsubscribed: 'Chi si è cancellato con il link di questa newsletter.',
    },
    noTracking: 'Aperture e clic non vengono contati: chi ti legge non viene seguito.',
    export: 'Scarica il resoconto',
  },
  addresses: {
    empty: 'Nessun indirizzo presente. Chi si iscrive dal Blog compare qui.',
    count: (count: number) =>
      counted(
        count,
        '1 indirizzo confermato.',
        '{n} indirizzi confermati.',
        'Nessuno ha ancora confermato.',
      ),
    columns: ['E-mail', 'Stato', 'Iscrizione', 'Azioni'],
    filter: 'Mostra',
    all: 'Tutti',
    search: 'Cerca un indirizzo',
    csv: 'Scarica l’elenco',
    csvHint:
      'Si apre con un foglio di calcolo. Ci sono stato, date, pagina e testo accettato: è anche la prova del consenso.',
    noMail: 'Finché manca, gli indirizzi restano «Raccolta»: nessuno ha ancora confermato.',
    hints: {
      confirmed: 'Ha aperto l’e-mail e ha premuto il pulsante. È tra quelli a cui scrivi.',
      pending: 'Ha ricevuto l’e-mail e non ha ancora confermato. Dopo 30 giorni sparisce da sé.',
      collected:
        'Lasciata quando il sito non poteva mandare posta: nessuno ha confermato. Non riceve newsletter.',
      unsubscribed: 'Non riceve più nulla. Resta in elenco perché nessuno le scriva per errore.',
      unreachable: 'I messaggi tornano indietro. Resta fuori dagli invii finché non la riprovi.',
    },
    returned: 'Messaggi tornati indietro',
    returnedHint:
      'Messaggi che non sono arrivati, o segnalati come indesiderati. Se la casella non esiste più, il sito smette di scriverle da sé.',
    causes: {
      noMailbox: 'La casella non esiste',
      noDomain: 'Dopo la chiocciola c’è un nome che non esiste',
      mailboxClosed: 'La casella è stata chiusa',
      mailboxFull: 'La casella è piena',
      refused: 'Il suo servizio di posta rifiuta i messaggi',
      undelivered: 'Il suo servizio di posta non l’ha consegnata',
      complaint: 'Ha segnalato il messaggio come indesiderato',
    },
    repeated: (cause: string, count: number) =>
      `${cause}: ${counted(count, 'tornato 1 messaggio', 'tornati {n} messaggi')} negli ultimi 30 giorni`,
    retry: (email: string) => `Riprova al prossimo invio: ${email}`,
    mailbox: {
      read: (when: string) =>
        `La casella dei messaggi tornati indietro: letta ${withArticle('il', when)}.`,
      waiting: 'La casella dei messaggi tornati indietro sta per essere letta.',
      failing: (when: string, reason: string) =>
        `La casella dei messaggi tornati indietro non si legge ${withArticle('dal', when)}: ${reason}. Dillo a chi gestisce il server.`,
    },
    deleteQuestion: 'Sei sicuro di voler eliminare questo indirizzo?',
    deleteNote: 'Con l’indirizzo si perde anche la prova del consenso.',
    deleted: 'Indirizzo eliminato',
  },
  ask: {
    action: 'Chiedi la conferma',
    title: 'Chiedere la conferma?',
    text: (count: number) =>
      `${counted(count, 'A 1 indirizzo raccolto', 'A {n} indirizzi raccolti')} arriva una sola e-mail con il link per confermare.`,
    note: 'Chi non risponde entro 30 giorni sparisce dall’elenco.',
    confirm: 'Manda la richiesta',
    done: (count: number) =>
      counted(
        count,
        'Richiesta in partenza per 1 indirizzo',
        'Richieste in partenza per {n} indirizzi',
      ),
  },
  consentExport: 'Scarica la prova',
  unsubscribeHint: 'Per chi te lo chiede a voce o per messaggio.',
  deleteQuestion: 'Sei sicuro di voler eliminare questa newsletter?',
  deleteDraftQuestion: 'Sei sicuro di voler eliminare questa bozza?',
  deleteSentNote:
    'Si perde il resoconto dell’invio. Le e-mail già arrivate restano dove sono, con le loro immagini.',
  deletePictures: 'Togli le immagini anche dalle e-mail già arrivate',
  deletePicturesQuestion: 'Newsletter eliminata, ma le sue immagini no. Vuoi riprovare?',
  deleteFailedPictures: 'Le immagini sono rimaste nelle e-mail',
  loadFailed: 'Non è stato possibile leggere la newsletter. Riprova.',
  failed: 'Non è stato possibile salvare. Quello che hai scritto resta qui: riprova.',
} as const
