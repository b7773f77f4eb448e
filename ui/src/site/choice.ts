// The choice that a visitor made before opening the contact page, and the message that the page's
// links prefill.

import { choicePath } from '../lib/choice-paths'
import type { Words } from './content'
import type { Item, SiteData } from './data'
import type { ToldEvent } from './event-status'
import { priced } from './money'

/** The choice as the contact page shows it. */
export type Choice = {
  readonly line: string
  readonly subject: string
  readonly letter: string
  /** Path of the page on which the visitor can choose something else. */
  readonly from: string
}

type Chosen = SiteData & { readonly choice: Choice | null }

/**
 * Returns the site data with the choice for the key of a page; `choice` is null for an unknown key.
 */
export function chosenByKey(site: SiteData, key: string): Chosen {
  // `contatti.messages` is absent on the contact page without a choice.
  const words: Words['contatti.messages'] | undefined = site.words['contatti.messages']
  const path = `/contatti/per/${key}`
  const asked = words?.asks.find(({ id }) => choicePath(id) === path)
  if (asked === undefined || words === undefined) return { ...site, choice: null }
  const { title, ask } = asked
  const { offers } = site.words['servizi.offers']
  const { packages } = site.words['pricing.packages']
  const sold = [...offers, ...packages]
  // A message that the practitioner added belongs to the offer whose button links to this page.
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

/**
 * Matches the button that the visitor pressed: for a cancelled, past or sold-out event the message
 * does not ask for a place.
 */
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

/** Makes every WhatsApp link on the page prefill the message for the choice. */
function asking(site: SiteData, { title, detail, ask, subject, end, from }: Asked): Chosen {
  const { greeting } = site.words['contatti.messages']
  const { chosen } = site.words['contatti.choice']
  const line = `${chosen} ${[title, detail].filter(Boolean).join(', ')}`
  const settings = { ...site.settings, whatsappGreeting: `${greeting} ${ask}` }
  const letter = `${[greeting, ask, ...end].join('\n\n')}\n`
  return { ...site, settings, choice: { line, subject, letter, from } }
}
