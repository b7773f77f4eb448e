// The state of an event: cancelled takes precedence over past, past over sold out.

import type { EventStatus } from '../primitives/event-status-badge'
import type { Words } from './content/blocks'
import type { Item } from './page-data'

type State = {
  /** Null for a past event. */
  readonly status: EventStatus | null
  readonly badge: string
  readonly note: string
  readonly help: string
  readonly action: string
}

export type EventView = Pick<Item<'events'>, 'cancelled' | 'soldOut'> & {
  /** The last day of the event was over when the server rendered the page. */
  readonly isPast: boolean
}

export function eventStatus(
  { cancelled, soldOut, isPast }: EventView,
  words: Words['eventi.states'],
): State | null {
  if (cancelled) {
    return {
      status: 'cancelled',
      badge: words.cancelled,
      note: words.cancelledNote,
      help: words.cancelledHelp,
      action: words.cancelledAction,
    }
  }
  if (isPast) {
    const { past: badge, pastNote: note, pastAction: action } = words
    return { status: null, badge, note, help: '', action }
  }
  if (!soldOut) return null
  return {
    status: 'soldOut',
    badge: words.soldOut,
    note: words.soldOutNote,
    help: '',
    action: words.soldOutAction,
  }
}
