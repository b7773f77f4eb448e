// The list of newsletters: drafts, scheduled, sending and sent.
import { Plus, Trash2 } from 'lucide'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { whenText } from '../../../lib/rome-time'
import { call, createOnce } from '../../api/client'
import { attempt } from '../../api/item-actions'
import type { Item } from '../../api/schema'
import type { Loaded } from '../../api/use-load'
import { areaHref, useRoute } from '../../app/routes'
import { Badge } from '../../ui/badge'
import { Button, IconButton } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { words as panelWords } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import areas from '../../ui/page-layout.module.css'
import { TableHead } from '../../ui/table-head'
import { toastDone } from '../../ui/toast-store'
// biome-ignore lint/style/noRestrictedImports: a newsletter is written in the form of items
import { ItemEditor } from '../items/item-editor'
import { newsletterMessages as words } from './messages'
import { NewNewsletterDialog } from './new-newsletter'
import styles from './newsletter.module.css'
import { type Listed, type Row, type State, sendingPath } from './newsletter-api'
import { NewsletterDetail } from './newsletter-detail'

type Open =
  | { what: 'start' }
  | { what: 'write'; item: Item | null }
  | { what: 'sheet'; row: Row }
  | { what: 'delete'; row: Row }

const TONES: Readonly<Record<State, 'quiet' | 'good' | 'bad'>> = {
  draft: 'quiet',
  scheduled: 'quiet',
  sending: 'good',
  paused: 'quiet',
  stopped: 'bad',
  sent: 'good',
}

export function NewsletterList({ data }: { data: Loaded<Listed> }) {
  const [open, setOpen] = useState<Open | null>(null)
  const begun = useRoute().rest[0]
  const close = () => {
    setOpen(null)
    void data.reload()
  }
  const write = useCallback(async (id: string) => {
    await attempt(words.loadFailed, async () => {
      const item = await call<Item>('GET', `/api/admin/newsletters/${id}`)
      setOpen({ what: 'write', item })
    })
  }, [])
  useEffect(() => {
    if (begun === undefined) return
    // Replace the URL, so that a reload does not open the draft again. A new history entry would be treated as
    // Back and close the form.
    history.replaceState(history.state, '', areaHref('newsletter'))
    void write(begun)
  }, [begun, write])
  const copy = async ({ id }: Row) => {
    await attempt(panelWords.toasts.save, async () => {
      const { title, preheader, content, buttonText, buttonUrl } = await call<Item>(
        'GET',
        `/api/admin/newsletters/${id}`,
      )
      const body = { title, preheader, content, buttonText, buttonUrl }
      const item = await createOnce<Item>('/api/admin/newsletters', body)
      setOpen({ what: 'write', item })
    })
  }
  return (
    <Card title={words.messagesLabel}>
      <div className={areas.buttons}>
        <Button icon={Plus} onClick={() => setOpen({ what: 'start' })}>
          {words.newAction}
        </Button>
      </div>
      <WhenLoaded data={data}>
        {({ newsletters, mails }) => (
          <>
            {mails ? null : (
              <p role="note">
                <b>{words.noMailTitle}.</b> {words.noMailText}
              </p>
            )}
            {newsletters.length === 0 ? (
              <p className={areas.quiet}>{`${words.emptyTitle}. ${words.emptyText}`}</p>
            ) : (
              <Table rows={newsletters} onOpen={setOpen} onCopy={copy} />
            )}
            {open?.what === 'sheet' ? (
              <NewsletterDetail
                row={open.row}
                mails={mails}
                onClose={close}
                onEdit={() => void write(open.row.id)}
              />
            ) : null}
          </>
        )}
      </WhenLoaded>
      {open?.what === 'start' ? (
        <NewNewsletterDialog onClose={close} onStart={(item) => setOpen({ what: 'write', item })} />
      ) : null}
      {open?.what === 'write' ? (
        <ItemEditor kind="newsletters" item={open.item} onClose={close} />
      ) : null}
      {open?.what === 'delete' ? <Delete row={open.row} onClose={close} /> : null}
    </Card>
  )
}

function Delete({ row, onClose }: { row: Row; onClose: () => void }) {
  const [pictures, setPictures] = useState(false)
  const [isGone, setGone] = useState(false)
  const remove = async () => {
    const path = `/api/admin/newsletters/${row.id}`
    const { remove: failed } = panelWords.toasts
    const done = isGone || (await attempt(failed, () => call('DELETE', path)))
    setGone(done)
    const forget = () => call('DELETE', sendingPath(row.id, '/pictures'))
    // Keep the dialog open on failure: it is the only place that can delete the pictures of the deleted newsletter.
    if (done && pictures && !(await attempt(words.deleteFailedPictures, forget))) return
    if (done) toastDone('Newsletter eliminata')
    onClose()
  }
  const question = row.sending.total === 0 ? words.deleteDraftQuestion : words.deleteQuestion
  return (
    <Confirm
      question={isGone ? words.deletePicturesQuestion : question}
      confirm={isGone ? panelWords.retry : panelWords.remove}
      busyLabel={panelWords.deleting}
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        <b>{row.subject ?? words.untitled}</b>
      </p>
      {row.sending.total === 0 ? null : (
        <>
          <p>{words.deleteSentNote}</p>
          <label>
            <input
              type="checkbox"
              checked={pictures}
              onInput={(event) => setPictures(event.currentTarget.checked)}
            />{' '}
            {words.deletePictures}
          </label>
        </>
      )}
    </Confirm>
  )
}

function whenOf({ state, scheduledAt, startedAt, endedAt }: Row['sending']): string {
  const moment = state === 'scheduled' ? scheduledAt : (endedAt ?? startedAt)
  return moment === null ? '' : whenText(moment)
}

type TableProps = {
  rows: readonly Row[]
  onOpen: (open: Open) => void
  onCopy: (row: Row) => Promise<void>
}

function Table({ rows, onOpen, onCopy }: TableProps) {
  return (
    <table className={areas.table}>
      <caption className={areas.caption}>{`Newsletter: ${rows.length}`}</caption>
      <TableHead of={words.columns} />
      <tbody>
        {rows.map((row) => {
          const { sending } = row
          const subject = row.subject ?? words.untitled
          return (
            <tr key={row.id}>
              <td>
                <button
                  type="button"
                  className={styles.subject}
                  aria-label={`Apri: ${subject}`}
                  onClick={() => onOpen({ what: 'sheet', row })}
                >
                  {subject}
                </button>
              </td>
              <td>
                <Badge tone={TONES[sending.state]}>{words.states[sending.state]}</Badge>
              </td>
              <td>{whenOf(sending)}</td>
              <td className={areas.whole}>
                {sending.total === 0 ? '' : `${sending.accepted} di ${sending.total}`}
              </td>
              <td className={areas.whole}>
                <Button tone="quiet" small onClick={() => void onCopy(row)}>
                  {words.copy}
                </Button>
                <IconButton
                  label={`Elimina: ${subject}`}
                  icon={Trash2}
                  danger
                  onClick={() => onOpen({ what: 'delete', row })}
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
