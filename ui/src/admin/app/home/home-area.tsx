// The first screen after signing in: what she came to do, where she left off, what is missing, what comes.
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { now } from '../../../lib/clock'
import { counted } from '../../../lib/plural'
import { romeFields } from '../../../lib/rome-time'
import { CONTENT_KINDS, kindLabels } from '../../api/kind-labels'
import { useSiteStatus } from '../../api/site-status'
import { type Loaded, useLoad } from '../../api/use-load'
import { RestoredReminder } from '../../features/onboarding/onboarding-banner'
import { homeOf } from '../../features/site-editor/model/editable-pages'
import { useMediaQuery } from '../../hooks/use-media-query'
import { WhenLoaded } from '../../ui/page-layout'
import { areaHref, kindHref, settingHref } from '../routes'
import styles from './home.module.css'
import { type Home, type LastChange, whenText } from './home-data'
import { HomeSearch } from './home-search'
import { homeMessages } from './messages'
import { NextEvents } from './next-events'
import { OpenDrafts, useOpenDrafts } from './open-drafts'
import { SiteCard } from './site-card'
import { TaskCard } from './task-card'
import { WeeklyVisitsCard } from './weekly-visits-card'

export function HomeArea() {
  const data = useLoad<Home>('/api/admin/home')
  const load = useSiteStatus((store) => store.load)
  useEffect(() => void load(), [load])
  return (
    <div className={styles.home}>
      <Top home={data.value} />
      <RestoredReminder />
      <Cards data={data} />
    </div>
  )
}

function Top({ home }: { home: Home | null }) {
  const name = home?.practitioner?.trim().split(/\s+/)[0]
  return (
    <header className={styles.top}>
      <div>
        <h1 tabIndex={-1}>{name ? `${greeting()}, ${name}` : greeting()}</h1>
        <State change={home?.lastChange ?? null} />
      </div>
      <HomeSearch />
    </header>
  )
}

function greeting(): string {
  const { greetings } = homeMessages
  const hour = Number(romeFields(now()).time.slice(0, 2))
  if (hour >= 5 && hour < 13) return greetings.morning
  return hour >= 13 && hour < 18 ? greetings.afternoon : greetings.evening
}

function State({ change }: { change: LastChange | null }) {
  const status = useSiteStatus((store) => store.status)
  if (status === null) return <p />
  if (status.publish?.ok === false) {
    return (
      <p>
        {homeMessages.notPublished} <a href={areaHref('backup')}>{homeMessages.seeWhy}</a>
      </p>
    )
  }
  if (status.asleep) {
    return (
      <p>
        {homeMessages.asleep} <a href={settingHref('asleepMessage')}>{homeMessages.wake}</a>
      </p>
    )
  }
  const title = change?.pages === undefined ? change?.title : homeOf({ pages: change.pages }).label
  return (
    <p>
      <span className={styles.dot} aria-hidden="true" />
      {status.demo
        ? homeMessages.examples
        : `${homeMessages.online} ${change === null || !title ? '' : homeMessages.lastChange(title, whenText(change.at))}`}
    </p>
  )
}

/** The order in the document is that of the screen, which is another on a phone. */
function Cards({ data }: { data: Loaded<Home> }) {
  const isNarrow = useMediaQuery('(width < 48rem)')
  const drafts = useOpenDrafts()
  const site = <SiteCard key="site" brand={data.value?.brand ?? null} />
  const week = <WeeklyVisitsCard key="week" />
  const kinds = <Kinds key="kinds" totals={data.value?.totals ?? {}} />
  const begun = drafts.length === 0 ? null : <OpenDrafts key="drafts" drafts={drafts} />
  const rest = (children: (home: Home) => ComponentChildren) => (
    <WhenLoaded key="rest" data={data}>
      {children}
    </WhenLoaded>
  )
  if (isNarrow) {
    return (
      <div className={styles.column}>
        {site}
        {begun}
        {kinds}
        {rest((home) => (
          <>
            <TaskCard home={home} />
            <NextEvents events={home.events} />
          </>
        ))}
        {week}
      </div>
    )
  }
  return (
    <>
      <div className={styles.two}>
        {site}
        {week}
      </div>
      {kinds}
      {rest((home) => (
        <>
          <div className={begun === null ? '' : styles.two}>
            <TaskCard home={home} />
            {begun}
          </div>
          <NextEvents events={home.events} />
        </>
      ))}
    </>
  )
}

/** Links to the five tabs of 'Contenuti', with their names. */
function Kinds({ totals }: { totals: Home['totals'] }) {
  const fresh = useSiteStatus((store) => store.status?.newTestimonials) ?? 0
  const { newCount } = homeMessages
  return (
    <nav className={styles.kinds} aria-label={homeMessages.contents}>
      {CONTENT_KINDS.map((kind) => {
        const isNew = kind === 'course-testimonials' && fresh > 0
        return (
          <a key={kind} href={kindHref(kind)}>
            {kindLabels[kind].label}
            {isNew ? (
              <span className={styles.fresh}>{counted(fresh, newCount.one, newCount.more)}</span>
            ) : totals[kind] === undefined ? null : (
              <span aria-hidden="true">{totals[kind]}</span>
            )}
          </a>
        )
      })}
    </nav>
  )
}
