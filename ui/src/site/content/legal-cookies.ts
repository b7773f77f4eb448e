// Content of the cookie policy.

import { block } from './schema'
import { legalFields } from './shared-fields'

export const legalCookies = [
  block('legal.cookies', 'Cookie Policy', ['/cookies'], legalFields, {
    title: 'Cookie Policy',
    modified: { text: ['Ultima modifica: ', { changed: 'Agosto 2024' }] },
    contents: 'In questa pagina',
    sections: [
      {
        id: 's0',
        when: 'always',
        text: "Questa pagina spiega quali cookie e quali strumenti simili usa il sito. È redatta ai sensi dell'art. 13 del Regolamento (UE) 2016/679 (GDPR), dell'art. 122 del Codice privacy e delle Linee guida del Garante per la protezione dei dati personali del 10 giugno 2021 su cookie e altri strumenti di tracciamento.",
      },
      {
        id: 's0-1',
        when: 'counted',
        text: 'In breve: il sito usa soltanto strumenti tecnici. Le visite vengono contate dal server, senza cookie e senza scrivere o leggere nulla sul tuo dispositivo. Non ci sono cookie di analisi, di marketing o di terze parti, e nessuna pagina chiede dati a server diversi da quello del sito.',
      },
      {
        id: 's0-2',
        when: 'uncounted',
        text: 'In breve: il sito usa soltanto strumenti tecnici. Non ci sono cookie di analisi, di marketing o di terze parti, e nessuna pagina chiede dati a server diversi da quello del sito.',
      },
      {
        id: 's1',
        when: 'always',
        title: 'Che cosa sono i cookie',
        text: "I cookie sono piccoli testi che un sito salva nel browser di chi lo visita e che il browser rimanda al sito nelle visite successive. Esistono strumenti simili, come la memoria locale del browser (localStorage): anche qui si salva un'informazione, che però resta sul dispositivo e non viene inviata al server in automatico.",
      },
      {
        id: 's2',
        when: 'always',
        title: 'Come li usa questo sito',
        text: "Chi visita le pagine pubbliche non riceve alcun cookie dal sito. Nel browser restano soltanto la scelta fatta nel riquadro informativo sui cookie e, per chi scrive una testimonianza da un link personale, la bozza finché non viene inviata. Chi gestisce il sito, quando accede all'area riservata, riceve anche un cookie di sessione.",
      },
      {
        id: 's3',
        when: 'always',
        title: 'Strumenti tecnici necessari',
        text: "Servono al funzionamento del sito e non richiedono consenso.\n\n**cookie-consent**\n\n- Tipo: memoria locale del browser (localStorage), non è un cookie.\n- Chi riguarda: chi fa una scelta nel riquadro informativo.\n- A che cosa serve: ricordare le tue preferenze e non mostrare di nuovo il riquadro.\n- Che cosa contiene: tre valori, cioè necessari (sempre attivi), analisi e marketing (sì o no), con la data e la versione della scelta.\n- Durata: sei mesi, poi la scelta ti viene chiesta di nuovo; meno, se la cambi o cancelli i dati del browser.\n\n**Bozza di una testimonianza**\n\n- Tipo: memoria locale del browser (localStorage), non è un cookie.\n- Chi riguarda: chi apre un link personale e comincia a scrivere.\n- A che cosa serve: ritrovare il testo se la pagina si chiude prima dell’invio.\n- Che cosa contiene: quello che hai scritto nella pagina. Non viene inviato finché non premi il pulsante.\n- Durata: fino all’invio, o finché non cancelli la bozza o i dati del browser.\n\n**Cookie di sessione dell'area riservata**\n\n- Tipo: cookie tecnico di prima parte.\n- Chi riguarda: soltanto chi gestisce il sito e accede con la propria password.\n- A che cosa serve: riconoscere l'accesso e proteggere le operazioni di gestione.\n- Che cosa contiene: un codice casuale, senza dati personali.\n- Durata: fino all'uscita o alla scadenza della sessione.",
      },
      {
        id: 's4',
        when: 'counted',
        title: 'Cookie di analisi',
        text: 'Al momento il sito non usa cookie di analisi. Il server tiene soltanto totali per giorno, come spiega la [Privacy Policy](/privacy). La voce «Analisi» del riquadro è predisposta per il futuro: oggi, anche se la autorizzi, non attiva nulla.',
      },
      {
        id: 's4-1',
        when: 'uncounted',
        title: 'Cookie di analisi',
        text: 'Al momento il sito non usa cookie di analisi né altri strumenti di statistica. La voce «Analisi» del riquadro è predisposta per il futuro: oggi, anche se la autorizzi, non attiva nulla.',
      },
      {
        id: 's4-2',
        when: 'always',
        text: 'Se un giorno venissero introdotti, questa pagina indicherebbe il fornitore, lo scopo e la durata, e il consenso ti verrebbe chiesto di nuovo prima di attivarli.',
      },
      {
        id: 's5',
        when: 'always',
        title: 'Cookie di terze parti',
        text: {
          text: [
            'Al momento il sito non contiene mappe incorporate, video incorporati né pulsanti dei social network che comunichino con altri server. Immagini, caratteri e programmi necessari alle pagine arrivano tutti dal server del sito.\n\nSono presenti normali collegamenti, per esempio a WhatsApp, ',
            {
              either: [
                [
                  'a ',
                  {
                    setting: 'socialName',
                  },
                ],
                ['ai social'],
              ],
            },
            ", alla libreria online e all'editore. Se li apri, passi a un altro sito, che può usare cookie propri secondo la propria informativa.\n\nLo stesso vale per i cookie di marketing: non ce ne sono. La voce «Marketing» del riquadro è predisposta per il futuro e oggi non attiva nulla.",
          ],
        },
      },
      {
        id: 's6',
        when: 'always',
        title: 'Come gestirli dal browser',
        text: 'Puoi vedere, bloccare o cancellare cookie e dati dei siti dalle impostazioni del browser, di solito nelle voci «Privacy» o «Cookie e dati dei siti». Se cancelli questi dati, alla visita successiva il riquadro informativo compare di nuovo. Se li blocchi, le pagine pubbliche continuano a funzionare.',
      },
      {
        id: 's7',
        when: 'always',
        title: 'Il tuo consenso',
        text: 'Alla prima visita puoi scegliere «Solo Necessari», «Accetta Tutti» oppure «Personalizza». Chiudere il riquadro senza scegliere equivale a «Solo Necessari». Scorrere la pagina non vale come consenso.\n\nPuoi cambiare idea in ogni momento con il collegamento «Preferenze cookie» in fondo a ogni pagina. Dopo una scelta, il riquadro non viene riproposto per sei mesi, salvo che cambino gli strumenti usati o che i dati del browser vengano cancellati.',
      },
      {
        id: 's8',
        when: 'always',
        title: 'Durata in sintesi',
        text: "- cookie-consent: sei mesi; meno, se cambi la scelta o cancelli i dati del browser.\n- Cookie di sessione dell'area riservata: fino all'uscita o alla scadenza della sessione.\n- Cookie di analisi, di marketing e di terze parti: nessuno.",
      },
      {
        id: 's9',
        when: 'always',
        title: 'Aggiornamenti',
        text: 'Se gli strumenti usati dal sito cambiano, questa pagina viene aggiornata insieme alla data indicata in alto.',
      },
      {
        id: 's10',
        when: 'always',
        title: 'Contatti',
        text: {
          text: [
            'Titolare del trattamento: ',
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
            '. Per ogni domanda ',
            {
              either: [
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
            '. Il resto delle informazioni sul trattamento dei dati, compresi i tuoi diritti, è nella [Privacy Policy](/privacy).',
          ],
        },
      },
    ],
  }),
] as const
