// Texts of the screens behind newsletter links, by the screen names that the server uses.

import type { Words } from '../content/blocks'
import { type Identity, setting } from '../settings'

const invalid = {
  title: 'Collegamento non valido',
  text: 'Questo collegamento è scaduto o non è intero. Aprilo di nuovo dal messaggio, oppure iscriviti ancora dalla pagina Blog: ne riceverai uno nuovo.',
  button: { label: 'Vai al blog', href: '/blog' },
}

const alreadyConfirmed = {
  title: 'Hai già confermato',
  text: 'Non serve altro: la tua iscrizione è attiva.',
}

const alreadyUnsubscribed = {
  title: 'L’iscrizione è già cancellata',
  text: 'Non ricevi più la newsletter a questo indirizzo.',
}

const unavailable = {
  title: 'Riprova tra poco',
  text: 'Adesso il sito non riesce a registrare la tua scelta. Il collegamento resta valido: riprova tra qualche minuto.',
}

/** A visitor with an incomplete link still gets a way to unsubscribe. */
function unsubscribeForged(settings: Identity) {
  const email = setting('email', settings)
  return {
    title: 'Collegamento non intero',
    text:
      email === ''
        ? 'Aprilo di nuovo dal messaggio, oppure rispondi all’e-mail ricevuta: ti cancello io.'
        : `Aprilo di nuovo dal messaggio. Se non funziona scrivi a ${email}: ti cancello io.`,
    ...(email === '' ? {} : { button: { label: 'Scrivi un’e-mail', href: `mailto:${email}` } }),
  }
}

export const screens = [
  'confirm',
  'confirmed',
  'already-confirmed',
  'unsubscribe',
  'unsubscribed',
  'already-unsubscribed',
  'expired',
  'forged',
  'unsubscribe-forged',
  'unavailable',
] as const

export type Screen = (typeof screens)[number]

type Said = {
  readonly title: string
  readonly text: string
  readonly button?: { readonly label: string; readonly href: string }
  /** Label of the button that confirms the action. */
  readonly action?: string
}

export function screenWords(
  screen: Screen,
  words: Words['newsletter.screens'],
  settings: Identity,
): Said {
  const button = { label: words.next, href: words.nextLink }
  switch (screen) {
    case 'confirm':
      return { title: words.confirmTitle, text: words.confirmText, action: words.confirmAction }
    case 'confirmed':
      return { title: words.confirmedTitle, text: words.confirmedText, button }
    case 'already-confirmed':
      return { ...alreadyConfirmed, button }
    case 'already-unsubscribed':
      return { ...alreadyUnsubscribed, button }
    case 'unsubscribe-forged':
      return unsubscribeForged(settings)
    case 'unavailable':
      return unavailable
    case 'unsubscribe':
      return {
        title: words.unsubscribeTitle,
        text: words.unsubscribeText,
        action: words.unsubscribeAction,
      }
    case 'unsubscribed':
      return { title: words.unsubscribedTitle, text: words.unsubscribedText, button }
    default:
      return invalid
  }
}
