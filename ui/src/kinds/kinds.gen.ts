// Generated from the program's own tables. Do not edit: BLESS=1 cargo test --test generated

export const kinds = {
  'course-testimonials': {
    bornPublished: true,
    picture: false,
    dated: false,
    page: null,
    fields: {
      name: { type: 'line', max: 200, label: "Nome", required: true, audience: 'everyone' },
      testimonial: { type: 'lines', max: 5000, label: "Testimonianza", required: true, audience: 'everyone' },
      profession: { type: 'line', max: 200, label: "Professione", required: false, audience: 'everyone' },
      rating: { type: 'integer', min: 1, max: 5, default: 5, label: "Valutazione", required: false, audience: 'everyone' },
    },
  },
  'photo-gallery': {
    bornPublished: true,
    picture: true,
    dated: false,
    page: null,
    fields: {
      imageUrl: { type: 'picture', label: "Immagine", required: true, audience: 'everyone' },
      filename: { type: 'line', max: 200, label: "Nome del file", required: false, audience: 'everyone' },
      title: { type: 'line', max: 200, label: "Titolo", required: false, audience: 'everyone' },
      description: { type: 'lines', max: 1000, label: "Descrizione", required: false, audience: 'everyone' },
      imageAlt: { type: 'line', max: 300, label: "Testo alternativo", required: false, audience: 'admin' },
      imageDecorative: { type: 'boolean', default: false, label: "Immagine decorativa", required: false, audience: 'admin' },
      imageFocusX: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, da sinistra", required: false, audience: 'admin' },
      imageFocusY: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, dall’alto", required: false, audience: 'admin' },
    },
  },
  'special-thanks': {
    bornPublished: true,
    picture: true,
    dated: false,
    page: null,
    fields: {
      imageUrl: { type: 'picture', label: "Immagine", required: true, audience: 'everyone' },
      filename: { type: 'line', max: 200, label: "Nome del file", required: false, audience: 'everyone' },
      title: { type: 'line', max: 200, label: "Titolo", required: false, audience: 'everyone' },
      description: { type: 'lines', max: 1000, label: "Descrizione", required: false, audience: 'everyone' },
      imageAlt: { type: 'line', max: 300, label: "Testo alternativo", required: false, audience: 'admin' },
      imageDecorative: { type: 'boolean', default: false, label: "Immagine decorativa", required: false, audience: 'admin' },
      imageFocusX: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, da sinistra", required: false, audience: 'admin' },
      imageFocusY: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, dall’alto", required: false, audience: 'admin' },
    },
  },
  'media-features': {
    bornPublished: true,
    picture: true,
    dated: false,
    page: null,
    fields: {
      imageUrl: { type: 'picture', label: "Immagine", required: true, audience: 'everyone' },
      filename: { type: 'line', max: 200, label: "Nome del file", required: false, audience: 'everyone' },
      title: { type: 'line', max: 200, label: "Titolo", required: false, audience: 'everyone' },
      description: { type: 'lines', max: 1000, label: "Descrizione", required: false, audience: 'everyone' },
      externalUrl: { type: 'url', label: "Link esterno", required: false, audience: 'everyone' },
      imageAlt: { type: 'line', max: 300, label: "Testo alternativo", required: false, audience: 'admin' },
      imageDecorative: { type: 'boolean', default: false, label: "Immagine decorativa", required: false, audience: 'admin' },
      imageFocusX: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, da sinistra", required: false, audience: 'admin' },
      imageFocusY: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, dall’alto", required: false, audience: 'admin' },
    },
  },
  'events': {
    bornPublished: false,
    picture: true,
    dated: false,
    page: { prefix: '/evento/', key: 'id' },
    fields: {
      imageUrl: { type: 'picture', label: "Immagine", required: false, audience: 'everyone' },
      title: { type: 'line', max: 200, label: "Titolo", required: true, audience: 'everyone' },
      description: { type: 'lines', max: 1000, label: "Descrizione breve", required: false, audience: 'everyone' },
      content: { type: 'lines', max: 20000, label: "Informazioni dettagliate", required: false, audience: 'everyone' },
      date: { type: 'line', max: 200, label: "Data", required: false, audience: 'everyone' },
      time: { type: 'line', max: 200, label: "Orario", required: false, audience: 'everyone' },
      location: { type: 'line', max: 200, label: "Luogo", required: false, audience: 'everyone' },
      mapUrl: { type: 'url', label: "Link alla mappa", required: false, audience: 'everyone' },
      mode: { type: 'choice', words: ["In presenza", "Online", "In presenza e online"], label: "Come si partecipa", required: false, audience: 'everyone' },
      price: { type: 'price', label: "Prezzo", required: false, audience: 'everyone' },
      placesLeft: { type: 'count', max: 9999, label: "Posti rimasti", required: false, audience: 'everyone' },
      soldOut: { type: 'boolean', default: false, label: "Posti esauriti", required: false, audience: 'everyone' },
      cancelled: { type: 'boolean', default: false, label: "Annullato", required: false, audience: 'everyone' },
      url: { type: 'url', label: "Link per maggiori informazioni", required: false, audience: 'everyone' },
      imageAlt: { type: 'line', max: 300, label: "Testo alternativo", required: false, audience: 'admin' },
      imageDecorative: { type: 'boolean', default: false, label: "Immagine decorativa", required: false, audience: 'admin' },
      imageFocusX: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, da sinistra", required: false, audience: 'admin' },
      imageFocusY: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, dall’alto", required: false, audience: 'admin' },
    },
  },
  'blog': {
    bornPublished: false,
    picture: true,
    dated: true,
    page: { prefix: '/blog/', key: 'slug' },
    fields: {
      slug: { type: 'slug', label: "Indirizzo dell’articolo", required: true, audience: 'everyone' },
      title: { type: 'line', max: 200, label: "Titolo", required: true, audience: 'everyone' },
      excerpt: { type: 'lines', max: 1000, label: "Riassunto", required: false, audience: 'everyone' },
      category: { type: 'openChoice', words: ["Tecniche", "Guarigione", "Spiritualità", "Benessere"], max: 40, label: "Categoria", required: false, audience: 'everyone' },
      imageUrl: { type: 'picture', label: "Immagine", required: false, audience: 'everyone' },
      content: { type: 'markdown', max: 60000, label: "Testo", required: false, audience: 'detail' },
      imageAlt: { type: 'line', max: 300, label: "Testo alternativo", required: false, audience: 'admin' },
      imageDecorative: { type: 'boolean', default: false, label: "Immagine decorativa", required: false, audience: 'admin' },
      imageFocusX: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, da sinistra", required: false, audience: 'admin' },
      imageFocusY: { type: 'integer', min: 0, max: 100, default: 50, label: "Punto da non tagliare, dall’alto", required: false, audience: 'admin' },
    },
  },
  'newsletters': {
    bornPublished: false,
    picture: false,
    dated: false,
    page: null,
    fields: {
      title: { type: 'line', max: 200, label: "Oggetto", required: false, audience: 'everyone' },
      preheader: { type: 'line', max: 200, label: "Riga di anteprima", required: false, audience: 'everyone' },
      content: { type: 'markdown', max: 60000, label: "Testo", required: false, audience: 'everyone' },
      buttonText: { type: 'line', max: 80, label: "Scritta del pulsante", required: false, audience: 'everyone' },
      buttonUrl: { type: 'url', label: "Dove porta", required: false, audience: 'everyone' },
    },
  },
} as const;

