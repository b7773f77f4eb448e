// The state of an event: cancelled takes precedence over past, past over sold out. And its places.

import { isSoldOut } from '../lib/places-left'
import { counted } from '../lib/plural'
import type { EventStatus } from '../primitives/event-status-badge'
import type { Words } from './content/blocks'
import { eventLabels } from './fixed-messages/control-labels'
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
  readonly placesLeft?: number | null
}

export function eventStatus(event: EventView, words: Words['eventi.states']): State | null {
  const { cancelled, isPast } = event
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
  if (!isSoldOut(event)) return null
  return {
    status: 'soldOut',
    badge: words.soldOut,
    note: words.soldOutNote,
    help: '',
    action: words.soldOutAction,
  }
}

/** The number of places left; null while the practitioner gives none. */
export function placesText({ placesLeft }: Pick<EventView, 'placesLeft'>): string | null {
  if (typeof placesLeft !== 'number') return null
  return counted(placesLeft, eventLabels.placeLeft, eventLabels.placesLeft)
}
