// An event, or the "not found" screen.

import {
  ArrowLeft,
  Calendar,
  CalendarPlus,
  Clock,
  type IconNode,
  MapPin,
  Maximize2,
  Ticket,
  Users,
} from 'lucide'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { readPrice, shownPrice } from '../../lib/amount'
import { classNames } from '../../lib/class-names'
import { eventChoicePath } from '../../lib/contact-page-urls'
import { shorten } from '../../lib/escape-html'
import { frameByPlace, type Picture, widestPxByPlace } from '../../lib/picture'
import { EventStatusBadge } from '../../primitives/event-status-badge'
import { Icon } from '../../primitives/icon'
import { PictureImage } from '../../primitives/picture'
import type { Words } from '../content/blocks'
import { eventSchemas } from '../event-schema'
import { eventStatus, placesText } from '../event-status'
import { carouselLabels, eventLabels } from '../fixed-messages/control-labels'
import { errors } from '../fixed-messages/errors'
import { share } from '../fixed-messages/share'
import { drawnImage, type PageMeta, pictureImage, routeMeta } from '../meta'
import {
  found,
  type Input,
  type Item,
  type Read,
  type SiteData,
  siteOf,
  without,
  withoutEmpty,
} from '../page-data'
import { CardGrid } from '../sections/cards/card-grid'
import {
  EventCard,
  type ListedEvent,
  listedEvent,
  listedEventFields,
} from '../sections/cards/event-card'
import { CtaSection } from '../sections/cta-section'
import { ButtonLink, TextLink } from '../sections/links'
import { Lightbox } from '../sections/media/lightbox'
import { PlaceholderArt } from '../sections/media/placeholder-art'
import { MessageScreen } from '../sections/message-screen'
import { Programme, ShortText } from '../sections/programme'
import { ShareButton } from '../sections/share-button'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import { useIsArtMuted } from '../use-muted-art'
import styles from './evento.module.css'

type Event = Omit<Item<'events'>, 'imageUrl' | 'mapUrl' | 'placesLeft'> & {
  readonly isPast: boolean
  readonly mapUrl?: string
  readonly placesLeft?: number
}
type Data = SiteData & { readonly event: Event | null; readonly next: readonly ListedEvent[] }

/** Number of further events below an event. */
const nextMax = 2

export const reads: readonly Read[] = [
  { name: 'event', of: 'events', how: 'each' },
  { name: 'past', of: 'events', how: 'each', when: 'past', fields: ['id'] },
  {
    name: 'next',
    of: 'events',
    when: 'upcoming',
    // With the same events on every page, each change of one would re-render all pages.
    how: 'after',
    count: nextMax,
    fields: listedEventFields,
  },
]

export function slice(input: Input): Data {
  const [event] = found(input, 'event', 'events').items
  const isPast = found(input, 'past', 'events').items.length > 0
  return {
    ...siteOf(input),
    event: event === undefined ? null : { ...shownFields(event), isPast },
    next: found(input, 'next', 'events').items.map(listedEvent),
  }
}

/** The page data has no empty `mapUrl` and `placesLeft`: most events have neither. */
function shownFields(event: Item<'events'>) {
  return withoutEmpty(without(event, 'imageUrl'), 'mapUrl', 'placesLeft')
}

export function meta(data: Data): PageMeta {
  const { event } = data
  if (event === null) return routeMeta('evento-not-found', data)
  const fixed = data.words['seo.evento']
  const events = routeMeta('eventi', data)
  const path = `/evento/${event.id}`
  const parent = { name: events.title, path: '/eventi' }
  return {
    ...events,
    title: event.title,
    description: shorten(event.description || fixed.description, descriptionMax),
    keywords: fixed.keywords === '' ? [] : [fixed.keywords],
    ogImage: event.image ? pictureImage(event.image, event.title) : drawnImage(path, event.title),
    canonical: path,
    breadcrumbs: [parent, { name: event.title, path }],
    structured: [...eventSchemas(event, data)],
  }
}

/** Length of a description that search engines show. */
const descriptionMax = 155
/** A longer description is below the opening, where there is room for it. */
const leadMax = 180

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const { event } = data
  if (event === null) return <MessageScreen words={errors.eventNotFound} />
  return <Told event={event} data={data} />
}

type ToldProps = { readonly event: Event; readonly data: Data }

function Told({ event, data }: ToldProps) {
  const words = useContent('evento.labels')
  const closing = useContent('evento.closing')
  const isQuiet = useIsArtMuted()
  const isLongLead = (event.description?.length ?? 0) > leadMax
  return (
    <article>
      <header class={styles.head}>
        <div class={classNames(parts.wrap, styles.stage)}>
          <div class={styles.words}>
            <a class={styles.back} href="/eventi">
              <Icon of={ArrowLeft} />
              {words.back}
            </a>
            <h1 class={titleSize(event.title)}>{event.title}</h1>
            <State event={event} />
            {event.description && !isLongLead && (
              <ShortText text={event.description} look={styles.lead} />
            )}
          </div>
          <div class={classNames(styles.picture, event.cancelled && styles.cancelled)}>
            {event.image ? (
              <Poster image={event.image} title={event.title} />
            ) : (
              <PlaceholderArt seed={`evento-${event.id}`} isQuiet={isQuiet} />
            )}
          </div>
        </div>
      </header>
      <div class={classNames(parts.wrap, styles.body)}>
        <Facts event={event} site={data} />
        <div class={styles.text}>
          {isLongLead && (
            <div class={styles.summary}>
              <ShortText text={event.description ?? ''} />
            </div>
          )}
          {event.content && (
            <section>
              <h2>{words.contentTitle}</h2>
              <Programme content={event.content} />
            </section>
          )}
          <Health />
        </div>
      </div>
      <Next events={data.next} after={event.id} />
      <CtaSection words={closing} isDeep />
    </article>
  )
}

