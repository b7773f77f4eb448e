// Content of the privacy policy.

import { block } from './schema'
import { legalFields } from './shared-fields'

export const legalPrivacy = [
  block('legal.privacy', 'Privacy Policy', ['/privacy'], legalFields, {
    title: 'Privacy Policy',
    modified: { text: ['Ultima modifica: ', { changed: 'Agosto 2024' }] },
    contents: 'In questa pagina',
    sections: [
      {
        id: 's0',
        when: 'always',
        text: {
          text: [
            'Questa informativa spiega come vengono trattati i dati personali di chi visita il sito o contatta ',
            {
              either: [
                [
                  {
                    setting: 'practitioner',
                  },
                ],
                ['chi lo gestisce'],
              ],
            },
            ". È resa ai sensi dell'art. 13 del Regolamento (UE) 2016/679 (GDPR) e del decreto legislativo 30 giugno 2003, n. 196 (Codice privacy). Per chi vive in Svizzera tiene conto anche della Legge federale sulla protezione dei dati (LPD).",
          ],
        },
      },
      {
        id: 's0-1',
        when: 'counted',
        text: 'In breve: il sito conta le visite senza cookie e senza riconoscere nessuno, non usa strumenti di pubblicità, non carica contenuti da servizi esterni e non contiene moduli di prenotazione. I tuoi dati arrivano al Titolare quando decidi tu di telefonare, scrivere o mandare un messaggio.',
      },
      {
        id: 's0-2',
        when: 'uncounted',
        text: 'In breve: il sito non usa strumenti di statistica o di pubblicità, non carica contenuti da servizi esterni e non contiene moduli di prenotazione. I tuoi dati arrivano al Titolare quando decidi tu di telefonare, scrivere o mandare un messaggio.',
      },
      {
        id: 's1',
        when: 'always',
        title: '1. Titolare del trattamento',
        text: {
          text: [
            'Il Titolare del trattamento è ',
            {
              either: [
                [
                  {
                    setting: 'practitioner',
                  },
                ],
                ['chi gestisce questo sito'],
              ],
            },
            {
              either: [
                [
                  ', ',
                  {
                    setting: 'address',
                  },
                ],
              ],
            },
            {
              either: [
                [
                  ', P. IVA ',
                  {
                    setting: 'vatNumber',
                  },
                ],
                [
                  ', C. F. ',
                  {
                    setting: 'taxCode',
                  },
                ],
              ],
            },
            '.\n\n- E-mail: ',
            {
              setting: 'email',
            },
            '\n- Telefono: ',
            {
              setting: 'phone',
            },
            '\n\nPoiché la legge non lo richiede per questa attività, non è stato designato un responsabile della protezione dei dati (DPO).',
          ],
        },
      },
      {
        id: 's2',
        when: 'always',
        title: '2. Dati raccolti',
        text: "**Dati che comunichi tu.** Nome, cognome, indirizzo e-mail, numero di telefono e tutto ciò che scegli di raccontare quando telefoni, scrivi un'e-mail o mandi un messaggio.\n\n**Dati di utilizzo.** Quando apri una pagina, il server riceve informazioni tecniche necessarie per rispondere e per proteggere il servizio: indirizzo IP, data e ora, pagina richiesta, esito della richiesta e tipo di browser. Questi dati non vengono usati per identificarti né per costruire un profilo.",
      },
      {
        id: 's2-3',
        when: 'logged',
        text: '**Registro delle richieste.** Per trovare guasti e abusi il server annota per ogni richiesta data e ora, pagina, esito e l’indirizzo IP senza l’ultima parte: da solo non indica più una persona. Non annota il tipo di browser né il sito di provenienza. Il registro si cancella da sé, al massimo dopo 30 giorni, e non viene comunicato ad altri.\n\nLa base giuridica è il legittimo interesse (art. 6, par. 1, lett. f, GDPR) alla sicurezza del sito.',
      },
      {
        id: 's2-4',
        when: 'loggedFull',
        text: '**Registro delle richieste.** Per trovare guasti e abusi il server annota per ogni richiesta data e ora, pagina, esito e l’indirizzo IP intero. Non annota il tipo di browser né il sito di provenienza. Il registro si cancella da sé, al massimo dopo 30 giorni, e non viene comunicato ad altri.\n\nLa base giuridica è il legittimo interesse (art. 6, par. 1, lett. f, GDPR) alla sicurezza del sito. Puoi opporti scrivendo al Titolare.',
      },
      {
        id: 's2-1',
        when: 'counted',
        text: '**Statistiche di visita.** Il server conta quante volte ogni pagina viene aperta, quanti visitatori ci sono in un giorno, da quali siti arrivano e quante volte vengono premuti i pulsanti per telefonare o scrivere. Per non contare due volte la stessa persona nello stesso giorno, indirizzo IP e tipo di browser vengono trasformati in un codice, nella sola memoria del server e con una chiave casuale che cambia ogni giorno. Chiave e codici vengono dimenticati a mezzanotte e non vengono mai salvati: il giorno dopo nessuno può essere riconosciuto. Sul tuo dispositivo non viene scritto né letto nulla. Restano soltanto totali per giorno, senza dati personali, conservati per 24 mesi e non comunicati ad altri.\n\nLa base giuridica è il legittimo interesse (art. 6, par. 1, lett. f, GDPR) a sapere quali pagine servono a chi visita il sito.\n\nPuoi opporti: se il browser invia il segnale «Do Not Track» o «Global Privacy Control», la tua visita non viene contata.',
      },
      {
        id: 's2-2',
        when: 'always',
        text: "**Preferenze sui cookie.** La scelta fatta nel riquadro informativo resta nel tuo browser e non viene inviata al server. I dettagli sono nella [Cookie Policy](/cookies).\n\n**Newsletter.** Quando il servizio è attivo, l'indirizzo e-mail che lasci nella pagina Blog e, se un messaggio torna indietro, il motivo.\n\n**Testimonianze e immagini.** Se dai il tuo consenso alla pubblicazione: il nome con cui scegli di firmare, l'eventuale professione, il testo della testimonianza o le fotografie in cui compari.\n\n**Testimonianze su invito.** Se scrivi dalla pagina che si apre con un link personale: il nome con cui firmi, l’eventuale professione, le stelle e il testo, che diventano pubblici con il tuo consenso; e, senza pubblicarli, la data, il link usato, l’attività a cui hai partecipato e il testo del consenso. La pagina non chiede alcun recapito.\n\n**Dati sulla salute.** Il sito non li chiede e non li raccoglie. Poiché la pratica ha alcune controindicazioni, prima di una sessione può essere necessario parlarne a voce o per iscritto. In questo caso ti viene chiesto un consenso esplicito e le informazioni servono solo a valutare se la pratica è adatta a te.",
      },
      {
        id: 's3',
        when: 'always',
        title: '3. Finalità del trattamento',
        text: 'I dati personali vengono trattati per:\n\n- rispondere alle richieste di informazioni e gestire le prenotazioni;\n- svolgere i servizi richiesti: sessioni, seminari, ritiri e formazione;\n- inviare comunicazioni di servizio, come conferme o cambi di orario, e, se ti iscrivi, la newsletter;\n- pubblicare testimonianze e fotografie di chi ha dato il consenso;\n- adempiere agli obblighi contabili e fiscali;\n- mantenere il sito sicuro e funzionante e migliorarlo, correggendo errori e pagine che non rispondono.',
      },
      {
        id: 's4',
        when: 'always',
        title: '4. Base giuridica',
        text: '- **Contratto e misure precontrattuali** (art. 6, par. 1, lett. b, GDPR): richieste di contatto, prenotazioni, svolgimento dei servizi, comunicazioni di servizio.\n- **Consenso** (art. 6, par. 1, lett. a, GDPR): newsletter, testimonianze, fotografie. Per i dati sulla salute, consenso esplicito (art. 9, par. 2, lett. a, GDPR).\n- **Obbligo di legge** (art. 6, par. 1, lett. c, GDPR): documenti contabili e fiscali.\n- **Legittimo interesse** (art. 6, par. 1, lett. f, GDPR): sicurezza, corretto funzionamento e miglioramento tecnico del sito.\n\nTestimonianze su invito. La pubblicazione si basa sul consenso (art. 6, par. 1, lett. a, GDPR); conservare data, link e testo del consenso serve a poterlo dimostrare (art. 7, par. 1, GDPR).\n\nPuoi revocare il consenso in qualsiasi momento, senza conseguenze per i trattamenti già svolti.',
      },
      {
        id: 's5',
        when: 'always',
        title: '5. Modalità e luogo del trattamento',
        text: "I dati sono trattati con strumenti informatici e, in piccola parte, su carta, presso la sede del Titolare. I contenuti del sito sono conservati in un unico archivio sul server di un fornitore di hosting situato nello Spazio economico europeo o in Svizzera.\n\nLa connessione al sito è cifrata, l'accesso all'area di gestione è protetto e vengono eseguite copie di sicurezza dell'archivio.",
      },
      {
        id: 's6',
        when: 'always',
        title: '6. Destinatari e trasferimenti',
        text: {
          text: [
            "I dati non vengono venduti né diffusi, salvo le testimonianze e le immagini pubblicate con il consenso. Possono conoscerli, nei limiti del necessario:\n\n- il fornitore di hosting e chi cura la manutenzione tecnica del sito, nominati responsabili del trattamento ai sensi dell'art. 28 GDPR;\n- i fornitori dei servizi di posta elettronica e di telefonia usati per risponderti;\n- chi cura la contabilità del Titolare;\n- le autorità, quando la legge lo impone.\n\nSe scegli di scrivere con WhatsApp o di visitare la pagina ",
            {
              either: [
                [
                  'su ',
                  {
                    setting: 'socialName',
                  },
                ],
                ['sui social'],
              ],
            },
            ", passi a servizi gestiti da altre società, che trattano i dati come titolari autonomi secondo le proprie informative, anche fuori dallo Spazio economico europeo. Il sito non invia loro alcun dato prima che tu apra il collegamento. Se preferisci, usa il telefono o l'e-mail.\n\nIl Titolare non trasferisce di propria iniziativa dati verso altri Paesi fuori dallo Spazio economico europeo, con l'eccezione della Svizzera, che la Commissione europea riconosce come Paese con protezione adeguata.",
          ],
        },
      },
      {
        id: 's6-1',
        when: 'copied',
        text: 'Tra chi può conoscerli c’è anche il fornitore dello spazio che conserva copie di sicurezza cifrate del sito, che senza la chiave non può leggerle, nominato responsabile del trattamento ai sensi dell’art. 28 GDPR.',
      },
      {
        id: 's7',
        when: 'counted',
        title: '7. Tempi di conservazione',
        text: "- Richieste di informazioni: fino a 12 mesi dall'ultimo contatto, se non segue una prenotazione.\n- Dati legati ai servizi svolti e documenti fiscali: 10 anni, come previsto dalla legge.\n- Informazioni sulla salute: fino alla fine del percorso, poi vengono cancellate.\n- Newsletter: fino alla cancellazione dell'iscrizione.\n- Testimonianze e fotografie: fino alla revoca del consenso.\n- Testimonianze su invito: fino alla revoca del consenso, insieme alla prova del consenso; dopo la revoca spariscono subito dal sito ed entro 30 giorni dall’archivio (nelle copie di sicurezza, alla loro sostituzione). Inviti scaduti o annullati: 30 giorni.\n- Dati di utilizzo: al massimo 30 giorni, salvo che servano per accertare un illecito.\n- Statistiche di visita: il codice di ogni giorno fino a mezzanotte, i totali senza dati personali per 24 mesi.\n- Copie di sicurezza: fino alla loro sostituzione periodica.",
      },
      {
        id: 's7-1',
        when: 'uncounted',
        title: '7. Tempi di conservazione',
        text: "- Richieste di informazioni: fino a 12 mesi dall'ultimo contatto, se non segue una prenotazione.\n- Dati legati ai servizi svolti e documenti fiscali: 10 anni, come previsto dalla legge.\n- Informazioni sulla salute: fino alla fine del percorso, poi vengono cancellate.\n- Newsletter: fino alla cancellazione dell'iscrizione.\n- Testimonianze e fotografie: fino alla revoca del consenso.\n- Testimonianze su invito: fino alla revoca del consenso, insieme alla prova del consenso; dopo la revoca spariscono subito dal sito ed entro 30 giorni dall’archivio (nelle copie di sicurezza, alla loro sostituzione). Inviti scaduti o annullati: 30 giorni.\n- Dati di utilizzo: al massimo 30 giorni, salvo che servano per accertare un illecito.\n- Copie di sicurezza: fino alla loro sostituzione periodica.",
      },
      {
        id: 's7-2',
        when: 'copied',
        text: '- Copie di sicurezza fuori dal server: quelle giornaliere per 7 giorni, quelle settimanali per 4 settimane, quelle mensili per 12 mesi. Se una copia viene ripristinata, le cancellazioni chieste nel frattempo vengono eseguite di nuovo.',
      },
      {
        id: 's8',
        when: 'always',
        title: '8. Conferimento dei dati e decisioni automatizzate',
        text: 'Comunicare i propri dati è una libera scelta, ma senza un recapito non è possibile ricevere risposta o prenotare. I dati di utilizzo sono indispensabili per mostrare le pagine. Non vengono prese decisioni automatizzate e non viene svolta alcuna profilazione.\n\nI servizi sono rivolti a persone maggiorenni. Per i minorenni è necessario il consenso scritto di chi esercita la responsabilità genitoriale.',
      },
      {
        id: 's9',
        when: 'always',
        title: '9. I tuoi diritti',
        text: {
          text: [
            "In qualsiasi momento puoi esercitare i diritti previsti dagli articoli da 15 a 22 GDPR:\n\n- **accesso**: sapere quali dati ti riguardano e averne copia;\n- **rettifica**: correggere dati inesatti o completarli;\n- **cancellazione**: ottenere che i dati vengano eliminati;\n- **limitazione**: chiedere che l'uso dei dati venga sospeso;\n- **portabilità**: ricevere i dati in un formato leggibile da un computer;\n- **opposizione**: opporti ai trattamenti basati sul legittimo interesse;\n- **revoca del consenso**: cambiare idea, con la stessa facilità con cui lo hai dato.\n\nBasta scrivere ",
            {
              either: [
                [
                  'a ',
                  {
                    setting: 'email',
                  },
                ],
                ['al Titolare'],
              ],
            },
            ": la risposta arriva entro un mese. Se ritieni che i tuoi diritti non siano stati rispettati, puoi presentare reclamo al Garante per la protezione dei dati personali (www.garanteprivacy.it). In Svizzera l'autorità competente è l'Incaricato federale della protezione dei dati e della trasparenza (IFPDT).",
          ],
        },
      },
      {
        id: 's10',
        when: 'always',
        title: '10. Cookie',
        text: 'Il sito usa soltanto strumenti tecnici. Quali sono, a che cosa servono e quanto durano è spiegato nella [Cookie Policy](/cookies).',
      },
      {
        id: 's11',
        when: 'always',
        title: '11. Modifiche a questa informativa',
        text: 'Se cambia il modo in cui i dati vengono trattati, questa pagina viene aggiornata insieme alla data indicata in alto. Le modifiche importanti vengono segnalate sul sito.',
      },
      {
        id: 's12',
        when: 'always',
        title: '12. Contatti per la privacy',
        text: {
          text: [
            'Per qualsiasi domanda sui tuoi dati ',
            {
              either: [
                [
                  'scrivi a ',
                  {
                    setting: 'email',
                  },
                  ', telefona al ',
                  {
                    setting: 'phone',
                  },
                  ' o invia una lettera a ',
                  {
                    setting: 'practitioner',
                  },
                  ', ',
                  {
                    setting: 'address',
                  },
                ],
                [
                  'scrivi a ',
                  {
                    setting: 'email',
                  },
                  ' o telefona al ',
                  {
                    setting: 'phone',
                  },
                ],
                [
                  'scrivi a ',
                  {
                    setting: 'email',
                  },
                ],
                [
                  'telefona al ',
                  {
                    setting: 'phone',
                  },
                ],
                ['usa i recapiti della pagina Contatti'],
              ],
            },
            '.',
          ],
        },
      },
    ],
  }),
] as const
