// The contact page for a visitor who wants to attend an event.

import { prefillEvent } from '../contact-prefill'
import { found, type Input, type Read, siteOf } from '../page-data'
import type { Data } from './contatti'

export { meta, Page } from './contatti'

export const reads: readonly Read[] = [
  {
    name: 'event',
    of: 'events',
    how: 'each',
    fields: ['title', 'date', 'placesLeft', 'soldOut', 'cancelled'],
  },
  { name: 'past', of: 'events', how: 'each', when: 'past', fields: ['id'] },
]

export function slice(input: Input): Data {
  const [event] = found(input, 'event', 'events').items
  if (event === undefined) return { ...siteOf(input), choice: null }
  const isPast = found(input, 'past', 'events').items.length > 0
  return prefillEvent(siteOf(input), { ...event, isPast })
}