type PosterProps = { readonly image: Picture; readonly title: string }

/** The frame crops the picture; a press shows all of it. Without a script it opens as a file. */
function Poster({ image, title }: PosterProps) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <a
        class={styles.poster}
        href={image.url}
        aria-label={carouselLabels.openImage.replace('{title}', () => title)}
        aria-haspopup="dialog"
        onClick={(event) => {
          event.preventDefault()
          setIsOpen(true)
        }}
      >
        <PictureImage
          picture={image}
          // Half the window, and as tall as the text beside it.
          sizes="(width < 60rem) 92vw, 66vw"
          frame={frameByPlace.eventHead}
          widestPx={widestPxByPlace.eventHead}
          alt=""
          priority="high"
        />
        <Icon of={Maximize2} />
      </a>
      {isOpen && (
        <Lightbox
          pictures={[{ id: 'poster', title: null, description: null, image }]}
          start={0}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

type NextProps = { readonly events: readonly ListedEvent[]; readonly after: string }

function Next({ events, after }: NextProps) {
  const words = useContent('evento.labels')
  if (events.length === 0) return null
  return (
    <section class={classNames(parts.band, parts.deepPaper)} aria-labelledby="prossimi">
      <div class={classNames(parts.wrap, styles.next)}>
        <h2 class={parts.title} id="prossimi">
          {words.next}
        </h2>
        <CardGrid
          items={events}
          card={(event, place, index) => (
            <EventCard event={event} place={place} index={index + 1} seed={after} />
          )}
        />
      </div>
    </section>
  )
}

/** The state of the event as a badge and a sentence; cards show the badge. */
function State({ event }: { readonly event: Event }) {
  const state = eventStatus(event, useContent('eventi.states'))
  if (state === null) return null
  return (
    <>
      {state.status && (
        <p class={styles.badge}>
          <EventStatusBadge kind={state.status} text={state.badge} />
        </p>
      )}
      <p class={styles.lead}>
        <strong>{state.note || state.badge}</strong> {state.help}
      </p>
    </>
  )
}

/** Smaller type for longer titles, so that date and place stay on the first screen. */
function titleSize(title: string): string | undefined {
  if (title.length > 64) return styles.longTitle
  return title.length > 32 ? styles.middleTitle : undefined
}

function Health() {
  const words = useContent('evento.health')
  return (
    <section class={styles.health} aria-labelledby="prima">
      <h2 id="prima">{words.title}</h2>
      <p>{words.text}</p>
      <TextLink href={words.ctaLink}>{words.cta}</TextLink>
    </section>
  )
}

type Labels = Words['evento.labels']

/** The date, followed by the number of dates when several were parsed. */
function dateOf({ date, schedule }: Event, words: Labels): string {
  const others = schedule?.others.length ?? 0
  const times = others === 0 ? [] : [`${others + 1}\u00a0${words.times}`]
  return [date || words.dateToCome, ...times].join(' · ')
}

function venueText({ location, mode }: Event, words: Labels): string {
  if (mode === 'Online') return location || `${words.online}. ${words.onlineNote}`
  const isBoth = mode === 'In presenza e online'
  return [location || words.placeToCome, ...(isBoth ? [mode] : [])].join(' · ')
}

function priceOf({ price }: Event, words: Labels): string | null {
  const read = price === null ? null : readPrice(price)
  return read && shownPrice(read, words.free)
}

type FactsProps = { readonly event: Event; readonly site: SiteData }

function Facts({ event, site }: FactsProps) {
  const words = useContent('evento.labels')
  const state = eventStatus(event, useContent('eventi.states'))
  return (
    <aside class={styles.facts}>
      <dl>
        <Fact
          icon={Calendar}
          name={words.date}
          value={dateOf(event, words)}
          isStruck={event.cancelled}
        />
        <Fact icon={Clock} name={words.time} value={event.time} />
        <Fact icon={MapPin} name={words.location} value={venueText(event, words)}>
          {event.mapUrl && event.mode !== 'Online' && (
            <TextLink href={event.mapUrl} isExternal>
              {eventLabels.map}
            </TextLink>
          )}
        </Fact>
        <Fact icon={Ticket} name={words.price} value={priceOf(event, words)} />
        <Fact
          icon={Users}
          name={eventLabels.places}
          value={state === null ? placesText(event) : null}
        />
      </dl>
      <div class={styles.actions}>
        <ButtonLink href={eventChoicePath(event.id)}>
          {state?.action ?? words.participate}
        </ButtonLink>
        {event.url && (
          <ButtonLink href={event.url} tone="outline" isExternal>
            {words.moreInfo}
          </ButtonLink>
        )}
      </div>
      <div class={styles.small}>
        {event.schedule && !event.isPast && (
          <a href={`/evento/${event.id}.ics`} download>
            <Icon of={CalendarPlus} />
            {share.calendar}
          </a>
        )}
        <ShareButton title={event.title} url={`${site.publicUrl}/evento/${event.id}`} />
      </div>
    </aside>
  )
}

type FactProps = {
  readonly icon: IconNode
  readonly name: string
  readonly value: string | null
  readonly isStruck?: boolean
  /** A link below the value. */
  readonly children?: ComponentChildren
}

function Fact({ icon, name, value, isStruck = false, children }: FactProps) {
  if (!value) return null
  return (
    <div>
      <dt>
        <span class={styles.icon}>
          <Icon of={icon} />
        </span>
        {name}
      </dt>
      <dd>{isStruck ? <s>{value}</s> : value}</dd>
      {children && <dd class={styles.more}>{children}</dd>}
    </div>
  )
}
