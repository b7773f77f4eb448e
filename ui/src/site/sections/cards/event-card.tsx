// List card of an event: picture, text, date and place.

import { ArrowRight, Calendar, Clock, type IconNode, MapPin, Users } from 'lucide'
import { classNames } from '../../../lib/class-names'
import { shortenLines } from '../../../lib/escape-html'
import { frameByPlace } from '../../../lib/picture'
import { EventStatusBadge } from '../../../primitives/event-status-badge'
import hidden from '../../../primitives/hidden.module.css'
import { Icon } from '../../../primitives/icon'
import { PictureImage } from '../../../primitives/picture'
import { eventStatus, placesText } from '../../event-status'
import { eventLabels as labels } from '../../fixed-messages/control-labels'
import { type Item, withoutEmpty } from '../../page-data'
import { useContent } from '../../use-content'
import { useIsArtMuted } from '../../use-muted-art'
import { PlaceholderArt } from '../media/placeholder-art'
import { ShortText } from '../programme'
import card from './card.module.css'
import { cardSizes, type Place } from './card-layout'
import styles from './event-card.module.css'

export type ListedEvent = Pick<
  Item<'events'>,
  | 'id'
  | 'title'
  | 'description'
  | 'date'
  | 'time'
  | 'location'
  | 'soldOut'
  | 'cancelled'
  | 'image'
  | 'updatedAt'
> & { readonly placesLeft?: number }

export const listedEventFields = [
  'id',
  'title',
  'description',
  'date',
  'time',
  'location',
  'placesLeft',
  'soldOut',
  'cancelled',
  'image',
  'updatedAt',
] as const satisfies readonly (keyof ListedEvent)[]

/** Maximum length of the description on a card; the event's page has all of it. */
const descriptionMax = 200

export function listedEvent(
  event: Pick<Item<'events'>, (typeof listedEventFields)[number]>,
): ListedEvent {
  const { description } = event
  const short = description && shortenLines(description, descriptionMax)
  return withoutEmpty({ ...event, description: short }, 'placesLeft')
}

type EventCardProps = {
  readonly event: ListedEvent
  /** Index in the list; the picture of the first card is loaded with high priority. */
  readonly index: number
  /** Seed of the drawing for the place of the card; the event's id is appended. */
  readonly seed?: string
  readonly place: Place
  /** The list contains past events. */
  readonly isPast?: boolean
}

export function EventCard({ event, index, place, seed = '', isPast = false }: EventCardProps) {
  const isQuiet = useIsArtMuted()
  const state = eventStatus({ ...event, isPast }, useContent('eventi.states'))
  const words = useContent('eventi.card')
  const titleId = `titolo-${event.id}`
  const linkId = `dettagli-${event.id}`
  const stateId = `stato-${event.id}`
  return (
    <article class={classNames(card.card, event.cancelled && styles.cancelled)}>
      <div class={card.picture}>
        {event.image ? (
          <PictureImage
            picture={event.image}
            sizes={cardSizes(place)}
            frame={frameByPlace.card}
            priority={index === 0 ? 'high' : undefined}
          />
        ) : (
          <PlaceholderArt seed={`${seed}${event.id}`} isQuiet={isQuiet} />
        )}
        {state?.status && (
          <span class={styles.badge} id={stateId}>
            <EventStatusBadge kind={state.status} text={state.badge} />
          </span>
        )}
      </div>
      <div class={card.words}>
        <h2 id={titleId}>{event.title}</h2>
        {state?.status === null && (
          <p>
            <strong id={stateId}>{state.badge}</strong>
          </p>
        )}
        {event.description && <ShortText text={event.description} />}
        <dl class={styles.facts}>
          <Fact icon={Calendar} name={labels.date} value={event.date} isStruck={event.cancelled} />
          <Fact icon={Clock} name={labels.time} value={event.time} />
          <Fact icon={MapPin} name={labels.location} value={event.location} />
          <Fact
            icon={Users}
            name={labels.places}
            value={state === null ? placesText(event) : null}
          />
        </dl>
        <a
          class={classNames(card.link, styles.details)}
          id={linkId}
          href={`/evento/${event.id}`}
          aria-labelledby={`${linkId} ${titleId}${state === null ? '' : ` ${stateId}`}`}
        >
          {words.details}
          <Icon of={ArrowRight} />
        </a>
      </div>
    </article>
  )
}

type FactProps = {
  readonly icon: IconNode
  readonly name: string
  readonly value: string | null
  readonly isStruck?: boolean
}

function Fact({ icon, name, value, isStruck = false }: FactProps) {
  if (!value) return null
  return (
    <div>
      <dt>
        <Icon of={icon} />
        <span class={hidden.hidden}>{name}</span>
      </dt>
      <dd>{isStruck ? <s>{value}</s> : value}</dd>
    </div>
  )
}
