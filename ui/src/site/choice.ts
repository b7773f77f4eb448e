// What the contact page says of a choice, and the message that its links carry.

import { choicePath } from '../lib/choice-paths'
import type { Words } from './content'
import type { Item, SiteData } from './data'
import type { ToldEvent } from './event-status'
import { priced } from './money'

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
  // The page without a choice has no words for one.
  const words: Words['contatti.messages'] | undefined = site.words['contatti.messages']
  const path = `/contatti/per/${key}`
  const asked = words?.asks.find(({ id }) => choicePath(id) === path)
  if (asked === undefined || words === undefined) return { ...site, choice: null }
  const { title, ask } = asked
  const { offers } = site.words['servizi.offers']
  const { packages } = site.words['pricing.packages']
  const sold = [...offers, ...packages]
  // What she has added is for the service whose button leads here.
  const own = sold.find(({ id }) => id === asked.id) ?? sold.find(({ ctaLink }) => ctaLink === path)
  const detail = own && priced(own.price)
  return asking(site, {
    title,
    detail,
    subject: title,
    ask,
    end: words.letterEnd,
    from: '/servizi',
  })
}

type ChosenEvent = ToldEvent & Pick<Item<'events'>, 'title' | 'date'>

export function chosenEvent(site: SiteData, event: ChosenEvent): Chosen {
  const { title, date } = event
  const asked = eventAsk(event, site.words['contatti.messages'])
  return asking(site, { title, detail: date, from: '/eventi', ...asked })
}

/** What the pressed button said: who sees that an event is full, over or off asks for no place in it. */
function eventAsk(
  { title, date, cancelled, isPast, soldOut }: ChosenEvent,
  words: Words['contatti.messages'],
): Pick<Asked, 'subject' | 'ask' | 'end'> {
  const what = `«${title}»${date ? `, ${date}` : ''}`
  const clause = `${what}${date ? ',' : ''}`
  const another = `${words.pastSubject} ${title}`
  const end = words.letterEnd
  if (cancelled) {
    return { subject: another, ask: `${words.cancelledAsk} ${clause} ${words.cancelledEnd}`, end }
  }
  if (isPast) return { subject: another, ask: `${words.pastAsk} «${title}», ${words.pastEnd}`, end }
  if (soldOut) {
    const subject = `${words.soldOutSubject} ${title}`
    return { subject, ask: `${words.soldOutAsk} ${clause} ${words.soldOutEnd}`, end }
  }
  return {
    subject: `${words.eventSubject} ${title}`,
    ask: `${words.eventAsk} ${what}. ${words.eventEnd}`,
    end: words.eventLetterEnd,
  }
}

type Asked = Pick<Choice, 'subject' | 'from'> & {
  readonly title: string
  readonly detail: string | null | undefined
  readonly ask: string
  readonly end: readonly string[]
}

/** Every link of the page to the messenger begins with what was chosen. */
function asking(site: SiteData, { title, detail, ask, subject, end, from }: Asked): Chosen {
  const { greeting } = site.words['contatti.messages']
  const { chosen } = site.words['contatti.choice']
  const line = `${chosen} ${[title, detail].filter(Boolean).join(', ')}`
  const settings = { ...site.settings, whatsappGreeting: `${greeting} ${ask}` }
  const letter = `${[greeting, ask, ...end].join('\n\n')}\n`
  return { ...site, settings, choice: { line, subject, letter, from } }
}
