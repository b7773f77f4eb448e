// The words of the blog and of one article.

import { consentText } from '../../kinds/kinds.gen'

export const blog = {
  hero: {
    title: 'Blog',
    subtitle: 'Appunti sul respiro, da leggere in pochi minuti e da provare subito.',
  },
  author: '{{practitioner}}',
  card: {
    byline: 'di {author}',
    readMore: "Leggi l'articolo",
    imageAlt: "Immagine dell'articolo: {title}",
  },
  loading: 'Caricamento...',
  empty: {
    title: 'Nessun articolo pubblicato',
    text: 'I primi articoli sono in preparazione. Torna presto a trovarmi.',
  },
  loadMore: 'Carica Altri Articoli',
  errorKey: 'blogLoad',
  categories: {
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
  newsletter: {
    title: 'Un respiro nella posta',
    text: 'Lascia il tuo indirizzo e-mail: ti scrivo quando esce un nuovo articolo o si apre un nuovo appuntamento.',
    emailLabel: 'Indirizzo e-mail',
    emailPlaceholder: 'nome@esempio.it',
    button: 'Iscriviti',
    consent: consentText,
    privacyLink: { label: "Leggi l'informativa privacy", href: '/privacy' },
    success: 'Grazie! Il tuo indirizzo è stato registrato.',
    asked:
      "Grazie! Se l'indirizzo è nuovo riceve ora un'e-mail: apri il collegamento che contiene per confermare. Guarda anche nella posta indesiderata.",
    invalid: "Controlla l'indirizzo e-mail: sembra incompleto.",
    failure: "Non è stato possibile registrare l'indirizzo. Riprova più tardi.",
    elsewhere:
      '[[In questa copia del sito l’iscrizione alla newsletter non funziona. Se vuoi riceverla scrivimi a {{email}}.||In questa copia del sito l’iscrizione alla newsletter non funziona.]]',
  },
  article: {
    back: 'Torna al blog',
    publishedOn: 'Pubblicato il {date}',
    closing: {
      title: 'Vuoi provare di persona?',
      text: 'Venti minuti di consulenza gratuita per fare domande e capire se la pratica è adatta a te.',
      cta: { label: 'Contattami', href: '/contatti' },
    },
    note: 'Gli articoli hanno finalità informative e non sostituiscono il parere del medico o dello psicologo.',
  },
} as const
