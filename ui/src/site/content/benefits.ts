// Content of the two benefit cards on the home page and of their dialogs.

import { block, line, list, sentences } from './schema'

const card = {
  title: line('Titolo', 40),
  subtitle: line('Sottotitolo'),
  openLabel: line('Pulsante', 60),
  listTitle: line("Titolo dell'elenco"),
  listIntro: sentences("Introduzione dell'elenco"),
  items: list('Benefici', { text: line('Beneficio', 200) }, { min: 1, max: 30 }),
}

export const benefits = [
  block(
    'benefits.section',
    'I benefici',
    ['/'],
    { title: line('Titolo'), text: sentences('Testo'), note: sentences('Nota sotto gli elenchi') },
    {
      title: 'I benefici di un respiro consapevole',
      text: 'Sono gli aspetti che chi pratica racconta più spesso. Ogni esperienza è personale: leggili come spunti, non come promesse.',
      note: "Aspetti raccontati da chi pratica con continuità. L'esperienza cambia da persona a persona e non è una promessa di risultato. Il Rebirthing non è un trattamento medico né psicoterapeutico.",
    },
    { hideable: true },
  ),
  block(
    'benefits.physical',
    'Benefici fisici',
    ['/'],
    card,
    {
      title: 'FISICI',
      subtitle: 'Quello che senti nel corpo',
      openLabel: 'Scopri i benefici',
      listTitle: 'Benefici fisici',
      listIntro:
        'Respirare in modo ampio e continuo è, prima di tutto, un gesto del corpo. Ecco che cosa può capitare di notare.',
      items: [
        {
          id: '1',
          text: 'Un respiro più ampio e regolare',
        },
        {
          id: '2',
          text: 'Un diaframma più libero di muoversi',
        },
        {
          id: '3',
          text: 'Spalle, collo e mascella meno contratti',
        },
        {
          id: '4',
          text: 'Una postura più aperta e naturale',
        },
        {
          id: '5',
          text: 'Una sensazione di leggerezza dopo la sessione',
        },
        {
          id: '6',
          text: "Un'energia più stabile nel corso della giornata",
        },
        {
          id: '7',
          text: 'Un recupero più dolce dopo uno sforzo',
        },
        {
          id: '8',
          text: 'Un passaggio più morbido dalla giornata al riposo',
        },
        {
          id: '9',
          text: 'Una voce più piena, sostenuta dal fiato',
        },
        {
          id: '10',
          text: 'Un ascolto più attento dei segnali del corpo',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'benefits.mental',
    'Benefici mentali',
    ['/'],
    card,
    {
      title: 'MENTALI',
      subtitle: 'Quello che cambia nello sguardo',
      openLabel: 'Scopri i benefici',
      listTitle: 'Benefici mentali',
      listIntro:
        'Quando il respiro trova il suo ritmo, anche i pensieri smettono di correre. Ecco che cosa può capitare di notare.',
      items: [
        {
          id: '1',
          text: 'Una calma più facile da ritrovare nei momenti intensi',
        },
        {
          id: '2',
          text: "Una mente più lucida quando c'è da decidere",
        },
        {
          id: '3',
          text: "Un'attenzione più salda, una cosa alla volta",
        },
        {
          id: '4',
          text: 'Più spazio tra ciò che accade e come rispondi',
        },
        {
          id: '5',
          text: 'Più confidenza con le tue emozioni',
        },
        {
          id: '6',
          text: 'Più fiducia nelle tue risorse',
        },
        {
          id: '7',
          text: 'Una motivazione più chiara verso un obiettivo',
        },
        {
          id: '8',
          text: 'Più creatività e più spazio per le idee',
        },
        {
          id: '9',
          text: 'Una presenza più piena nelle relazioni',
        },
      ],
    },
    { hideable: true },
  ),
] as const
