// What has become of an event; called off weighs more than full.

import type { Item } from './data'
import type { Words } from './words'

type State = {
  readonly badge: string
  readonly note: string
  readonly help: string
  readonly action: string
}

export function stateOf(
  { cancelled, soldOut }: Pick<Item<'events'>, 'cancelled' | 'soldOut'>,
  words: Words['eventi.states'],
): State | null {
  if (cancelled) {
    return {
      badge: words.cancelled,
      note: words.cancelledNote,
      help: words.cancelledHelp,
      action: words.cancelledAction,
    }
  }
  if (!soldOut) return null
  return {
    badge: words.soldOut,
    note: words.soldOutNote,
    help: '',
    action: words.soldOutAction,
  }
}
