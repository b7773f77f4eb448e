// The state of an event: cancelled takes precedence over past, past over sold out.

import type { Words } from './content'
import type { Item } from './data'

type State = {
  readonly badge: string
  readonly note: string
  readonly help: string
  readonly action: string
}

export type ToldEvent = Pick<Item<'events'>, 'cancelled' | 'soldOut'> & {
  /** The last day of the event was over when the server rendered the page. */
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
