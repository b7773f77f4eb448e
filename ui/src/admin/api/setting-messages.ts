// The Italian words of the settings: each says where it appears.

import { settings } from '../../kinds/kinds.gen'
import type { FieldWording, FieldWords } from './schema'
import { type SettingGroup, type SettingName, settingSpecs } from './schema'

export const GROUPS: Readonly<Record<SettingGroup, { title: string; text: string }>> = {
  identity: { title: 'Identità', text: 'Il nome del sito e di chi insegna.' },
  contacts: { title: 'Contatti', text: 'Come ti trovano i visitatori.' },
  legal: {
    title: 'Dati legali',
    text: 'Obbligatori per chi ha la partita IVA: compaiono in fondo a ogni pagina.',
  },
  book: { title: 'Il libro', text: 'La sezione del libro nella pagina Chi Sono.' },
  pictures: {
    title: 'Immagini del sito',
    text: 'Finché non ne carichi, il sito mostra i suoi paesaggi disegnati.',
  },
  site: { title: 'Tutto il sito', text: 'Quello che vale per tutte le pagine insieme.' },
  newsletter: { title: 'Come parte la newsletter', text: 'Chi scrive, e a quale passo.' },
  notices: {
    title: 'Avvisi',
    text: 'Che cosa vuoi sapere per e-mail. Nel pannello trovi sempre tutto, anche a interruttore spento.',
  },
  crawlers: {
    title: 'Le intelligenze artificiali',
    text: 'Che cosa possono fare con le tue pagine ChatGPT, Claude, Gemini e le altre. I motori di ricerca non cambiano.',
  },
}

/** Those of the settings' own area; switches of notices are the account's. */
export const GROUP_ORDER: readonly SettingGroup[] = [
  'identity',
  'contacts',
  'legal',
  'book',
  'pictures',
  'site',
  'newsletter',
  'crawlers',
]

