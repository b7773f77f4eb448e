// The list of subscribers, with their state and actions.
import { Download, FileCheck, MailQuestion, Search, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
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
import { findSubscribers, type Subscriber, type SubscriberState } from './newsletter-api'

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

/** `mails`: whether the site can send e-mail; null until that is known. */
export function SubscriberList({ mails }: { mails: boolean | null }) {
  const data = useLoad<readonly Subscriber[]>('/api/admin/newsletter')
  const [open, setOpen] = useState<Open>(null)
  const close = () => setOpen(null)
  return (
    <Card title={newsletterMessages.addressesLabel}>
      <WhenLoaded data={data}>
        {(list) => (
          <>
            <Head list={list} mails={mails} onAsk={() => setOpen({ what: 'ask' })} />
            {list.length === 0 ? (
              <p className={areas.quiet}>{words.empty}</p>
            ) : (
              <List list={list} onOpen={setOpen} />
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

type ListProps = { list: readonly Subscriber[]; onOpen: (open: Open) => void }

function List({ list, onOpen }: ListProps) {
  const [state, setState] = useState<SubscriberState | 'all'>('all')
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
            onChange={(event) => setState(event.currentTarget.value as SubscriberState | 'all')}
          >
            <option value="all">{words.all}</option>
            {Object.entries(STATES).map(([name, { label }]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
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
      {state === 'all' ? null : <p className={areas.soft}>{words.hints[state]}</p>}
      <Table rows={rows} total={hits.length} onOpen={onOpen} />
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

type TableProps = { rows: readonly Subscriber[]; total: number; onOpen: (open: Open) => void }

function Table({ rows, total, onOpen }: TableProps) {
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
            </td>
            <td className={areas.whole}>{DAY.format(new Date(one.createdAt))}</td>
            <td className={areas.whole}>
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
