// This week's visitors against those of the week before.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { now } from '../../../lib/clock'
import { counted } from '../../../lib/plural'
import { romeDay } from '../../../lib/rome-time'
import hidden from '../../../primitives/hidden.module.css'
import { useLoad } from '../../api/use-load'
import { numberText, pageName, type Statistics } from '../../features/statistics/statistics-report'
import { WhenLoaded } from '../../ui/page-layout'
import { areaHref } from '../routes'
import home from './home.module.css'
import { homeMessages } from './messages'
import { type Week, weekOf } from './weekly-visits'
import styles from './weekly-visits-card.module.css'

const own = homeMessages.week

export function WeeklyVisitsCard() {
  const data = useLoad<Statistics>('/api/admin/statistics?period=days')
  return (
    <section className={`${home.card} ${styles.week}`} aria-labelledby="home-week">
      <header>
        <h2 id="home-week">{own.title}</h2>
        <small>{own.period}</small>
      </header>
      <WhenLoaded data={data}>{(statistics) => <Visits statistics={statistics} />}</WhenLoaded>
    </section>
  )
}

function Visits({ statistics }: { statistics: Statistics }) {
  const { counting, since, parts, pages } = statistics
  if (!counting) return <p className={home.soft}>{own.off}</p>
  if (since === null) return <p className={home.soft}>{own.none}</p>
  const week = weekOf(parts, romeDay(now(), 0))
  const [first] = pages
  return (
    <>
      <p className={styles.sum}>
        <b>{numberText(week.sum)}</b>
        <span>
          {counted(week.sum, own.sinceMonday.one, own.sinceMonday.more)}
          <Comparison change={week.change} />
        </span>
      </p>
      <Bars week={week} />
      <p className={styles.foot}>
        <span>{first === undefined ? '' : own.mostRead(pageName(first))}</span>
        <a href={areaHref('visite')}>{own.all}</a>
      </p>
    </>
  )
}

function Comparison({ change }: { change: number | null }) {
  if (change === null) return null
  const text = numberText(Math.abs(change))
  return (
    <small>
      {change === 0 ? (
        `${own.same} ${own.comparedSame}`
      ) : (
        <>
          <em>{change > 0 ? own.more(text) : own.less(text)}</em> {own.compared}
        </>
      )}
    </small>
  )
}

const SHORT = new Intl.DateTimeFormat('it-IT', { weekday: 'short', timeZone: 'UTC' })
const LONG = new Intl.DateTimeFormat('it-IT', { weekday: 'long', timeZone: 'UTC' })

function Bars({ week }: { week: Week }) {
  const most = Math.max(1, ...week.days.flatMap(({ count, before }) => [count ?? 0, before]))
  const share = (count: number) => `${Math.round((80 * count) / most)}%`
  return (
    <ol className={styles.bars} aria-label={own.days}>
      {week.days.map(({ day, count, before, isToday }) => {
        const date = new Date(`${day}T00:00:00Z`)
        const [name, last] = [LONG.format(date), numberText(before)]
        return (
          <li key={day} {...(isToday ? { 'aria-current': 'date' as const } : {})}>
            <span className={hidden.hidden}>
              {count === null ? own.dayAhead(name, last) : own.day(name, numberText(count), last)}
            </span>
            <Bar count={count} share={share(count ?? 0)} before={share(before)} />
            <span aria-hidden="true">{isToday ? own.today : SHORT.format(date)}</span>
          </li>
        )
      })}
    </ol>
  )
}

type BarProps = { count: number | null; share: string; before: string }

function Bar({ count, share, before }: BarProps) {
  const bar = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    bar.current?.style.setProperty('--now', share)
    bar.current?.style.setProperty('--before', before)
  }, [share, before])
  return (
    <span aria-hidden="true" ref={bar}>
      {count === null ? null : <b>{numberText(count)}</b>}
      {count === null ? null : <i />}
      <u />
    </span>
  )
}
