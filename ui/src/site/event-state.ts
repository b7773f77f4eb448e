// What has become of an event; called off weighs more than full.

import { eventi } from './content/eventi'
import type { Item } from './data'

export function stateOf({ cancelled, soldOut }: Pick<Item<'events'>, 'cancelled' | 'soldOut'>) {
  const words = eventi.detail
  if (cancelled) return words.cancelled
  return soldOut ? words.soldOut : null
}
