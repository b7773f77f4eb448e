// The choice that a visitor made before opening the contact page, and the message that the page's
// links prefill.

import { choicePath } from '../lib/contact-page-urls'
import { isSoldOut } from '../lib/places-left'
import type { Words } from './content/blocks'
import type { EventView } from './event-status'
import { priced } from './money'
import type { Item, SiteData } from './page-data'

/** The choice as the contact page shows it. */
export type Choice = {
  readonly line: string
  readonly subject: string
  readonly letter: string
  /** Path of the page on which the visitor can choose something else. */
  readonly from: string
}

type SiteDataWithChoice = SiteData & { readonly choice: Choice | null }

export type Messages = Words['contatti.messages']

/**
 * Returns the site data with a prepared message; `choice` is null for an unknown id. `price`
 * formats the price of what it asks for.
 */
export function prefillMessage(site: SiteData, id: string, price = priceOf): SiteDataWithChoice {
  // `contatti.messages` is absent on the contact page without a choice.
  const words: Messages | undefined = site.words['contatti.messages']
  const message = words?.asks.find((one) => one.id === id)
  if (message === undefined || words === undefined) return { ...site, choice: null }
  const { title, ask } = message
  return withPrefill(site, {
    title,
    detail: price(site, id),
    subject: title,
    ask,
    end: words.letterEnd,
    from: '/servizi',
  })
}

/** Returns the formatted price of what a prepared message asks for. */
export function priceOf(site: SiteData, id: string): string | undefined {
  const { offers } = site.words['servizi.offers']
  const { packages } = site.words['pricing.packages']
  const sold = [...offers, ...packages]
  // A message that the practitioner added belongs to the offer whose button links to it.
  const path = choicePath(id)
  const own = sold.find((one) => one.id === id) ?? sold.find(({ ctaLink }) => ctaLink === path)
  return own && priced(own.price)
}

type ChosenEvent = EventView & Pick<Item<'events'>, 'title' | 'date'>

export function prefillEvent(site: SiteData, event: ChosenEvent): SiteDataWithChoice {
  const { title, date } = event
  const asked = eventAsk(event, site.words['contatti.messages'])
  return withPrefill(site, { title, detail: date, from: '/eventi', ...asked })
}

/**
 * Matches the button that the visitor pressed: for a cancelled, past or sold-out event the message
 * does not ask for a place.
 */
function eventAsk(
  event: ChosenEvent,
  words: Messages,
): Pick<PrefillRequest, 'subject' | 'ask' | 'end'> {
  const { title, date, cancelled, isPast } = event
  const what = `«${title}»${date ? `, ${date}` : ''}`
  const clause = `${what}${date ? ',' : ''}`
  const another = `${words.pastSubject} ${title}`
  const end = words.letterEnd
  if (cancelled) {
    return { subject: another, ask: `${words.cancelledAsk} ${clause} ${words.cancelledEnd}`, end }
  }
  if (isPast) return { subject: another, ask: `${words.pastAsk} «${title}», ${words.pastEnd}`, end }
  if (isSoldOut(event)) {
    const subject = `${words.soldOutSubject} ${title}`
    return { subject, ask: `${words.soldOutAsk} ${clause} ${words.soldOutEnd}`, end }
  }
  return {
    subject: `${words.eventSubject} ${title}`,
    ask: `${words.eventAsk} ${what}. ${words.eventEnd}`,
    end: words.eventLetterEnd,
  }
}

type PrefillRequest = Pick<Choice, 'subject' | 'from'> & {
  readonly title: string
  readonly detail: string | null | undefined
  readonly ask: string
  readonly end: readonly string[]
}

/** Makes every WhatsApp link on the page prefill the message for the choice. */
function withPrefill(
  site: SiteData,
  { title, detail, ask, subject, end, from }: PrefillRequest,
): SiteDataWithChoice {
  const { greeting } = site.words['contatti.messages']
  const { chosen } = site.words['contatti.choice']
  const line = `${chosen} ${[title, detail].filter(Boolean).join(', ')}`
  const settings = { ...site.settings, whatsappGreeting: `${greeting} ${ask}` }
  const letter = `${[greeting, ask, ...end].join('\n\n')}\n`
  return { ...site, settings, choice: { line, subject, letter, from } }
}
