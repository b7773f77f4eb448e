// What the screens behind the links of a newsletter message say, by the names the program calls them.

import type { Words } from '../words'

const invalid = {
  title: 'Collegamento non valido',
  text: 'Questo collegamento è scaduto o non è intero. Aprilo di nuovo dal messaggio, oppure iscriviti ancora dalla pagina Blog: ne riceverai uno nuovo.',
  button: { label: 'Vai al blog', href: '/blog' },
}

export const screens = [
  'confirm',
  'confirmed',
  'unsubscribe',
  'unsubscribed',
  'expired',
  'forged',
] as const

export type Screen = (typeof screens)[number]

type Said = {
  readonly title: string
  readonly text: string
  readonly button?: { readonly label: string; readonly href: string }
  /** Of the button that does it. */
  readonly action?: string
}

export function screenWords(screen: Screen, words: Words['newsletter.screens']): Said {
  const button = { label: words.next, href: words.nextLink }
  switch (screen) {
    case 'confirm':
      return { title: words.confirmTitle, text: words.confirmText, action: words.confirmAction }
    case 'confirmed':
      return { title: words.confirmedTitle, text: words.confirmedText, button }
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
