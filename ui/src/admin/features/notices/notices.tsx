// The list of notices, with the same content whether or not an e-mail was sent.
import { CheckCheck, Copy, ShieldAlert } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { now } from '../../../lib/clock'
import { momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useSiteStatus } from '../../api/site-status'
import { useLoad } from '../../api/use-load'
import { areaHref, goTo, kindHref } from '../../app/routes'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { words } from '../../ui/messages'
import { PageLayout, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'
import { noticesMessages as own } from './messages'
import { isForHost, isQuestion, linesOf, type Notice, type Notices } from './notice-text'

const PATH = '/api/admin/notices'

export function NoticesArea() {
  const data = useLoad<Notices>(PATH)
  const load = useSiteStatus((store) => store.load)
  const [doubted, setDoubted] = useState<Notice | null>(null)
  const read = async (number: number | null) => {
    const body = number === null ? {} : { number }
    await attempt(words.toasts.update, () => call('POST', `${PATH}/read`, body))
    await Promise.all([data.reload(), load()])
  }
  const secure = async (notice: Notice) => {
    const ended = await attempt(words.toasts.update, () => call('DELETE', '/api/admin/sessions'))
    if (!ended) return
    await read(notice.number)
    toastDone('Accessi chiusi ovunque tranne qui')
    goTo(areaHref('account'))
  }
  // A notice is read once it is shown; only a question stays new until it is answered.
  const seen = data.value?.notices.filter((one) => !one.isRead && !isQuestion(one)) ?? []
  const seenNumbers = seen.map(({ number }) => number).join()
  useEffect(() => {
    const numbers = seenNumbers.split(',').filter((number) => number !== '')
    const send = (number: string) => call('POST', `${PATH}/read`, { number: Number(number) })
    if (numbers.length > 0) void Promise.allSettled(numbers.map(send)).then(() => load())
  }, [seenNumbers, load])
  const hasNew = data.value?.notices.some((one) => !one.isRead && isQuestion(one)) ?? false
  return (
    <PageLayout
      title={own.title}
      text={own.keptNote}
      actions={
        hasNew ? (
          <Button tone="outline" icon={CheckCheck} onClick={() => void read(null)}>
            {own.read}
          </Button>
        ) : null
      }
    >
      <WhenLoaded data={data}>
        {({ notices }) =>
          notices.length === 0 ? (
            <p className={styles.quiet}>{own.empty}</p>
          ) : (
            <ul className={styles.rows}>
              {notices.map((notice) => (
                <Row
                  key={notice.number}
                  notice={notice}
                  onRead={() => void read(notice.number)}
                  onDoubt={() => setDoubted(notice)}
                />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {doubted === null ? null : (
        <Confirm
          question={own.deviceNoTitle}
          confirm={own.deviceNoConfirm}
          icon={ShieldAlert}
          onConfirm={() => secure(doubted)}
          onClose={() => setDoubted(null)}
        >
          <p>{own.deviceNoText}</p>
        </Confirm>
      )}
    </PageLayout>
  )
}

type RowProps = { notice: Notice; onRead: () => void; onDoubt: () => void }

function Row({ notice, onRead, onDoubt }: RowProps) {
  const [first, ...rest] = linesOf(notice, now())
  return (
    <li>
      <div className={styles.grow}>
        <b>
          {first}
          {notice.count > 1 && notice.subject !== 'testimonial' ? ` (${notice.count}×)` : ''}
        </b>
        {rest.map((line) => (
          <p key={line}>{line}</p>
        ))}
        <small>
          {momentText(notice.at)}
          {notice.mailedAt === null ? '' : ` · ${own.emailed}`}
        </small>
        {isForHost(notice) ? <small>{own.host}</small> : null}
      </div>
      {notice.solvedAt !== null ? (
        <Badge tone="good">{own.solved}</Badge>
      ) : notice.isRead ? null : (
        <Badge tone="bad">{own.new}</Badge>
      )}
      <Actions notice={notice} onRead={onRead} onDoubt={onDoubt} />
    </li>
  )
}

function Actions({ notice, onRead, onDoubt }: RowProps) {
  if (notice.subject === 'testimonial') {
    return <ButtonLink href={kindHref('course-testimonials')}>{own.testimonialAction}</ButtonLink>
  }
  if (notice.subject === 'signups' || notice.subject === 'notStarted') {
    return <ButtonLink href={areaHref('newsletter')}>{own.newsletterAction}</ButtonLink>
  }
  if (notice.subject === 'month') {
    return <ButtonLink href={areaHref('visite')}>{own.monthAction}</ButtonLink>
  }
  if (isQuestion(notice)) {
    if (notice.isRead) return null
    return (
      <div className={styles.buttons}>
        <Button tone="outline" small onClick={onRead}>
          {own.deviceYes}
        </Button>
        <Button tone="danger" small onClick={onDoubt}>
          {own.deviceNo}
        </Button>
      </div>
    )
  }
  if (!isForHost(notice)) return null
  const copy = async () => {
    const text = [location.origin, momentText(notice.at), ...linesOf(notice, now())].join('\n')
    const done = await attempt(words.toasts.update, () => navigator.clipboard.writeText(text))
    if (done) toastDone(own.copied)
  }
  return (
    <div className={styles.buttons}>
      {notice.subject === 'bounces' || notice.subject === 'mail' ? (
        <ButtonLink href={areaHref('newsletter')}>{own.newsletterAction}</ButtonLink>
      ) : notice.subject === 'certificate' || notice.subject === 'plan' ? null : (
        <ButtonLink href={areaHref('backup')}>{own.backupAction}</ButtonLink>
      )}
      <Button tone="outline" small icon={Copy} onClick={() => void copy()}>
        {own.copy}
      </Button>
    </div>
  )
}
