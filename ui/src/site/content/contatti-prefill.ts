// Content of the contact page when the visitor arrives with a choice, and the messages prefilled
// then.

import { block, line, list, paragraphs, sentences, type Text } from './schema'

/** A text with the price in brackets; without it while the offer does not exist. */
function priced(id: string, before: string, after: string): Text {
  return { text: [before, { either: [[' (', { price: id }, ')']] }, after] }
}

export const choices = [
  block(
    'contatti.choice',
    'Quando arriva da un pulsante',
    ['/contatti'],
    {
      chosen: line('Prima della scelta', 60),
      hint: sentences('Indicazione', 300),
      whatsapp: line('Pulsante dei messaggi', 60),
      email: line("Pulsante dell'e-mail", 60),
      call: line('Pulsante del telefono', 60),
      health: sentences('Nota sulla salute', 400),
      change: line('Link che cambia la scelta', 60),
      clear: line('Link che toglie la scelta', 60),
    },
    {
      chosen: 'Hai scelto:',
      hint: 'Scrivimi o telefona: il messaggio è già pronto e puoi cambiarlo.',
      whatsapp: 'Scrivimi su WhatsApp',
      email: 'Scrivi un’e-mail',
      call: 'Telefona',
      health:
        'Gravidanza, problemi di salute o farmaci? Non scriverlo qui: ne parliamo a voce, con riservatezza.',
      change: 'Cambia',
      clear: 'Togli la scelta',
    },
  ),
  block(
    'contatti.messages',
    'I messaggi già pronti',
    ['/contatti'],
    {
      greeting: line('Saluto', 60),
      letterEnd: paragraphs("Fine dell'e-mail", 600),
      asks: list(
        'Messaggi',
        { title: line('Che cosa ha scelto', 80), ask: sentences('Messaggio', 400) },
        // Twice the number of default entries: each service that the practitioner adds needs its
        // own.
        { max: 30 },
      ),
      eventSubject: line("Evento: prima del titolo, nell'oggetto", 60),
      eventAsk: line('Evento: prima del titolo', 120),
      eventEnd: sentences('Evento: dopo la data', 300),
      eventLetterEnd: paragraphs("Evento: fine dell'e-mail", 600),
      soldOutSubject: line("Evento esaurito: prima del titolo, nell'oggetto", 60),
      soldOutAsk: line('Evento esaurito: prima del titolo', 120),
      soldOutEnd: sentences('Evento esaurito: dopo la data', 300),
      cancelledAsk: line('Evento annullato: prima del titolo', 120),
      cancelledEnd: sentences('Evento annullato: dopo la data', 300),
      pastSubject: line("Evento passato o annullato: prima del titolo, nell'oggetto", 60),
      pastAsk: line('Evento passato: prima del titolo', 120),
      pastEnd: sentences('Evento passato: dopo il titolo', 300),
    },
    {
      greeting: 'Ciao,',
      letterEnd: 'Nome:\nTelefono:\n\nGrazie',
      asks: [
        {
          id: 'individual',
          title: 'Sessione individuale',
          ask: priced(
            'individual',
            'vorrei prenotare una sessione individuale',
            '. Quando avresti posto?',
          ),
        },
        {
          id: 'group',
          title: 'Sessione di gruppo',
          ask: priced(
            'group',
            'vorrei partecipare a una sessione di gruppo',
            '. Quali sono le prossime date?',
          ),
        },
        {
          id: 'training',
          title: 'Formazione per facilitatori',
          ask: priced(
            'training',
            'vorrei ricevere il programma della formazione per facilitatori',
            '.',
          ),
        },
        {
          id: 'online',
          title: 'Sessione online',
          ask: priced('online', 'vorrei prenotare una sessione online', '. Quando avresti posto?'),
        },
        {
          id: 'retreat',
          title: 'Ritiro nel fine settimana',
          ask: priced(
            'retreat',
            'vorrei sapere le prossime date del ritiro nel fine settimana',
            '.',
          ),
        },
        {
          id: 'couple',
          title: 'Sessione di coppia',
          ask: priced(
            'couple',
            'vorrei prenotare una sessione di coppia',
            '. Quando avresti posto?',
          ),
        },
        {
          id: 'base',
          title: 'Pacchetto Base',
          ask: priced(
            'base',
            'mi interessa il pacchetto Base',
            ', con 3 sessioni individuali. Come si comincia?',
          ),
        },
        {
          id: 'complete',
          title: 'Pacchetto Completo',
          ask: priced(
            'complete',
            'mi interessa il pacchetto Completo',
            ', con 10 sessioni. Come si comincia?',
          ),
        },
        {
          id: 'intensive',
          title: 'Percorso Intensivo',
          ask: priced(
            'intensive',
            'mi interessa il percorso Intensivo di 3 mesi',
            '. Come si comincia?',
          ),
        },
        {
          id: 'freeConsultation',
          title: 'Consulenza gratuita, 20 minuti',
          ask: 'vorrei fissare la consulenza gratuita di 20 minuti. Quando possiamo sentirci?',
        },
        {
          id: 'business',
          title: 'Incontri per aziende',
          ask: 'vorrei un preventivo per un incontro in azienda. Quanti siamo e dove:',
        },
        {
          id: 'sport',
          title: 'Incontri per lo sport',
          ask: 'vorrei informazioni sugli incontri per chi fa sport. Chi siamo:',
        },
      ],
      eventSubject: 'Partecipo:',
      eventAsk: 'vorrei partecipare a',
      eventEnd: 'C’è ancora posto?',
      eventLetterEnd: 'Nome:\nIn quanti siamo:\nTelefono:\n\nGrazie',
      soldOutSubject: 'Un posto per',
      soldOutAsk: 'ho visto che',
      soldOutEnd: 'è al completo. Mi avvisi se si libera un posto?',
      cancelledAsk: 'ho visto che',
      cancelledEnd: 'è stato annullato. Ci sarà un’altra data?',
      pastSubject: 'Un’altra data:',
      pastAsk: 'ho visto',
      pastEnd: 'che si è già svolto. Ci sarà un’altra data?',
    },
  ),
] as const
