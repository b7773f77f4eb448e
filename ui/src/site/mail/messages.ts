// Fixed texts around a newsletter email, and of its plain-text part. Texts in the practitioner's
// name and legal texts are content blocks: `newsletter.letters`, `footer.legal`.

import { type Identity, setting } from '../settings'

export const mailMessages = {
  privacyLink: 'Informativa privacy',
  siteLink: 'Vai al sito',
  plainUnsubscribe: 'Per non riceverla più, un passo solo:',
} as const

/** Names the sender. */
export function senderLine(identity: Identity): string {
  return `Ti scrive ${setting('practitioner', identity) || setting('brand', identity)}.`
}
