// Words every screen shares: header, messaging button, notices.

export const global = {
  siteName: '{{brand}}',
  language: 'it',
  locale: 'it_IT',
  dateLocale: 'it-IT',
  dateFormat: { day: 'numeric', month: 'long', year: 'numeric' },
  skipToContent: 'Vai al contenuto',
  header: {
    navLabel: 'Navigazione principale',
    items: [
      { key: 'home', label: 'Home', href: '/' },
      { key: 'about', label: 'Chi Sono', href: '/chi-sono' },
      { key: 'rebirthing', label: "Cos'è il Rebirthing", href: '/rebirthing' },
      { key: 'logo', label: '{{brand}}', href: '/', isLogo: true },
      { key: 'testimonials', label: 'Testimonianze', href: '/testimonianze' },
      { key: 'events', label: 'Eventi', href: '/eventi' },
      { key: 'contact', label: 'Contatti', href: '/contatti' },
    ],
    mobile: { openMenu: 'Apri il menu', closeMenu: 'Chiudi il menu', drawerTitle: 'Menu' },
  },
  scrollToTop: { label: "Torna all'inizio della pagina" },
  messaging: {
    label: 'Scrivimi su WhatsApp',
    accessibleLabel: 'Scrivimi su WhatsApp: si apre in una nuova scheda',
    urlPattern: 'https://wa.me/{{whatsapp}}?text={text}',
    prefilledGreeting: 'Ciao, vorrei ricevere informazioni sul Rebirthing.',
  },
  externalLink: { newTabHint: 'si apre in una nuova scheda' },
  toast: { regionLabel: 'Notifiche ({hotkey})', close: 'Chiudi la notifica' },
  loading: 'Caricamento...',
  retry: 'Riprova',
  disclaimer:
    'Il Rebirthing è una pratica di respirazione consapevole e di crescita personale. Non è un trattamento medico né psicoterapeutico e non sostituisce il parere del medico, dello psicologo o dello psicoterapeuta.',
  professionalLawNotice: 'Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4.',
} as const
