// What the contact page says of a choice, and the message that its links carry.

import { type ChoiceName, choiceKeys } from './choice-paths'
import { messages } from './content/choices'
import type { Item, SiteData } from './data'

/** What was chosen, as the page shows it. */
export type Choice = {
  readonly line: string
  readonly subject: string
  readonly letter: string
  /** Where another is chosen. */
  readonly from: string
}

type Chosen = SiteData & { readonly choice: Choice | null }

/** The choice that a page's key stands for; the page without one for any other key. */
export function chosenByKey(site: SiteData, key: string): Chosen {
  const name = (Object.keys(choiceKeys) as ChoiceName[]).find((name) => choiceKeys[name] === key)
  if (name === undefined) return { ...site, choice: null }
  const { title, ask } = messages.asks[name]
  const { offers } = site.words['servizi.offers']
  const { packages } = site.words['pricing.packages']
  const price = [...offers, ...packages].find(({ id }) => id === name)?.price.text
  return asking(site, {
    title,
    detail: price,
    subject: title,
    ask: put(ask, { price }),
    letter: messages.letter,
    from: '/servizi',
  })
}

export function chosenEvent(site: SiteData, event: Pick<Item<'events'>, 'title' | 'date'>): Chosen {
  const words = messages.event
  const values = { title: event.title, date: event.date }
  return asking(site, {
    title: event.title,
    detail: event.date,
    subject: put(words.subject, values),
    ask: put(event.date ? words.ask : words.undatedAsk, values),
    letter: words.letter,
    from: '/eventi',
  })
}

type Asked = Pick<Choice, 'subject' | 'letter' | 'from'> & {
  readonly title: string
  readonly detail: string | null | undefined
  readonly ask: string
}

/** Every link of the page to the messenger begins with what was chosen. */
function asking(site: SiteData, { title, detail, ask, subject, letter, from }: Asked): Chosen {
  const line = put(detail ? messages.chosen : messages.chosenFree, { title, detail })
  const whatsappGreeting = put(messages.message, { ask })
  const settings = { ...site.settings, whatsappGreeting }
  return { ...site, settings, choice: { line, subject, letter: put(letter, { ask }), from } }
}

type Values = Readonly<Record<string, string | null | undefined>>

/** In one go: what a title has in braces is no place to fill. */
function put(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '')
}
