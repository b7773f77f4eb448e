// Content of the terms of service.

import { block } from './schema'
import { legalFields } from './shared-fields'

export const legalTerms = [
  block('legal.terms', 'Termini e Condizioni', ['/terms'], legalFields, {
    title: 'Termini e Condizioni',
    modified: { text: ['Ultima modifica: ', { changed: 'Agosto 2024' }] },
    contents: 'In questa pagina',
    sections: [
      {
        id: 's1',
        when: 'always',
        title: '1. Accettazione dei termini',
        text: {
          text: [
            "Queste condizioni regolano l'uso del sito e i servizi offerti da ",
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
            ', professionista che opera ai sensi della legge 14 gennaio 2013, n. 4.\n\nNavigare nel sito è libero e gratuito. Quando prenoti un servizio accetti queste condizioni, che ti invitiamo a leggere prima. Nessuna clausola limita i diritti che la legge riconosce ai consumatori.',
          ],
        },
      },
      {
        id: 's2',
        when: 'always',
        title: '2. Servizi',
        text: 'I servizi comprendono sessioni di Rebirthing individuali, di gruppo, di coppia, online e a domicilio, ritiri nel fine settimana, seminari, formazione per facilitatori e una consulenza gratuita di 20 minuti. Contenuti, durata e prezzi sono indicati nella pagina [Servizi](/servizi) o comunicati prima della prenotazione.\n\nIl Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico, non comporta diagnosi e non sostituisce cure, farmaci o terapie. Non sono promessi risultati determinati.\n\nLa pratica è controindicata in caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti e uso di psicofarmaci. Chi si trova in una di queste condizioni, o ha dubbi sulla propria salute, è tenuto a segnalarlo prima della sessione e a consultare il proprio medico.\n\nI servizi sono rivolti a persone maggiorenni. I minorenni possono partecipare solo con il consenso scritto di chi esercita la responsabilità genitoriale.',
      },
      {
        id: 's3',
        when: 'always',
        title: '3. Prenotazioni e pagamenti',
        text: 'Il sito non contiene moduli di prenotazione e non riceve pagamenti. Si prenota per telefono, per e-mail o con un messaggio, con almeno 24 ore di anticipo. La prenotazione è valida quando ricevi la conferma, insieme a data, orario, luogo, prezzo e modalità di pagamento.\n\nI prezzi indicati sul sito sono in euro, sono finali e comprendono ogni imposta dovuta. Vale il prezzo comunicato al momento della conferma.\n\nLe sessioni comprese in un pacchetto si fissano di comune accordo e sono personali.',
      },
      {
        id: 's4',
        when: 'always',
        title: '4. Cancellazioni e rimborsi',
        text: {
          text: [
            "Puoi cancellare o spostare una sessione senza costi fino a 24 ore prima dell'orario fissato: le somme già versate vengono restituite o valgono per la nuova data.\n\nSe cancelli con meno di 24 ore di preavviso è dovuto il 50% del prezzo della sessione. La stessa regola vale se non ti presenti.\n\nSe è ",
            {
              either: [
                [
                  {
                    setting: 'practitioner',
                  },
                ],
                ['chi conduce'],
              ],
            },
            ' ad annullare un incontro, puoi scegliere tra il rimborso completo e una nuova data.\n\nSeminari, ritiri e percorsi di formazione possono avere condizioni proprie, comunicate per iscritto prima della prenotazione.\n\n**Diritto di recesso.** Se sei un consumatore e concludi il contratto a distanza, puoi recedere entro 14 giorni senza indicare il motivo (articoli 52 e seguenti del Codice del consumo, decreto legislativo 6 settembre 2005, n. 206). Basta una comunicazione',
            {
              either: [
                [
                  ' a ',
                  {
                    setting: 'email',
                  },
                ],
              ],
            },
            ", anche con il modulo tipo allegato al Codice. Il rimborso arriva entro 14 giorni. Se chiedi di cominciare prima che il termine sia trascorso, è dovuto soltanto il prezzo di quanto già svolto. Il recesso è escluso nei casi previsti dall'art. 59, tra cui il servizio già eseguito per intero con il tuo consenso e i servizi per il tempo libero fissati per una data precisa.",
          ],
        },
      },
      {
        id: 's5',
        when: 'always',
        title: '5. Responsabilità',
        text: {
          text: [
            {
              either: [
                [
                  {
                    setting: 'practitioner',
                  },
                ],
                ['Chi conduce le sessioni'],
              ],
            },
            ' svolge i servizi con diligenza professionale. A chi partecipa si chiede di dare informazioni veritiere sulla propria salute, di seguire le indicazioni ricevute e di non praticare mai in acqua né alla guida.\n\nLe informazioni pubblicate sul sito hanno carattere generale e non sostituiscono il parere di un professionista sanitario. I collegamenti a siti esterni sono offerti per comodità: dei loro contenuti risponde chi li gestisce.\n\nRestano ferme le responsabilità che la legge non consente di escludere, in particolare in caso di dolo, di colpa grave e di danni alla persona.',
          ],
        },
      },
      {
        id: 's6',
        when: 'always',
        title: '6. Riservatezza',
        text: 'Ciò che racconti durante una sessione resta riservato. Nelle attività di gruppo la stessa riservatezza è chiesta a tutti i partecipanti. Fanno eccezione gli obblighi di legge e le situazioni di pericolo grave per una persona.\n\nI dati personali sono trattati come descritto nella [Privacy Policy](/privacy). Testimonianze, fotografie e registrazioni vengono pubblicate solo con il consenso della persona interessata.',
      },
      {
        id: 's7',
        when: 'always',
        title: '7. Etica professionale',
        text: 'Il lavoro si fonda sul rispetto della persona, della sua libertà e dei suoi tempi. In concreto:\n\n- la partecipazione è sempre volontaria e si può interrompere in ogni momento;\n- non vengono chieste adesioni a credenze, gruppi o dottrine;\n- eventuali contatti fisici di sostegno avvengono solo dopo aver chiesto il permesso;\n- quando serve un aiuto sanitario o psicologico, viene consigliato di rivolgersi a un professionista abilitato;\n- attestati e riconoscimenti vengono presentati per quello che sono, senza confonderli con titoli abilitanti.',
      },
      {
        id: 's8',
        when: 'always',
        title: '8. Modifiche',
        text: 'Queste condizioni possono essere aggiornate. La versione in vigore è quella pubblicata in questa pagina, con la data indicata in alto. Le prenotazioni già confermate restano regolate dalla versione in vigore al momento della conferma.',
      },
      {
        id: 's9',
        when: 'always',
        title: '9. Legge applicabile',
        text: {
          text: [
            'Queste condizioni sono regolate dalla legge italiana. Se sei un consumatore, per ogni controversia è competente il giudice del luogo in cui risiedi o hai eletto domicilio. Se vivi in un altro Paese, compresa la Svizzera, restano salve le tutele inderogabili previste dalla legge del luogo in cui risiedi.\n\nPrima di rivolgersi a un giudice conviene parlarsi: ',
            {
              either: [
                [
                  'scrivi a ',
                  {
                    setting: 'email',
                  },
                ],
                ['scrivimi'],
              ],
            },
            ' e cerchiamo insieme una soluzione.',
          ],
        },
      },
      {
        id: 's10',
        when: 'always',
        title: 'Contatti',
        text: {
          text: [
            {
              either: [
                [
                  {
                    setting: 'practitioner',
                  },
                  ', ',
                  {
                    setting: 'address',
                  },
                ],
                [
                  {
                    setting: 'practitioner',
                  },
                ],
                [
                  {
                    setting: 'address',
                  },
                ],
                ['I recapiti sono nella pagina Contatti.'],
              ],
            },
            '\n\n- E-mail: ',
            {
              setting: 'email',
            },
            '\n- Telefono: ',
            {
              setting: 'phone',
            },
          ],
        },
      },
    ],
  }),
] as const
