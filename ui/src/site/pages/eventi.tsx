// The events to come.

import { classNames } from '../../lib/class-names'
import stones from '../art/event-stones.svg?no-inline'
import { eventi } from '../content/eventi'
import type { SiteData, Snapshot } from '../data'
import { siteOf } from '../data'
import { routeMeta } from '../meta'
import { CardGrid } from '../sections/card-grid'
import { Closing } from '../sections/closing'
import { EventCard, type ListedEvent } from '../sections/event-card'
import opening from '../sections/opening.module.css'
import parts from '../sections/parts.module.css'
import styles from './eventi.module.css'

type Data = SiteData & { readonly events: readonly ListedEvent[] }

export function slice(snapshot: Snapshot): Data {
  const events = snapshot.items.events.map(
    ({ id, title, description, date, time, location, image, updatedAt }) => ({
      id,
      title,
      description,
      date,
      time,
      location,
      image,
      updatedAt,
    }),
  )
  return { ...siteOf(snapshot), events }
}

export function meta(data: Data) {
  return routeMeta('events', data)
}

const words = eventi.list

type PageProps = { readonly data: Data }

export function Page({ data }: PageProps) {
  return (
    <>
      <section class={classNames(opening.opening, styles.opening)}>
        <div class={classNames(parts.wrap, opening.stage, styles.stage)}>
          <div class={opening.hello}>
            <h1>{words.hero.title}</h1>
            <p>{words.hero.subtitle}</p>
          </div>
          <img class={styles.stones} src={stones} alt="" width={1600} height={1000} />
        </div>
      </section>
      <section class={classNames(parts.band, styles.list)} aria-label={words.hero.title}>
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
        </div>
      </section>
      <Closing words={words.closing} isDeep />
    </>
  )
}

function Empty() {
  return (
    <div class={styles.empty}>
      <svg viewBox="0 0 180 90" aria-hidden="true">
        <circle cx="90" cy="38" r="20" />
        <path d="M10 62q20-14 40 0t40 0 40 0 40 0M30 78q15-10 30 0t30 0 30 0 30 0" />
      </svg>
      <h2>{words.empty.title}</h2>
      <p>{words.empty.text}</p>
    </div>
  )
}
