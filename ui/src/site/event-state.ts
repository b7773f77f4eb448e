// What has become of an event; called off weighs more than full.

import type { Item } from './data'
import { eventLabels as words } from './labels'

export function stateOf({ cancelled, soldOut }: Pick<Item<'events'>, 'cancelled' | 'soldOut'>) {
  if (cancelled) return words.cancelled
  return soldOut ? words.soldOut : null
}
