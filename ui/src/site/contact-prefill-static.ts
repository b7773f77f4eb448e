// The choice on a static host, which ignores the query of `/contatti`: the exported page carries
// the prepared messages, and the browser applies the one that the query names.

import { choiceParameters } from '../lib/contact-page-urls'
import {
  type Choice,
  type Messages,
  prefillEvent,
  prefillMessage,
  priceOf,
} from './contact-prefill'
import type { EventView } from './event-status'
import type { SiteData } from './page-data'
import { whatsappHref } from './settings'

/** The content of choices, in the data of the exported contact page only. */
export type FileChoices = {
  readonly messages: Messages
  /** Formatted prices by the id of a message. */
  readonly prices: Readonly<Record<string, string | undefined>>
}

type SiteDataWithChoice = SiteData & { readonly choice: Choice | null }
export type ExportedContactData = SiteDataWithChoice & { readonly fileChoices: FileChoices }

export function fileChoices(site: SiteData): FileChoices {
  const messages = site.words['contatti.messages']
  const prices = messages.asks.map(({ id }) => [id, priceOf(site, id)])
  return { messages, prices: Object.fromEntries(prices) }
}

/** Returns the page data with the choice of a query; the same data for an unknown one. */
export async function prefillFromQuery(
  contact: ExportedContactData,
  search: string,
): Promise<ExportedContactData> {
  const { messages, prices } = contact.fileChoices
  const query = new URLSearchParams(search)
  const words = { ...contact.words, 'contatti.messages': messages }
  const site = { ...contact, words }
  const message = query.get(choiceParameters.message)
  const event = query.get(choiceParameters.event)
  let chosen: SiteDataWithChoice | null = null
  if (message !== null) chosen = prefillMessage(site, message, () => prices[message])
  else if (event !== null) chosen = await publishedEvent(event, site)
  if (!chosen?.choice) return contact
  const { settings, choice } = chosen
  return { ...contact, settings, choice, words: greeting(contact, settings) }
}

/** Reads the event from the data of its own page. */
async function publishedEvent(id: string, site: SiteData): Promise<SiteDataWithChoice | null> {
  const answer = await fetch(`/evento/${encodeURIComponent(id)}`, {
    headers: { accept: 'text/html' },
  })
  // Chromium reports the inlined rules of a parsed page as refused by the policy of this one.
  const text = (await answer.text()).replace(/<style>.*?<\/style>/s, '')
  const html = new DOMParser().parseFromString(text, 'text/html')
  const data = html.querySelector('script#page-data')?.textContent
  if (!answer.ok || !data) return null
  const { event } = (JSON.parse(data) as { data: EventPage }).data
  return event ? prefillEvent(site, event) : null
}

type EventPage = { readonly event?: (EventView & { title: string; date: string | null }) | null }

/** The renderer has filled in the greeting of the links in content blocks already. */
function greeting({ words, settings }: SiteData, own: SiteData['settings']): SiteData['words'] {
  const before = whatsappHref(settings)
  if (before === '') return words
  return JSON.parse(JSON.stringify(words).replaceAll(before, whatsappHref(own)))
}
