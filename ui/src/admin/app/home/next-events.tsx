// The next events with their state.
import { Ban, CalendarPlus, Ticket } from 'lucide'
import { now } from '../../../lib/clock'
import { counted } from '../../../lib/plural'
import { romeDay } from '../../../lib/rome-time'
import { kindLabels } from '../../api/kind-labels'
import { Badge } from '../../ui/badge'
import { ButtonLink } from '../../ui/button'
import button from '../../ui/button.module.css'
import { words } from '../../ui/messages'
import { itemHref, kindHref, NEW_ITEM } from '../routes'
import styles from './home.module.css'
import type { NextEvent } from './home-data'
import { homeMessages } from './messages'

const own = homeMessages.events

export function NextEvents({ events }: { events: readonly NextEvent[] }) {
  return (
    <section className={styles.card} aria-labelledby="home-events">
      <header>
        <h2 id="home-events">{own.title}</h2>
        <a href={kindHref('events')}>{own.all}</a>
      </header>
      {events.length === 0 ? (
        <div className={styles.blank}>
          <p>{own.none}</p>
          <ButtonLink href={itemHref('events', NEW_ITEM)} icon={CalendarPlus}>
            {homeMessages.site.event}
          </ButtonLink>
        </div>
      ) : (
        <ol className={styles.events}>
          {events.map((event) => (
            <Row key={event.id} event={event} />
          ))}
        </ol>
      )}
    </section>
  )
}

function Row({ event }: { event: NextEvent }) {
  const { id, published, soldOut, cancelled, day } = event
  const title = event.title ?? words.untitled
  const { status } = kindLabels.events
  const action = day === null && !published ? own.complete : own.edit
  return (
    <li {...(cancelled ? { 'data-cancelled': '' } : {})}>
      <Leaf day={day} />
      <div>
        <h3>{title}</h3>
        <p>{factsOf(event).join(' · ')}</p>
      </div>
      <div className={styles.states}>
        {cancelled ? (
          <Badge tone="bad" icon={Ban}>
            {own.cancelled}
          </Badge>
        ) : soldOut ? (
          <Badge tone="look" icon={Ticket}>
            {own.soldOut}
          </Badge>
        ) : null}
        <Badge tone={published ? 'good' : 'quiet'}>{published ? status.on : status.off}</Badge>
      </div>
      <a
        className={`${button.button} ${button.quiet} ${button.small}`}
        href={itemHref('events', id)}
        aria-label={`${action}: ${title}`}
      >
        {action}
      </a>
    </li>
  )
}

/** Time, place and how far away the event is; the date as it is written when its day is not known. */
function factsOf({ date, time, location, day }: NextEvent): readonly string[] {
  const when = day === null ? (date ?? own.noDate) : awayText(day)
  return [time, location, when].filter((fact) => fact !== null && fact !== '').map(String)
}

const DAY_MS = 86_400_000

function awayText(day: string): string {
  const days = Math.round((Date.parse(day) - Date.parse(romeDay(now(), 0))) / DAY_MS)
  return days < 0 ? own.began : counted(days, own.ahead.one, own.ahead.more, own.ahead.none)
}

const PARTS = new Intl.DateTimeFormat('it-IT', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
})

function Leaf({ day }: { day: string | null }) {
  if (day === null) {
    return (
      <span className={`${styles.leaf} ${styles.undated}`} aria-hidden="true">
        <small>{own.date}</small>
        <b>?</b>
      </span>
    )
  }
  const parts = PARTS.formatToParts(new Date(`${day}T00:00:00Z`))
  const part = (type: string) => parts.find((one) => one.type === type)?.value
  return (
    <span className={styles.leaf}>
      <small>{part('weekday')}</small> <b>{part('day')}</b> <small>{part('month')}</small>
    </span>
  )
}
