// Content of the page about the method.

import { block, button, line, list, optional, paragraphs, picture, sentences } from './schema'
import { icon } from './shared-fields'

const audience = {
  title: line('Titolo'),
  text: paragraphs('Testo'),
  cards: list(
    'Schede',
    {
      icon: icon(),
      title: line('Titolo', 60),
      text: sentences('Testo', 240),
      backTitle: line('Titolo sul retro'),
      items: list('Righe sul retro', { text: line('Riga', 160) }, { min: 1, max: 10 }),
    },
    { min: 1, max: 9 },
  ),
  note: optional(sentences('Nota')),
  ...button('cta', 'Pulsante'),
  picture: picture('Immagine'),
}

export const rebirthing = [
  block(
    'rebirthing.hero',
    'Apertura',
    ['/rebirthing'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: "Cos'è il Rebirthing",
      subtitle:
        'Un modo di respirare continuo, morbido e consapevole. Si impara con una guida, si porta con sé ogni giorno.',
    },
  ),
  block(
    'rebirthing.method',
    'Il metodo',
    ['/rebirthing'],
    { title: line('Titolo'), text: paragraphs('Testo') },
    {
      title: 'Il metodo',
      text: "Il Rebirthing è una tecnica di respirazione consapevole nata negli Stati Uniti negli anni Settanta. Il suo gesto di base è il respiro circolare: l'inspirazione e l'espirazione si susseguono senza pause, come un'onda che sale e scende, senza spingere e senza trattenere.\n\nDetto così sembra facile, e in effetti lo è. La parte interessante è quello che succede quando smettiamo di controllare il respiro e cominciamo ad ascoltarlo: il corpo si distende, l'attenzione torna al presente, le emozioni trovano spazio per farsi sentire e per passare.\n\nLa parola inglese rebirthing significa «rinascere». A me piace leggerla in modo semplice: ricominciare dal respiro, che è la prima cosa che abbiamo imparato a fare.",
    },
  ),
  block(
    'rebirthing.steps',
    'Come si svolge una sessione',
    ['/rebirthing'],
    {
      title: line('Titolo'),
      items: list(
        'Passi',
        { title: line('Titolo', 60), text: sentences('Testo') },
        { min: 1, max: 10 },
      ),
      ...button('prices', 'Link'),
    },
    {
      title: 'Come si svolge una sessione',
      items: [
        {
          id: '1',
          title: 'Ci conosciamo',
          text: 'Mi racconti come stai e che cosa ti porta qui. Verifichiamo insieme che la pratica sia adatta a te.',
        },
        {
          id: '2',
          title: 'Impari la tecnica',
          text: 'Ti mostro il respiro circolare e lo proviamo per qualche minuto, con calma, finché ti viene naturale.',
        },
        {
          id: '3',
          title: 'Respiri',
          text: 'Ti distendi in una posizione comoda e respiri con continuità. Io resto accanto a te e ti guido con la voce, solo quando serve.',
        },
        {
          id: '4',
          title: 'Torni con calma',
          text: "Il respiro rientra nel suo ritmo naturale. Ti riposi e, se lo desideri, mi racconti com'è andata.",
        },
      ],
      prices: 'Vedi servizi e prezzi',
      pricesLink: '/servizi',
    },
    { hideable: true },
  ),
  block(
    'rebirthing.boundaries',
    'Che cosa non è',
    ['/rebirthing'],
    { title: line('Titolo'), text: sentences('Testo', 1200), ...button('cta', 'Link') },
    {
      title: 'Che cosa non è',
      text: 'Il Rebirthing non è un trattamento medico né psicoterapeutico, non serve a fare diagnosi e non sostituisce cure o terapie. In caso di gravidanza, gravi problemi cardiaci, epilessia, disturbi psichiatrici acuti o uso di psicofarmaci la pratica è controindicata: parlane prima con il tuo medico.',
      cta: 'Leggi le domande frequenti',
      ctaLink: '/contatti',
    },
  ),
  block(
    'rebirthing.stress',
    'Lo stress e il respiro',
    ['/rebirthing'],
    {
      title: line('Titolo'),
      text: paragraphs('Testo'),
      note: optional(sentences('Nota')),
      signsTitle: line('Titolo dei segnali'),
      signs: list('Segnali', { text: line('Segnale', 160) }, { min: 1, max: 12 }),
      learningsTitle: line('Titolo di quello che si impara'),
      learnings: list('Che cosa si impara', { text: line('Riga', 160) }, { min: 1, max: 12 }),
    },
    {
      title: 'Lo stress e il respiro',
      text: "Quando siamo sotto pressione il respiro è il primo ad accorgersene: sale verso il petto, si fa corto, a volte si ferma. Di solito è anche l'ultima cosa a cui pensiamo.\n\nLo stress non si cancella con un esercizio, e nessuno dovrebbe prometterlo. Si può però imparare a riconoscerlo prima, a non aggiungere tensione alla tensione, a concedersi una pausa che sia davvero una pausa.",
      note: 'Se lo stress diventa sofferenza, o dura da tempo, rivolgiti al tuo medico o a uno psicologo: questa pratica non può prenderne il posto.',
      signsTitle: 'Segnali da ascoltare',
      signs: [
        {
          id: '1',
          text: 'Trattieni il fiato mentre leggi un messaggio',
        },
        {
          id: '2',
          text: 'Arrivi a sera con le spalle alzate e la mascella stretta',
        },
        {
          id: '3',
          text: 'Sospiri spesso senza sapere perché',
        },
        {
          id: '4',
          text: 'Fai tre cose insieme e non ne senti nessuna',
        },
      ],
      learningsTitle: 'Che cosa impari a fare',
      learnings: [
        {
          id: '1',
          text: 'Accorgerti del respiro mentre la giornata corre',
        },
        {
          id: '2',
          text: 'Sciogliere la fretta con pochi minuti di pratica',
        },
        {
          id: '3',
          text: "Riconoscere un'emozione prima che decida per te",
        },
        {
          id: '4',
          text: 'Chiudere la giornata e lasciare il lavoro dove sta',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'flip-cards.business',
    'Rebirthing per le aziende',
    ['/rebirthing'],
    audience,
    {
      title: 'Rebirthing per le aziende',
      text: "Un'azienda è fatta di persone che respirano nella stessa stanza, o davanti allo stesso schermo. Gli incontri portano nel luogo di lavoro strumenti essenziali, da usare tra una riunione e l'altra, senza abbigliamento sportivo e senza parole difficili.\n\nSi può cominciare con un incontro di prova, proseguire con un ciclo o dedicare una giornata intera a un gruppo. Formato e durata si costruiscono insieme.",
      cards: [
        {
          id: 'people',
          icon: 'UserCheck',
          title: 'Per le persone',
          text: 'Strumenti semplici per vivere meglio la giornata di lavoro.',
          backTitle: 'Che cosa portano a casa',
          items: [
            {
              id: '1',
              text: 'Pause brevi che lasciano il segno',
            },
            {
              id: '2',
              text: 'Più attenzione su un compito alla volta',
            },
            {
              id: '3',
              text: 'Un modo concreto di gestire i picchi di lavoro',
            },
            {
              id: '4',
              text: 'Un confine più netto tra ufficio e vita privata',
            },
          ],
        },
        {
          id: 'team',
          icon: 'UsersRound',
          title: 'Per il gruppo',
          text: "Un'esperienza condivisa che migliora l'ascolto.",
          backTitle: 'Che cosa cambia insieme',
          items: [
            {
              id: '1',
              text: 'Riunioni che cominciano con la testa presente',
            },
            {
              id: '2',
              text: 'Più ascolto e meno interruzioni',
            },
            {
              id: '3',
              text: 'Un linguaggio comune per dire come si sta',
            },
            {
              id: '4',
              text: 'Un momento di incontro fuori dai ruoli',
            },
          ],
        },
        {
          id: 'company',
          icon: 'Building2',
          title: "Per l'azienda",
          text: 'Un segno di attenzione concreto, facile da organizzare.',
          backTitle: "Che cosa offre l'iniziativa",
          items: [
            {
              id: '1',
              text: 'Incontri in sede o in videochiamata',
            },
            {
              id: '2',
              text: 'Programma costruito sulle esigenze del gruppo',
            },
            {
              id: '3',
              text: 'Nessuna attrezzatura particolare richiesta',
            },
            {
              id: '4',
              text: "Un'idea in più per le giornate dedicate al benessere",
            },
          ],
        },
      ],
      note: 'Gli incontri in azienda sono attività formative e di benessere: non sostituiscono gli adempimenti in materia di salute e sicurezza sul lavoro.',
      cta: 'Chiedi una proposta per la tua azienda',
      ctaLink: '/contatti?servizio=business',
    },
    { hideable: true },
  ),
  block(
    'flip-cards.sport',
    'Rebirthing per lo sport',
    ['/rebirthing'],
    audience,
    {
      title: 'Rebirthing per lo sport',
      text: "Chi fa sport allena muscoli, tecnica e tattica. Il respiro, che tiene insieme tutto, spesso resta fuori dal programma. Eppure è lì che si sente per prima la tensione della gara, ed è da lì che si può ricominciare.\n\nLavoro con atleti, squadre e società sportive, accanto allo staff tecnico e mai al suo posto. Si respira all'asciutto, lontano dalla prestazione, per conoscere il proprio ritmo e ritrovarlo quando conta.",
      cards: [
        {
          id: 'athlete',
          icon: 'Medal',
          title: 'Per chi gareggia',
          text: 'Arrivare alla partenza con la testa libera.',
          backTitle: 'Che cosa si allena',
          items: [
            {
              id: '1',
              text: 'Ascolto del proprio ritmo di respiro',
            },
            {
              id: '2',
              text: 'Concentrazione nei minuti prima della gara',
            },
            {
              id: '3',
              text: 'Capacità di voltare pagina dopo un errore',
            },
            {
              id: '4',
              text: 'Un ritorno graduale alla calma dopo lo sforzo',
            },
          ],
        },
        {
          id: 'sportsTeam',
          icon: 'Trophy',
          title: 'Per la squadra',
          text: 'Trovare un ritmo comune, dentro e fuori dal campo.',
          backTitle: 'Che cosa cresce insieme',
          items: [
            {
              id: '1',
              text: 'Fiducia reciproca nello spogliatoio',
            },
            {
              id: '2',
              text: 'Un rituale comune prima della partita',
            },
            {
              id: '3',
              text: 'Più lucidità nei momenti decisivi',
            },
            {
              id: '4',
              text: 'Un modo sano di parlare di pressione e di emozioni',
            },
          ],
        },
        {
          id: 'coach',
          icon: 'ClipboardCheck',
          title: 'Per chi allena',
          text: 'Uno strumento in più da inserire nel programma.',
          backTitle: 'Che cosa si aggiunge',
          items: [
            {
              id: '1',
              text: 'Esercizi brevi, adatti al riscaldamento',
            },
            {
              id: '2',
              text: 'Indicazioni chiare su quando usarli e quando no',
            },
            {
              id: '3',
              text: 'Incontri pensati insieme allo staff tecnico',
            },
            {
              id: '4',
              text: "Un'occasione per osservare il gruppo con altri occhi",
            },
          ],
        },
      ],
      note: 'La pratica affianca la preparazione atletica e non sostituisce le indicazioni del medico sportivo. Non si pratica mai in acqua né alla guida.',
      cta: 'Chiedi una proposta per la tua squadra',
      ctaLink: '/contatti?servizio=sport',
    },
    { hideable: true },
  ),
] as const