const own: Readonly<Partial<Record<SettingName, FieldWords>>> = {
  brand: {
    help: 'In alto al centro di ogni pagina, nel titolo del browser e nei motori di ricerca.',
  },
  practitioner: {
    help: 'Nella home, in Chi Sono, in fondo alle pagine e come autore degli articoli.',
  },
  towns: {
    placeholder: 'Es. Como e Lugano',
    help: 'Sopra il titolo della home e nelle anteprime dei link. Una o due città bastano.',
  },
  certifyingBody: {
    help: 'In fondo a ogni pagina, accanto all’attestato di Rebirther.',
  },
  phone: {
    placeholder: 'Es. 333 123 4567 oppure +41 79 123 45 67',
    help: 'In Contatti e in fondo alle pagine.',
    tries: 'call',
  },
  email: {
    label: 'E-mail per i visitatori',
    placeholder: 'nome@esempio.it',
    help: 'In Contatti, in fondo alle pagine e nelle informative.',
  },
  whatsapp: {
    placeholder: 'Es. 333 123 4567 oppure +41 79 123 45 67',
    help: 'Il pulsante che segue la pagina e quelli in Contatti.',
    tries: 'message',
  },
  whatsappGreeting: {
    help: 'Il testo già pronto quando un visitatore apre WhatsApp.',
  },
  socialName: {
    placeholder: 'Es. Instagram',
    help: 'In Contatti.',
  },
  socialUrl: {
    placeholder: 'https://',
    help: 'In Contatti.',
  },
  socialProfiles: {
    placeholder: 'Es. https://www.instagram.com/nome',
    help: 'Un indirizzo per riga, fino a otto: in fondo a ogni pagina e in Contatti, ognuno con il suo nome e un disegno.',
  },
  vatNumber: {
    placeholder: 'Es. 01234567897',
    help: 'In fondo a ogni pagina, come chiede la legge.',
  },
  taxCode: {
    placeholder: 'Es. RSSMRA80A01F205X',
    help: 'Solo se non hai la partita IVA: in fondo a ogni pagina prende il suo posto.',
  },
  address: { help: 'In fondo a ogni pagina e nelle informative.' },
  copyrightYear: { help: 'In fondo a ogni pagina.' },
  copyrightYearIsCurrent: {
    help: 'A Capodanno in fondo alle pagine compare l’anno nuovo: «2019–2025» diventa «2019–2026».',
  },
  bookTitle: { help: 'In Chi Sono.' },
  bookstoreUrl: {
    placeholder: 'https://',
    help: 'Il primo pulsante della sezione del libro.',
  },
  publisherUrl: {
    placeholder: 'https://',
    help: 'Il secondo pulsante della sezione del libro.',
  },
  bookEdition: { help: 'Sotto il titolo del libro.' },
  heroImageOne: { help: 'In cima alla home, orizzontale.' },
  heroImageTwo: { help: 'In cima alla home, si alterna alla prima.' },
  portraitImage: { help: 'Nella home e in Chi Sono, meglio verticale.' },
  bookImage: { help: 'In Chi Sono.' },
  banner: {
    placeholder: 'Es. Chiuso per ferie dal 1 al 20 agosto',
    help: 'Sopra ogni pagina. Appare e sparisce da sola nei giorni scritti qui sotto; senza giorni resta finché non la togli.',
  },
  bannerFrom: {
    placeholder: 'Es. 1 agosto',
    help: 'Appare dalla mezzanotte di quel giorno. Puoi scrivere anche «dal 1 al 20 agosto».',
  },
  bannerUntil: {
    placeholder: 'Es. 20 agosto',
    help: 'L’ultimo giorno in cui si vede.',
  },
  asleep: {
    help: 'Chi apre il sito legge solo il messaggio qui sotto, con il tuo telefono e la tua e-mail. Tu, da qui, lo vedi com’è; newsletter e link personali funzionano.',
  },
  asleepMessage: {
    placeholder: 'Es. Torno a settembre. Per urgenze, telefona.',
    help: 'Se lo lasci vuoto, una frase breve dice che tornerai.',
  },
  newsletterPace: {
    help: 'Di solito 60. Molti servizi di posta accettano poco di più; se chiedono di rallentare, il sito lo fa da sé.',
  },
  newsletterSender: {
    help: 'Il nome che si legge accanto all’indirizzo. Di solito il nome del sito o il tuo.',
  },
  newsletterReply: { help: 'Chi risponde alla newsletter scrive qui.' },
  newsletterWelcome: {
    help: 'Un breve saluto dopo la conferma. Spenta: basta la pagina che ringrazia.',
  },
  noticeTestimonial: {
    help: 'Quando qualcuno scrive da un link che hai mandato.',
  },
  noticeBackup: {
    help: 'Quando una copia non riesce, sul server o altrove, o non ce n’è una nuova da una settimana.',
  },
  noticeCertificate: {
    help: 'Quando il rinnovo automatico non riesce, da 14 giorni prima.',
  },
  noticeDevice: {
    help: 'Meglio tenerlo acceso: è il primo segno di un accesso non tuo.',
  },
  noticeServer: {
    help: 'Una volta, appena succede. Se chi gestisce il server ha indicato la sua e-mail, lo sa anche lui.',
  },
  aiCrawlers: {
    label: 'Che cosa possono fare',
    help: 'Il sito lo scrive nel file che i programmi leggono per primo (robots.txt): chi raccoglie testi per l’addestramento di solito lo rispetta, ma nessuno lo obbliga.',
  },
}

/** Each is called as the table of settings calls it, where nothing else is said. */
export const settingMessages = Object.fromEntries(
  Object.entries(settingSpecs).map(([name, { field }]) => [
    name,
    { label: field.label, ...own[name as SettingName] },
  ]),
) as Readonly<Record<SettingName, FieldWording>>

/** The short steps of the first start, and what each asks for. */
export const FIRST_STEPS: readonly {
  title: string
  text: string
  names: readonly SettingName[]
}[] = [
  {
    title: 'Chi sei',
    text: 'Compare nelle pagine pubbliche. Puoi cambiarlo in ogni momento da Impostazioni.',
    names: ['brand', 'practitioner', 'towns'],
  },
  {
    title: 'Come ti contattano',
    text: 'Le prenotazioni arrivano da qui: telefono, e-mail o WhatsApp.',
    names: ['phone', 'email', 'whatsapp'],
  },
  {
    title: 'Dati legali',
    text: 'Compaiono in fondo a ogni pagina, come chiede la legge a chi ha la partita IVA.',
    names: ['vatNumber', 'address'],
  },
  {
    title: 'Le intelligenze artificiali',
    text: 'Possono rispondere a chi cerca citando il tuo sito, senza usare i tuoi testi per addestrarsi. Puoi cambiare idea in Impostazioni.',
    names: ['aiCrawlers'],
  },
]

/** Answers of the setting `aiCrawlers`: the one that the first steps propose, and the one in force without any. */
const [proposed, unsaid] = settings.aiCrawlers.field.words
export const aiAnswers = { proposed, unsaid } as const
