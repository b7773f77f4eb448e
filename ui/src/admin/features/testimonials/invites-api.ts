// Invitations to write a testimonial in the server's format, and the messages that contain their link.
import { withArticle } from '../../../lib/date-article'
import { romeDay } from '../../../lib/rome-time'

export type Invite = {
  readonly id: string
  readonly name: string
  readonly activity: string
  readonly state: 'waiting' | 'opened' | 'received' | 'expired' | 'cancelled'
  readonly expiresAt: string
  /** The last day on which the link works, as text. */
  readonly until: string
  /** Id of the testimonial that was received; null before, and after its deletion. */
  readonly itemId: string | null
}

export type Invites = {
  readonly requests: readonly Invite[]
  readonly waiting: number
  readonly new: number
  readonly mails: boolean
}

export type CreatedInvite = { readonly request: Invite; readonly url: string }

export const REQUESTS_PATH = '/api/admin/testimonial-requests'

/** Number of midnights in Italy until the link expires. */
export function daysLeft({ expiresAt }: Invite, now: number): number {
  const day = (moment: number) => Date.parse(romeDay(moment, 0))
  return (day(Date.parse(expiresAt)) - day(now)) / 86_400_000
}

type Signature = { readonly practitioner: string; readonly brand: string }

const thanks = 'grazie per il tempo passato a respirare insieme.'
const wish = 'Se ti va, mi farebbe piacere leggere com’è stato per te: bastano poche righe.'

/** Text for a messenger. */
export function shortMessage({ request, url }: CreatedInvite): string {
  const { name, until } = request
  const greeting = name === '' ? 'Ciao' : `Ciao ${name}`
  return `${greeting}, ${thanks} ${wish} Il link è solo tuo e vale fino ${withArticle('al', until)}: ${url}\nNessun obbligo: va bene anche non rispondere.`
}

/** Signed text for an e-mail. */
export function letter(
  { request, url }: CreatedInvite,
  { practitioner, brand }: Signature,
): string {
  const { name, until } = request
  const greeting = name === '' ? 'Ciao' : `Ciao ${name}`
  return `${greeting},\n\n${thanks}\n\n${wish} Il link è solo tuo e vale fino ${withArticle('al', until)}:\n\n${url}\n\nDecidi tu come firmare e che cosa scrivere. Nessun obbligo: va bene anche non rispondere.\n\n${practitioner || brand}\n`
}

export const SUBJECT = 'Com’è stato per te?'

/** Opens WhatsApp, which asks for the recipient. */
export function messengerHref(message: string): string {
  return `https://wa.me/?text=${encodeURIComponent(message)}`
}

/** `mailto:` link, for sites that cannot send e-mail themselves. */
export function mailHref(text: string): string {
  const body = encodeURIComponent(text.replaceAll('\n', '\r\n'))
  return `mailto:?subject=${encodeURIComponent(SUBJECT)}&body=${body}`
}
