// What the program itself says around a newsletter in the mail, and in its plain text. What is said in
// her name, and by law, is words: `newsletter.letters`, `footer.legal`.

import { type Identity, setting } from '../settings'

export const mailWords = {
  privacyLink: 'Informativa privacy',
  siteLink: 'Vai al sito',
  plainUnsubscribe: 'Per non riceverla più, un passo solo:',
} as const

/** Who writes. */
export function senderLine(identity: Identity): string {
  return `Ti scrive ${setting('practitioner', identity) || setting('brand', identity)}.`
}
