// The contact page for who wants to take part in an event.

import { chosenEvent } from '../choice'
import { found, type Input, type Read, siteOf } from '../data'
import type { Data } from './contatti'

export { meta, Page } from './contatti'

export const reads: readonly Read[] = [
  { name: 'event', of: 'events', how: 'each', fields: ['title', 'date'] },
]

export function slice(input: Input): Data {
  const [event] = found(input, 'event', 'events').items
  return event === undefined
    ? { ...siteOf(input), choice: null }
    : chosenEvent(siteOf(input), event)
}
