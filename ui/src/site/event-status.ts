// What has become of an event: called off weighs more than over, and that more than full.

import type { Words } from './content'
import type { Item } from './data'

type State = {
  readonly badge: string
  readonly note: string
  readonly help: string
  readonly action: string
}

export type ToldEvent = Pick<Item<'events'>, 'cancelled' | 'soldOut'> & {
  /** Its last day is over, as the program says when it makes the page. */
  readonly isPast: boolean
}

export function eventStatus(
  { cancelled, soldOut, isPast }: ToldEvent,
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
  if (isPast) {
    return { badge: words.past, note: words.pastNote, help: '', action: words.pastAction }
  }
  if (!soldOut) return null
  return {
    badge: words.soldOut,
    note: words.soldOutNote,
    help: '',
    action: words.soldOutAction,
  }
}
