// The list of subscribers, with their state and actions.
import { Download, FileCheck, MailQuestion, RotateCcw, Search, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { momentText } from '../../../lib/panel-date-format'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { deleteLabel, words as panelWords } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { TableHead } from '../../ui/table-head'
import { toastDone } from '../../ui/toast-store'
import { ConsentRecordDialog } from './consent-record'
import { newsletterMessages } from './messages'
import styles from './newsletter.module.css'
import {
  type Bounce,
  type BounceMailbox,
  findSubscribers,
  type Subscriber,
  type SubscriberFilter,
  type SubscriberState,
} from './newsletter-api'

const words = newsletterMessages.addresses
/** Rows that are added at a time; a list may hold 20,000. */
const ROWS_STEP = 100
/** Such as `9 nov 2026`: short, because a row is narrow on a phone. */
const DAY = new Intl.DateTimeFormat('it-IT', { day: 'numeric', month: 'short', year: 'numeric' })

const STATES: Readonly<Record<SubscriberState, { label: string; tone: 'quiet' | 'good' | 'bad' }>> =
  {
    confirmed: { label: 'Confermata', tone: 'good' },
    pending: { label: 'Da confermare', tone: 'quiet' },
    collected: { label: 'Raccolta', tone: 'quiet' },
    unsubscribed: { label: 'Cancellata', tone: 'bad' },
    unreachable: { label: 'Non raggiungibile', tone: 'bad' },
  }

type Open = { what: 'remove' | 'prove'; one: Subscriber } | { what: 'ask' } | null

type SubscriberListProps = {
  /** Whether the site can send e-mail; null until that is known. */
  mails: boolean | null
  bounces: BounceMailbox | null
}

export function SubscriberList({ mails, bounces }: SubscriberListProps) {
  const data = useLoad<readonly Subscriber[]>('/api/admin/newsletter')
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  const retry = async (email: string) => {
    const path = `/api/admin/newsletter/${encodeURIComponent(email)}/restore`
    const done = await attempt(panelWords.toasts.update, () => call('POST', path))
    if (done) toastDone(newsletterMessages.refusals.restored)
    await data.reload()
  }
  return (
    <Card title={newsletterMessages.addressesLabel}>
      <WhenLoaded data={data}>
        {(list) => (
          <>
            <Head list={list} mails={mails} onAsk={() => setOpen({ what: 'ask' })} />
            {bounces === null ? null : <p className={areas.soft}>{mailboxText(bounces)}</p>}
            {list.length === 0 ? (
              <p className={areas.quiet}>{words.empty}</p>
            ) : (
              <List list={list} onOpen={setOpen} onRetry={retry} />
            )}
            {open?.what === 'ask' ? (
              <Ask
                count={list.filter(({ state }) => state === 'collected').length}
                onDone={data.reload}
                onClose={close}
              />
            ) : null}
          </>
        )}
      </WhenLoaded>
      {open?.what === 'prove' ? (
        <ConsentRecordDialog subscriber={open.one} onClose={close} onChanged={data.reload} />
      ) : null}
      {open?.what === 'remove' ? (
        <Remove email={open.one.email} onDone={data.reload} onClose={close} />
      ) : null}
    </Card>
  )
}

/** Returns when the mailbox of returned messages was last read. */
function mailboxText({ readAt, failingSince, reason }: BounceMailbox): string {
  const { mailbox } = words
  if (failingSince !== null) return mailbox.failing(momentText(failingSince), reason ?? '')
  return readAt === null ? mailbox.waiting : mailbox.read(momentText(readAt))
}

type HeadProps = { list: readonly Subscriber[]; mails: boolean | null; onAsk: () => void }

function Head({ list, mails, onAsk }: HeadProps) {
  const count = (wanted: SubscriberState) => list.filter(({ state }) => state === wanted).length
  const collected = count('collected')
  return (
    <>
      <p>{words.count(count('confirmed'))}</p>
      {mails !== false || collected === 0 ? null : <p className={areas.soft}>{words.noMail}</p>}
      <div className={areas.buttons}>
        {mails === true && collected > 0 ? (
          <Button icon={MailQuestion} onClick={onAsk}>
            {newsletterMessages.ask.action}
          </Button>
        ) : null}
        <ButtonLink href="/api/admin/newsletter.csv?separator=semicolon" icon={Download} download>
          {words.csv}
        </ButtonLink>
      </div>
      <p className={areas.soft}>{words.csvHint}</p>
    </>
  )
}

type RowActions = { onOpen: (open: Open) => void; onRetry: (email: string) => Promise<void> }

function List({ list, onOpen, onRetry }: RowActions & { list: readonly Subscriber[] }) {
  const [state, setState] = useState<SubscriberFilter>('all')
  const [query, setQuery] = useState('')
  const [shown, setShown] = useState(ROWS_STEP)
  const hits = findSubscribers(list, state, query)
  const rows = hits.slice(0, shown)
  return (
    <>
      <div className={styles.finding}>
        <label>
          {words.filter}
          <select
            value={state}
            onChange={(event) => setState(event.currentTarget.value as SubscriberFilter)}
          >
            <option value="all">{words.all}</option>
            {Object.entries(STATES).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
            <option value="returned">{words.returned}</option>
          </select>
        </label>
        <label className={styles.search}>
          <Icon size={20} of={Search} />
          <input
            type="search"
            value={query}
            placeholder={words.search}
            aria-label={words.search}
            onInput={(event) => setQuery(event.currentTarget.value)}
          />
        </label>
      </div>
      {state === 'all' ? null : (
        <p className={areas.soft}>
          {state === 'returned' ? words.returnedHint : words.hints[state]}
        </p>
      )}
      <Table rows={rows} total={hits.length} onOpen={onOpen} onRetry={onRetry} />
      {rows.length < hits.length ? (
        <div className={areas.buttons}>
          <Button tone="outline" onClick={() => setShown(shown + ROWS_STEP)}>
            {panelWords.more.action}
          </Button>
          <p className={areas.soft}>{panelWords.more.shown(rows.length, hits.length)}</p>
        </div>
      ) : null}
    </>
  )
}

/** Returns the reason of the messages that came back, with the day of the last report. */
function bounceText({ cause, at, messages }: Bounce): string {
  const reason = words.causes[cause]
  const isPassing = cause === 'mailboxFull' || cause === 'refused' || cause === 'undelivered'
  const text = isPassing ? words.repeated(reason, messages) : reason
  return `${text} (${DAY.format(new Date(at))})`
}

type TableProps = RowActions & { rows: readonly Subscriber[]; total: number }

function Table({ rows, total, onOpen, onRetry }: TableProps) {
  return (
    <table className={areas.table}>
      <caption className={areas.caption}>{`Indirizzi: ${total}`}</caption>
      <TableHead of={words.columns} />
      <tbody>
        {rows.map((one) => (
          <tr key={one.email}>
            <td>{one.email}</td>
            <td title={words.hints[one.state]}>
              <Badge tone={STATES[one.state].tone}>{STATES[one.state].label}</Badge>
              {one.bounce === null ? null : (
                <p className={styles.bounce}>{bounceText(one.bounce)}</p>
              )}
            </td>
            <td className={areas.whole}>{DAY.format(new Date(one.createdAt))}</td>
            <td className={areas.whole}>
              {one.state === 'unreachable' ? (
                <IconButton
                  label={words.retry(one.email)}
                  icon={RotateCcw}
                  onClick={() => void onRetry(one.email)}
                />
              ) : null}
              <IconButton
                label={`Prova del consenso: ${one.email}`}
                icon={FileCheck}
                onClick={() => onOpen({ what: 'prove', one })}
              />
              <IconButton
                label={deleteLabel(one.email)}
                icon={Trash2}
                danger
                onClick={() => onOpen({ what: 'remove', one })}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type Done = { onDone: () => Promise<void>; onClose: () => void }

function Ask({ count, onDone, onClose }: Done & { count: number }) {
  const { ask } = newsletterMessages
  return (
    <Confirm
      question={ask.title}
      confirm={ask.confirm}
      icon={MailQuestion}
      tone="primary"
      onConfirm={async () => {
        await attempt(newsletterMessages.failed, async () => {
          const path = '/api/admin/ask-confirmation'
          const { asked } = await call<{ asked: number }>('POST', path)
          toastDone(ask.done(asked))
        })
        await onDone()
        onClose()
      }}
      onClose={onClose}
    >
      <p>{ask.text(count)}</p>
      <p>{ask.note}</p>
    </Confirm>
  )
}

function Remove({ email, onDone, onClose }: Done & { email: string }) {
  return (
    <Confirm
      question={words.deleteQuestion}
      confirm={panelWords.remove}
      busyLabel={panelWords.deleting}
      onConfirm={async () => {
        const path = `/api/admin/newsletter/${encodeURIComponent(email)}`
        const done = await attempt(panelWords.toasts.remove, () => call('DELETE', path))
        if (done) toastDone(words.deleted)
        await onDone()
        onClose()
      }}
      onClose={onClose}
    >
      <p>
        <b>{email}</b>
      </p>
      <p>{words.deleteNote}</p>
    </Confirm>
  )
}
