// The words around a newsletter in the mail, and of its plain text.

import { type Identity, setting } from '../settings'

export const mailWords = {
  unsubscribeAction: 'Cancella l’iscrizione',
  unsubscribeNote: 'Un passo solo, senza accesso e senza domande.',
  replyNote: 'Puoi rispondere a questa e-mail: la leggo io.',
  lawLine: 'Professione esercitata ai sensi della legge 14 gennaio 2013, n. 4.',
  disclaimerLine:
    'Il Rebirthing è una pratica di crescita personale: non è un trattamento medico né psicoterapeutico.',
  privacyLink: 'Informativa privacy',
  siteLink: 'Vai al sito',
  plainUnsubscribe: 'Per non riceverla più, un passo solo:',
} as const

/** Who writes. */
export function senderLine(identity: Identity): string {
  return `Ti scrive ${setting('practitioner', identity) || setting('brand', identity)}.`
}

/** Who that is by law; '' until the address is known. */
export function addressLine(identity: Identity): string {
  const address = setting('address', identity)
  const practitioner = setting('practitioner', identity)
  const vatNumber = setting('vatNumber', identity)
  if (address === '') return ''
  const known = [practitioner || setting('brand', identity), address]
  return [...known, ...(practitioner && vatNumber ? [`P. IVA ${vatNumber}`] : [])].join(' · ')
}
