// The upcoming events.

import { ChevronDown, Copy } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { classNames } from '../../lib/class-names'
import { Icon } from '../../primitives/icon'
import stones from '../art/event-stones.svg?no-inline'
import { calendarLabels, eventLabels } from '../fixed-messages/control-labels'
import { showToast } from '../layout/toast-store'
import { routeMeta } from '../meta'
import { found, type Input, type Read, type SiteData, siteOf } from '../page-data'
import { type Addresses, type Part, partMeta, partOf, partSize } from '../pagination'
import { CardGrid } from '../sections/cards/card-grid'
import {
  EventCard,
  type ListedEvent,
  listedEvent,
  listedEventFields,
} from '../sections/cards/event-card'
import { CtaSection } from '../sections/cta-section'
import { TextLink } from '../sections/links'
import { HeroImage } from '../sections/media/hero-image'
import { PlaceholderArt } from '../sections/media/placeholder-art'
import opening from '../sections/page-opening.module.css'
import { Pager } from '../sections/pager'
import parts from '../sections/shared.module.css'
import { useContent } from '../use-content'
import { useIsArtMuted } from '../use-muted-art'
import styles from './eventi.module.css'

type Data = SiteData & {
  readonly events: readonly ListedEvent[]
  readonly part: Part
  readonly hasPast: boolean
}

const addresses: Addresses = { first: '/eventi', rest: '/eventi/pagina/{n}' }

export const reads: readonly Read[] = [
  {
    name: 'events',
    of: 'events',
    when: 'upcoming',
    how: 'parts',
    size: partSize,
    rest: addresses.rest,
    fields: listedEventFields,
  },
  { name: 'past', of: 'events', when: 'past', how: 'first', count: 1, fields: ['id'] },
]

export function slice(input: Input): Data {
  const events = found(input, 'events', 'events')
  return {
    ...siteOf(input),
    events: events.items.map(listedEvent),
    part: partOf(input, events),
    hasPast: found(input, 'past', 'events').items.length > 0,
  }
}

export function meta(data: Data) {
  return partMeta(routeMeta('eventi', data), addresses, data.part)
}

const GOOGLE = 'https://calendar.google.com/calendar/r'
const OUTLOOK = 'https://outlook.live.com/calendar/0/addfromweb'

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  const words = useContent('eventi.hero')
  const isQuiet = useIsArtMuted()
  const past = useContent('eventi.past')
  const calendar = useContent('eventi.calendar')
  const closing = useContent('eventi.closing')
  return (
    <>
      <section class={classNames(opening.opening, styles.opening)}>
        <div class={classNames(parts.wrap, opening.stage, styles.stage)}>
          <div class={opening.hello}>
            <h1>{words.title}</h1>
            <p>{words.subtitle}</p>
          </div>
          {words.picture.picture ? (
            <HeroImage picture={words.picture.picture} shape="arch" />
          ) : isQuiet ? (
            <PlaceholderArt seed="eventi" isQuiet extraClass={styles.stones} />
          ) : (
            <img
              class={styles.stones}
              src={stones}
              alt={words.picture.alt}
              width={1600}
              height={1000}
            />
          )}
        </div>
      </section>
      <section class={classNames(parts.band, styles.list)} aria-label={words.title}>
        <div class={parts.wrap}>
          {data.events.length === 0 ? (
            <Empty />
          ) : (
            <CardGrid
              items={data.events}
              card={(event, place, index) => (
                <EventCard event={event} place={place} index={index} />
              )}
            />
          )}
          <Pager addresses={addresses} part={data.part} />
          {data.events.length > 0 && calendar && (
            <div class={styles.past}>
              <p>{calendar.text}</p>
              <Subscription
                publicUrl={data.publicUrl}
                name={words.title}
                action={calendar.action}
              />
            </div>
          )}
          {data.hasPast && (
            <p class={styles.past}>
              <TextLink href="/eventi/passati" hasArrow>
                {past.action}
              </TextLink>
            </p>
          )}
        </div>
      </section>
      <CtaSection words={closing} isDeep />
    </>
  )
}

type SubscriptionProps = {
  readonly publicUrl: string
  readonly name: string
  readonly action: string
}

/**
 * One address of the calendar for each kind of program: only some of them open `webcal:`. What to do there is added
 * when the list is opened; without a script the links and the address are all there is.
 */
function Subscription({ publicUrl, name, action }: SubscriptionProps) {
  const address = `${publicUrl}${eventLabels.calendarPath}`
  const subscription = address.replace(/^\w+/, 'webcal')
  const google = `${GOOGLE}?cid=${encodeURIComponent(subscription)}`
  const outlook = `${OUTLOOK}?url=${encodeURIComponent(address)}&name=${encodeURIComponent(name)}`
  const details = useRef<HTMLDetailsElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  // It may have been opened before the page was hydrated.
  useEffect(() => setIsOpen(details.current?.open === true), [])
  const how = (sentence: string) => isOpen && <small>{sentence}</small>
  return (
    <details
      class={styles.calendar}
      ref={details}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>
        {action}
        <Icon of={ChevronDown} />
      </summary>
      <ul>
        <li>
          <TextLink href={subscription}>{calendarLabels.apple}</TextLink>
          {how(calendarLabels.appleHow)}
        </li>
        <li>
          <TextLink href={google} isExternal>
            {calendarLabels.google}
          </TextLink>
          {how(calendarLabels.googleHow)}
        </li>
        <li>
          <TextLink href={outlook} isExternal>
            {calendarLabels.outlook}
          </TextLink>
          {how(calendarLabels.outlookHow)}
        </li>
        <li>
          {calendarLabels.others} <code>{address}</code>
          {how(calendarLabels.othersHow)}
          {isOpen && (
            <button type="button" class={styles.copy} onClick={() => copyAddress(address)}>
              <Icon of={Copy} />
              {calendarLabels.copy}
            </button>
          )}
        </li>
      </ul>
    </details>
  )
}

async function copyAddress(address: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(address)
    showToast(calendarLabels.copied)
  } catch {
    showToast(calendarLabels.copyFailed, true)
  }
}

function Empty() {
  const words = useContent('eventi.empty')
  return (
    <div class={styles.empty}>
      <svg viewBox="0 0 180 90" aria-hidden="true">
        <circle cx="90" cy="38" r="20" />
        <path d="M10 62q20-14 40 0t40 0 40 0 40 0M30 78q15-10 30 0t30 0 30 0 30 0" />
      </svg>
      <h2>{words.title}</h2>
      <p data-literal="">{words.text}</p>
    </div>
  )
}
