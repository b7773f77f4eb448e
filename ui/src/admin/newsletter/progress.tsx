// How a newsletter goes out: '12 di 25', what holds it up, and what came back.
import { ButtonLink } from '../parts/button'
import { whenText } from '../rome'
import styles from './newsletter.module.css'
import { type Failure, isUnderWay, type Sending, sendingPath } from './sending'
import { newsletterWords as words } from './words'

export function Progress({ sending }: { sending: Sending }) {
  const done = sending.total - sending.waiting
  const { queue, pause, schedule } = words
  if (sending.state === 'scheduled' && sending.scheduledAt !== null) {
    return <p>{schedule.planned(whenText(sending.scheduledAt))}</p>
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
          />
          {sending.state === 'paused' ? <p>{pause.paused(done, sending.total)}</p> : null}
          {sending.state === 'sending' ? <p>{queue.end(endText(sending))}</p> : null}
          <p>{sending.isSlowed ? queue.slowed(sending.pace) : queue.pace(sending.pace)}</p>
          {sending.resumedAt === null ? null : <p>{queue.resumed}</p>}
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
  const other = trouble.code === 'silent' ? words.queue.waiting(delay) : trouble.reason
  return (
    <p role="status">
      {known[trouble.code] ?? other} {trouble.code === 'silent' ? trouble.reason : ''}
    </p>
  )
}

export function Results({ id, sending }: { id: string; sending: Sending }) {
  const { results, refusals } = words
  const failures = sending.failures ?? []
  return (
    <>
      <section>
        <h3>{results.title}</h3>
        <dl className={styles.results}>
          {results.labels.map(([name, label]) => (
            <div key={name}>
              <dt>{label}</dt>
              <dd>{sending[name]}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.soft}>{results.acceptedHint}</p>
        <p className={styles.soft}>{results.noTracking}</p>
        <div className={styles.buttons}>
          <ButtonLink href={sendingPath(id, '/report.csv')} download>
            {results.export}
          </ButtonLink>
        </div>
      </section>
      <section>
        <h3>{refusals.title}</h3>
        {failures.length === 0 ? <p>{refusals.empty}</p> : <Failures failures={failures} />}
      </section>
    </>
  )
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  return (
    <table>
      <thead>
        <tr>
          {words.refusals.columns.map((column) => (
            <th scope="col" key={column}>
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {failures.map((failure) => (
          <tr key={failure.email}>
            <td>{failure.email}</td>
            <td title={failure.reason}>{reasonOf(failure)}</td>
            <td>{nextOf(failure)}</td>
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
