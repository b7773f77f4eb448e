// Content of the blog and around an article.

import { block, button, line, list, picture, sentences } from './schema'
import { closing, icon } from './shared-fields'

export const blog = [
  block(
    'blog.hero',
    'Apertura',
    ['/blog'],
    {
      title: line('Titolo', 60),
      subtitle: sentences('Sottotitolo', 240),
      picture: picture('Immagine di apertura'),
    },
    {
      title: 'Blog',
      subtitle: 'Appunti sul respiro, da leggere in pochi minuti e da provare subito.',
    },
  ),
  block(
    'blog.empty',
    'Quando non ci sono articoli',
    ['/blog'],
    { title: line('Titolo'), text: sentences('Testo') },
    {
      title: 'Nessun articolo pubblicato',
      text: 'I primi articoli sono in preparazione. Torna presto a trovarmi.',
    },
  ),
  block(
    'blog.labels',
    'Sulle schede degli articoli',
    ['/blog', '/blog/{slug}'],
    { by: line("Prima dell'autore", 40), more: line('Pulsante che ne mostra altri', 60) },
    {
      by: 'di',
      more: 'Carica Altri Articoli',
    },
  ),
  block(
    'blog.categories',
    'Le categorie',
    ['/blog'],
    {
      title: line('Titolo'),
      items: list(
        'Categorie',
        { icon: icon(), name: line('Nome', 40), text: sentences('Testo', 300) },
        { min: 1, max: 12 },
      ),
    },
    {
      title: 'Di che cosa parliamo',
      items: [
        {
          id: 'techniques',
          name: 'Tecniche',
          text: 'Esercizi e indicazioni pratiche, spiegati passo dopo passo.',
          icon: 'Wind',
        },
        {
          id: 'healing',
          name: 'Guarigione',
          text: 'Storie di cambiamento e di cura di sé, nel senso quotidiano della parola. Qui non si parla di medicina.',
          icon: 'Sprout',
        },
        {
          id: 'spirituality',
          name: 'Spiritualità',
          text: 'Silenzio, senso e ascolto: domande aperte, senza dottrine.',
          icon: 'Sunrise',
        },
        {
          id: 'wellbeing',
          name: 'Benessere',
          text: 'Il respiro nelle giornate normali: lavoro, riposo, movimento, relazioni.',
          icon: 'Leaf',
        },
      ],
    },
    { hideable: true },
  ),
  block(
    'blog.newsletter',
    'Newsletter',
    ['/blog'],
    {
      title: line('Titolo'),
      text: sentences('Testo'),
      emailLabel: line('Sopra il campo', 60),
      emailExample: line('Esempio nel campo', 60),
      button: line('Pulsante', 40),
      success: sentences("Quando l'indirizzo è registrato", 300),
      asked: sentences("Quando parte l'e-mail di conferma", 400),
      invalid: sentences("Quando l'indirizzo non va", 300),
      failure: sentences('Quando non riesce', 300),
      ...button('privacy', "Link all'informativa"),
      elsewhere: sentences('In una copia del sito senza programma', 400),
    },
    {
      title: 'Un respiro nella posta',
      text: 'Lascia il tuo indirizzo e-mail: ti scrivo quando esce un nuovo articolo o si apre un nuovo appuntamento.',
      emailLabel: 'Indirizzo e-mail',
      emailExample: 'nome@esempio.it',
      button: 'Iscriviti',
      success: 'Grazie! Il tuo indirizzo è stato registrato.',
      asked:
        "Grazie! Se l'indirizzo è nuovo riceve ora un'e-mail: apri il collegamento che contiene per confermare. Guarda anche nella posta indesiderata.",
      invalid: "Controlla l'indirizzo e-mail: sembra incompleto.",
      failure: "Non è stato possibile registrare l'indirizzo. Riprova più tardi.",
      privacy: "Leggi l'informativa privacy",
      privacyLink: '/privacy',
      elsewhere: {
        text: [
          {
            either: [
              [
                'In questa copia del sito l’iscrizione alla newsletter non funziona. Se vuoi riceverla scrivimi a ',
                {
                  setting: 'email',
                },
                '.',
              ],
              ['In questa copia del sito l’iscrizione alla newsletter non funziona.'],
            ],
          },
        ],
      },
    },
  ),
  block(
    'articolo.labels',
    'Le parole intorno a un articolo',
    ['/blog/{slug}'],
    {
      back: line('Link indietro', 60),
      contents: line("Titolo dell'indice", 60),
      published: line('Prima della data', 40),
      updated: line("Prima della data dell'aggiornamento", 40),
      related: line('Titolo degli altri articoli', 60),
      older: line('Verso quello di prima', 60),
      newer: line('Verso quello dopo', 60),
      note: sentences('Nota in fondo'),
    },
    {
      back: 'Torna al blog',
      contents: 'In questo articolo',
      published: 'Pubblicato il',
      updated: 'Aggiornato il',
      related: 'Altri articoli',
      older: 'Articolo precedente',
      newer: 'Articolo successivo',
      note: 'Gli articoli hanno finalità informative e non sostituiscono il parere del medico o dello psicologo.',
    },
  ),
  block(
    'articolo.closing',
    'Chiusura',
    ['/blog/{slug}'],
    closing,
    {
      title: 'Vuoi provare di persona?',
      text: 'Venti minuti di consulenza gratuita per fare domande e capire se la pratica è adatta a te.',
      links: [
        {
          id: '1',
          label: 'Contattami',
          labelLink: '/contatti',
        },
      ],
    },
    { hideable: true },
  ),
] as const
