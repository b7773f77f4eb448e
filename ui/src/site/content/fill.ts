// The one place where an installation's identity enters the words of the site.
//
// `{{name}}` stands for a setting. `[[a||b||c]]` stands for the first of its alternatives whose
// settings are all known, and for nothing when there is none: so no sentence is left dangling.

/** What the practitioner tells about herself, as far as texts and links use it. */
export type Identity = {
  readonly brand: string | null
  readonly practitioner: string | null
  readonly towns: string | null
  readonly phone: string | null
  readonly email: string | null
  readonly whatsapp: string | null
  readonly whatsappGreeting: string | null
  readonly socialName: string | null
  readonly socialUrl: string | null
  readonly bookTitle: string | null
  readonly bookstoreUrl: string | null
  readonly publisherUrl: string | null
  readonly vatNumber: string | null
  readonly address: string | null
  readonly certifyingBody: string | null
  readonly copyrightYear: string | null
  readonly bookEdition: string | null
}

const settingByPlaceholder: Readonly<Record<string, keyof Identity>> = {
  brand: 'brand',
  practitioner: 'practitioner',
  towns: 'towns',
  phone: 'phone',
  email: 'email',
  whatsapp: 'whatsapp',
  social_name: 'socialName',
  social_url: 'socialUrl',
  book_title: 'bookTitle',
  bookstore_url: 'bookstoreUrl',
  publisher_url: 'publisherUrl',
  vat_number: 'vatNumber',
  address: 'address',
  certifying_body: 'certifyingBody',
  copyright_year: 'copyrightYear',
  book_edition: 'bookEdition',
}

/** Settings that have a sensible value before anybody has filled them in. */
const defaults: Partial<Identity> = {
  brand: 'Respiro',
  copyrightYear: '2025',
  bookEdition: 'Terza edizione prevista per gennaio 2026',
  whatsappGreeting: 'Ciao, vorrei ricevere informazioni sul Rebirthing.',
}

/** A setting's value, its default, or '' when it is unknown. */
export function setting(name: keyof Identity, identity: Identity): string {
  return identity[name]?.trim() || defaults[name] || ''
}

/** The text with its settings filled in; '' when one it cannot do without is unknown. */
export function fill(text: string, identity: Identity): string {
  const chosen = text.replace(/\[\[(.*?)\]\]/g, (_, alternatives: string) => {
    const texts = alternatives.split('||')
    return texts.find((candidate) => isFillable(candidate, identity)) ?? ''
  })
  if (!isFillable(chosen, identity)) return ''
  // A function, because a replacement string would read `$&` in a setting as an instruction.
  return chosen.replace(/\{\{(\w+)\}\}/g, (_, name: string) => knownValue(name, identity))
}

/** A telephone number as a link dials it; '' when there is none. */
export function phoneHref(identity: Identity): string {
  const phone = setting('phone', identity)
  const digits = phone.replace(/\D/g, '')
  return digits && `tel:${/^\D*\+/.test(phone) ? '+' : ''}${digits}`
}

type Letter = { readonly subject: string; readonly letter: string }

/** The address a mail program opens, with a letter that is begun; '' when there is none. */
export function emailHref(identity: Identity, begun?: Letter | null): string {
  const email = setting('email', identity)
  if (!email || !begun) return email && `mailto:${email}`
  const body = encodeURIComponent(begun.letter.replaceAll('\n', '\r\n'))
  return `mailto:${email}?subject=${encodeURIComponent(begun.subject)}&body=${body}`
}

/** A conversation that starts with the greeting; '' when there is no number. */
export function whatsappHref(identity: Identity): string {
  const digits = setting('whatsapp', identity).replace(/\D/g, '')
  const greeting = encodeURIComponent(setting('whatsappGreeting', identity))
  return digits && `https://wa.me/${digits}?text=${greeting}`
}

/** A setting that holds a web address, as a link may use it; '' for anything else. */
export function webHref(name: keyof Identity, identity: Identity): string {
  const address = setting(name, identity)
  return /^https?:\/\//i.test(address) ? address : ''
}

function isFillable(text: string, identity: Identity): boolean {
  return [...text.matchAll(/\{\{(\w+)\}\}/g)].every(([, name]) => knownValue(name ?? '', identity))
}

function knownValue(placeholder: string, identity: Identity): string {
  const name = settingByPlaceholder[placeholder]
  return name ? setting(name, identity) : ''
}