export const settings = {
  brand: { group: 'identity', askedAtStart: true, default: "Respiro", field: { type: 'line', max: 200, label: "Nome del sito", required: false, audience: 'everyone' } },
  practitioner: { group: 'identity', askedAtStart: true, default: null, field: { type: 'line', max: 200, label: "Nome e cognome", required: false, audience: 'everyone' } },
  towns: { group: 'identity', askedAtStart: true, default: null, field: { type: 'line', max: 200, label: "Dove lavori", required: false, audience: 'everyone' } },
  certifyingBody: { group: 'identity', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Ente che riconosce l’attestato", required: false, audience: 'everyone' } },
  phone: { group: 'contacts', askedAtStart: true, default: null, field: { type: 'phone', label: "Telefono", required: false, audience: 'everyone' } },
  email: { group: 'contacts', askedAtStart: true, default: null, field: { type: 'email', label: "E-mail", required: false, audience: 'everyone' } },
  whatsapp: { group: 'contacts', askedAtStart: true, default: null, field: { type: 'phone', label: "Numero WhatsApp", required: false, audience: 'everyone' } },
  whatsappGreeting: { group: 'contacts', askedAtStart: false, default: "Ciao, vorrei ricevere informazioni sul Rebirthing.", field: { type: 'line', max: 200, label: "Messaggio iniziale", required: false, audience: 'everyone' } },
  socialName: { group: 'contacts', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Nome del social network", required: false, audience: 'everyone' } },
  socialUrl: { group: 'contacts', askedAtStart: false, default: null, field: { type: 'url', label: "Indirizzo del profilo social", required: false, audience: 'everyone' } },
  socialProfiles: { group: 'contacts', askedAtStart: false, default: null, field: { type: 'lines', max: 2000, label: "Altri profili social", required: false, audience: 'everyone' } },
  vatNumber: { group: 'legal', askedAtStart: true, default: null, field: { type: 'line', max: 200, label: "Partita IVA", required: false, audience: 'everyone' } },
  taxCode: { group: 'legal', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Codice fiscale", required: false, audience: 'everyone' } },
  address: { group: 'legal', askedAtStart: true, default: null, field: { type: 'line', max: 200, label: "Indirizzo", required: false, audience: 'everyone' } },
  copyrightYear: { group: 'legal', askedAtStart: false, default: "2025", field: { type: 'line', max: 200, label: "Anno del copyright", required: false, audience: 'everyone' } },
  copyrightYearIsCurrent: { group: 'legal', askedAtStart: false, default: null, field: { type: 'boolean', default: false, label: "L’anno cambia da solo", required: false, audience: 'admin' } },
  bookTitle: { group: 'book', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Titolo del libro", required: false, audience: 'everyone' } },
  bookstoreUrl: { group: 'book', askedAtStart: false, default: null, field: { type: 'url', label: "Pagina della libreria online", required: false, audience: 'everyone' } },
  publisherUrl: { group: 'book', askedAtStart: false, default: null, field: { type: 'url', label: "Pagina dell’editore", required: false, audience: 'everyone' } },
  bookEdition: { group: 'book', askedAtStart: false, default: "Terza edizione prevista per gennaio 2026", field: { type: 'line', max: 200, label: "Nota sull’edizione", required: false, audience: 'everyone' } },
  heroImageOne: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'picture', label: "Prima immagine di apertura", required: false, audience: 'everyone' } },
  heroImageTwo: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'picture', label: "Seconda immagine di apertura", required: false, audience: 'everyone' } },
  portraitImage: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'picture', label: "Ritratto", required: false, audience: 'everyone' } },
  bookImage: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'picture', label: "Copertina del libro", required: false, audience: 'everyone' } },
  heroImageOneFocusX: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Prima immagine, da sinistra", required: false, audience: 'admin' } },
  heroImageOneFocusY: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Prima immagine, dall’alto", required: false, audience: 'admin' } },
  heroImageTwoFocusX: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Seconda immagine, da sinistra", required: false, audience: 'admin' } },
  heroImageTwoFocusY: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Seconda immagine, dall’alto", required: false, audience: 'admin' } },
  portraitImageFocusX: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Ritratto, da sinistra", required: false, audience: 'admin' } },
  portraitImageFocusY: { group: 'pictures', askedAtStart: false, default: null, field: { type: 'integer', min: 0, max: 100, default: 50, label: "Ritratto, dall’alto", required: false, audience: 'admin' } },
  banner: { group: 'site', askedAtStart: false, default: null, field: { type: 'line', max: 160, label: "Riga in cima al sito", required: false, audience: 'admin' } },
  bannerFrom: { group: 'site', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Dal giorno", required: false, audience: 'admin' } },
  bannerUntil: { group: 'site', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Fino al giorno", required: false, audience: 'admin' } },
  asleep: { group: 'site', askedAtStart: false, default: null, field: { type: 'boolean', default: false, label: "Il sito dorme", required: false, audience: 'admin' } },
  asleepMessage: { group: 'site', askedAtStart: false, default: null, field: { type: 'lines', max: 600, label: "Messaggio mentre dorme", required: false, audience: 'admin' } },
  newsletterPace: { group: 'newsletter', askedAtStart: false, default: null, field: { type: 'integer', min: 1, max: 360000, default: 60, label: "Messaggi l’ora", required: false, audience: 'admin' } },
  newsletterSender: { group: 'newsletter', askedAtStart: false, default: null, field: { type: 'line', max: 200, label: "Chi scrive", required: false, audience: 'admin' } },
  newsletterReply: { group: 'newsletter', askedAtStart: false, default: null, field: { type: 'email', label: "Risposte a", required: false, audience: 'admin' } },
  newsletterWelcome: { group: 'newsletter', askedAtStart: false, default: null, field: { type: 'boolean', default: false, label: "E-mail di benvenuto", required: false, audience: 'admin' } },
  noticeTestimonial: { group: 'notices', askedAtStart: false, default: null, field: { type: 'boolean', default: true, label: "Nuova testimonianza", required: false, audience: 'admin' } },
  noticeBackup: { group: 'notices', askedAtStart: false, default: null, field: { type: 'boolean', default: true, label: "Backup non riuscito", required: false, audience: 'admin' } },
  noticeCertificate: { group: 'notices', askedAtStart: false, default: null, field: { type: 'boolean', default: true, label: "Certificato in scadenza", required: false, audience: 'admin' } },
  noticeDevice: { group: 'notices', askedAtStart: false, default: null, field: { type: 'boolean', default: true, label: "Accesso da un nuovo dispositivo", required: false, audience: 'admin' } },
  noticeServer: { group: 'notices', askedAtStart: false, default: null, field: { type: 'boolean', default: true, label: "Disco quasi pieno o posta rifiutata", required: false, audience: 'admin' } },
  aiCrawlers: { group: 'crawlers', askedAtStart: false, default: null, field: { type: 'choice', words: ["Possono citarti, non addestrarsi", "Nessuna indicazione"], label: "Intelligenze artificiali", required: false, audience: 'admin' } },
} as const;

/** What a setting says until somebody has filled it in. */
export const settingDefaults = {
  brand: "Respiro",
  whatsappGreeting: "Ciao, vorrei ricevere informazioni sul Rebirthing.",
  copyrightYear: "2025",
  bookEdition: "Terza edizione prevista per gennaio 2026",
} as const;

export const pictureFields = ['imageAlt', 'imageDecorative', 'imageFocusX', 'imageFocusY'] as const;

export const limits = {
  passwordCharactersMin: 12,
  uploadBytesMax: 10485760,
} as const;

/** What the program answers, and the panel says before it asks. */
export const answers = {
  wrongSignIn: "E-mail o password non corrette",
  heic: "Questa foto è in formato HEIC, che i browser non mostrano. Sull'iPhone apri la foto, tocca Condividi, poi Opzioni, e scegli il formato «Più compatibile»: ne esce un JPEG da caricare qui. Per le prossime foto: Impostazioni, Fotocamera, Formati, «Più compatibile».",
  price: "Non riesco a leggere la cifra. Scrivi per esempio 15 oppure 15,50; in franchi 15 CHF.",
  over: "Questo momento è già passato: scegline uno dopo.",
  notANumber: "Non è un numero che si può chiamare: controlla le cifre.",
} as const;

/** What stands beside the button and is kept as the proof of consent. */
export const consentText = "Iscrivendoti accetti di ricevere per e-mail gli articoli e gli appuntamenti di {{brand}}, anche a pagamento. Puoi cancellarti quando vuoi, da ogni e-mail.";

/** Last part of a problem's `type`. */
export type ProblemCode =
  | 'bad-request'
  | 'unauthorized'
  | 'refused'
  | 'second-factor-required'
  | 'confirmation-required'
  | 'forbidden'
  | 'owner-required'
  | 'link-ended'
  | 'not-found'
  | 'method-not-allowed'
  | 'conflict'
  | 'stale'
  | 'idempotency-key-reused'
  | 'too-large'
  | 'unsupported-image'
  | 'invalid-image'
  | 'invalid-fields'
  | 'too-many-requests'
  | 'storage-full'
  | 'read-only'
  | 'moved'
  | 'asleep'
  | 'unavailable'
  | 'store'
  | 'render'
  | 'internal';
