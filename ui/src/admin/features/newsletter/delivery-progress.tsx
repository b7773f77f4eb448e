// Progress of a sending ('12 di 25'), with the problems that stop it and the failed addresses.

import { whenText } from '../../../lib/rome-time'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { Button, ButtonLink } from '../../ui/button'
import areas from '../../ui/page-layout.module.css'
import { TableHead } from '../../ui/table-head'
import { toastDone } from '../../ui/toast-store'
import { newsletterMessages as words } from './messages'
import styles from './newsletter.module.css'
import { type Failure, isUnderWay, type Sending, sendingPath } from './newsletter-api'

export function DeliveryProgress({ sending }: { sending: Sending }) {
  const done = sending.total - sending.waiting
  const { queue, pause, schedule } = words
  if (sending.state === 'scheduled' && sending.scheduledAt !== null) {
    return (
      <div>
        <p>{schedule.planned(whenText(sending.scheduledAt))}</p>
        <p className={styles.soft}>{schedule.edit}</p>
      </div>
    )
  }
  return (
    <>
      {isUnderWay(sending.state) ? (
        <section aria-live="polite">
          <h3>{queue.title}</h3>
          <p className={styles.counter}>{queue.counter(done, sending.total)}</p>
          <progress
            className={styles.bar}
            aria-label={queue.bar}
            value={done}
            max={sending.total}
            aria-valuetext={queue.spoken(done, sending.total)}
          />
          {sending.state === 'paused' ? <p>{pause.paused(done, sending.total)}</p> : null}
          {sending.state === 'sending' ? <p>{queue.end(endText(sending))}</p> : null}
          <p>{sending.isSlowed ? queue.slowed(sending.pace) : queue.pace(sending.pace)}</p>
          {sending.resumedAt === null ? null : <p>{queue.resumed}</p>}
          {sending.waitsForOther ? <p>{queue.waits}</p> : null}
          <p className={styles.soft}>{`${queue.leave} ${queue.locked}`}</p>
        </section>
      ) : null}
      <Trouble sending={sending} />
      {sending.isLate && sending.startedAt !== null ? (
        <p>{schedule.late(whenText(sending.startedAt))}</p>
      ) : null}
    </>
  )
}

function endText({ waiting, pace }: Sending): string {
  return whenText(Date.now() + (waiting * 3_600_000) / pace)
}

function Trouble({ sending: { trouble, retryAt } }: { sending: Sending }) {
  if (trouble === null) return null
  const known: Readonly<Record<string, string>> = words.queue.troubles
  const minutes = retryAt === null ? 1 : Math.ceil((Date.parse(retryAt) - Date.now()) / 60_000)
  const delay = minutes <= 1 ? 'un minuto' : `${minutes} minuti`
  const others: Readonly<Record<string, () => string>> = {
    silent: () => `${words.queue.waiting(delay)} ${words.queue.reason(trouble.reason)}`,
    slowed: () => (retryAt === null ? '' : words.refusals.retry(whenText(retryAt))),
    unplanned: () => words.queue.unplanned(whenText(trouble.reason)),
  }
  const own = known[trouble.code] ?? others[trouble.code]?.() ?? trouble.reason
  const answer = trouble.code === 'blocked' ? words.refusals.answer(trouble.reason) : ''
  return (
    <p role="status">
      {own} {answer}
    </p>
  )
}

type ResultsProps = { id: string; sending: Sending; onChanged: () => Promise<void> }

export function DeliveryResults({ id, sending, onChanged }: ResultsProps) {
  const { results, refusals } = words
  const failures = sending.failures ?? []
  const hints: Readonly<Record<string, string>> = results.hints
  const moments = [
    [results.started, sending.startedAt],
    [results.ended, sending.endedAt],
  ] as const
  return (
    <>
      <section>
        <h3>{results.title}</h3>
        {sending.state === 'sent' ? <p>{results.done(sending.accepted)}</p> : null}
        <dl className={styles.results}>
          {results.labels.map(([name, label]) => (
            <div key={name}>
              <dt title={hints[name]}>{label}</dt>
              <dd>{sending[name]}</dd>
            </div>
          ))}
          {moments.map(([label, at]) =>
            at === null ? null : (
              <div key={label}>
                <dt>{label}</dt>
                <dd className={styles.plain}>{whenText(at)}</dd>
              </div>
            ),
          )}
        </dl>
        <ul className={styles.checks}>
          {results.labels
            .filter(([name]) => hints[name] !== undefined && sending[name] > 0)
            .map(([name, label]) => (
              <li key={name} className={styles.soft}>{`${label}: ${hints[name]}`}</li>
            ))}
        </ul>
        <p className={styles.soft}>{results.noTracking}</p>
        <div className={styles.buttons}>
          <ButtonLink href={sendingPath(id, '/report.csv?separator=semicolon')} download>
            {results.export}
          </ButtonLink>
        </div>
      </section>
      <section>
        <h3>{refusals.title}</h3>
        {failures.length === 0 ? (
          <p>{refusals.empty}</p>
        ) : (
          <>
            <p>{refusals.count(failures.length)}</p>
            <Failures failures={failures} onChanged={onChanged} />
          </>
        )}
      </section>
    </>
  )
}

/** Replies of a mail server begin with their status code; errors found by this program do not. */
const ANSWER = /^\d{3} /

type FailuresProps = { failures: readonly Failure[]; onChanged: () => Promise<void> }

function Failures({ failures, onChanged }: FailuresProps) {
  const { refusals } = words
  const restore = async (email: string) => {
    const path = `/api/admin/newsletter/${encodeURIComponent(email)}/restore`
    const done = await attempt(words.failed, () => call('POST', path))
    if (done) toastDone(refusals.restored)
    await onChanged()
  }
  return (
    <table className={areas.table}>
      <TableHead of={refusals.columns} />
      <tbody>
        {failures.map((failure) => (
          <tr key={failure.email}>
            <td>{failure.email}</td>
            <td>
              {reasonOf(failure)}
              {ANSWER.test(failure.reason) ? (
                <p className={styles.soft}>{refusals.answer(failure.reason)}</p>
              ) : null}
            </td>
            <td>
              {nextOf(failure)}
              {failure.isMarked ? (
                <Button tone="quiet" small onClick={() => void restore(failure.email)}>
                  {refusals.restore}
                </Button>
              ) : null}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function reasonOf({ fate }: Failure): string {
  const { refusals } = words
  if (fate === 'unknown') return refusals.unknown
  if (fate === 'blocked') return refusals.blocked
  if (fate === 'uncertain') return refusals.uncertain
  return refusals.full
}

function nextOf({ fate, at, isMarked }: Failure): string {
  const { refusals } = words
  if (fate === 'waiting') return refusals.retry(whenText(at))
  if (fate === 'uncertain') return refusals.uncertainNext
  if (!isMarked) return refusals.giveUp
  return fate === 'unknown' ? refusals.marked : refusals.softMarked
}
