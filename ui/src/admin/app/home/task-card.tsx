// Lists the open tasks of the admin with the minutes that each takes; a finished task goes.
import { CircleCheck } from 'lucide'
import { counted } from '../../../lib/plural'
import { Icon } from '../../../primitives/icon'
import { SETTING_NAMES, settingSpecs } from '../../api/schema'
import { type SiteStatus, useSiteStatus } from '../../api/site-status'
import { useIsOwner, useSession } from '../../auth/session-store'
import button from '../../ui/button.module.css'
import { areaHref, isOwnerArea, kindHref, parseRoute, settingHref } from '../routes'
import styles from './home.module.css'
import type { Home } from './home-data'
import { homeMessages } from './messages'

const own = homeMessages.tasks
/** Statements that are read in a minute. */
const CLAIMS_PER_MINUTE = 5

type Task = {
  readonly minutes: number
  readonly title: string
  readonly text: string
  readonly action: string
  readonly href: string
}

export function TaskCard({ home }: { home: Home }) {
  const status = useSiteStatus((store) => store.status)
  const secondFactor = useSession((store) => store.session?.secondFactor ?? false)
  const isOwner = useIsOwner()
  if (status === null) return null
  const tasks = tasksOf(status, home, secondFactor).filter(
    ({ href }) => isOwner || !isOwnerArea(parseRoute(href.slice(1)).area),
  )
  if (tasks.length === 0) {
    return (
      <section className={`${styles.card} ${styles.done}`} aria-label={own.title}>
        <Icon of={CircleCheck} size={30} />
        <div>
          <h2>{own.done}</h2>
          <p>{own.doneText}</p>
        </div>
      </section>
    )
  }
  const minutes = tasks.reduce((sum, task) => sum + task.minutes, 0)
  return (
    <section className={styles.card} aria-labelledby="home-tasks">
      <header>
        <h2 id="home-tasks">{own.title}</h2>
        <small>
          {counted(tasks.length, own.sum.one, own.sum.more)},{' '}
          {counted(minutes, own.inAll.one, own.inAll.more)}
        </small>
      </header>
      <ol className={styles.tasks}>
        {tasks.map((task) => (
          <li key={task.href}>
            <span className={styles.minutes}>
              <b>{task.minutes}</b>
              <small>{own.minutes}</small>
            </span>
            <div>
              <h3>{task.title}</h3>
              <p>{task.text}</p>
            </div>
            <a
              className={`${button.button} ${button.outline} ${button.small}`}
              href={task.href}
              aria-label={`${task.action}: ${task.title}`}
            >
              {task.action}
            </a>
          </li>
        ))}
      </ol>
    </section>
  )
}

function tasksOf(status: SiteStatus, home: Home, secondFactor: boolean): readonly Task[] {
  const { newTestimonials, wordsToConfirm, missingSettings } = status
  const missing = SETTING_NAMES.filter((name) => missingSettings.includes(name))
  const labels = missing.map((name) => settingSpecs[name].field.label)
  const tasks: (Task | false)[] = [
    newTestimonials > 0 && {
      minutes: newTestimonials,
      title: counted(newTestimonials, own.testimonials.one, own.testimonials.more),
      text: own.testimonials.text,
      action: own.testimonials.action,
      href: kindHref('course-testimonials'),
    },
    wordsToConfirm > 0 && {
      minutes: Math.ceil(wordsToConfirm / CLAIMS_PER_MINUTE),
      title: counted(wordsToConfirm, own.claims.one, own.claims.more),
      text: own.claims.text,
      action: own.claims.action,
      href: areaHref('pagine'),
    },
    missing[0] !== undefined && {
      minutes: missing.length,
      title: own.settings.title(labels.join(', ')),
      text: own.settings.text,
      action: own.settings.action,
      href: settingHref(missing[0]),
    },
    !home.hasOpeningPicture && {
      minutes: 2,
      title: own.picture.title,
      text: own.picture.text,
      action: own.picture.action,
      href: settingHref('heroImageOne'),
    },
    home.passkeys === 0 &&
      !secondFactor && {
        minutes: 2,
        title: own.access.title,
        text: own.access.text,
        action: own.access.action,
        href: areaHref('account'),
      },
  ]
  return tasks.filter((task) => task !== false)
}
