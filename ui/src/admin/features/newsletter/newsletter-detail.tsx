// One newsletter: its preview, its warnings and the actions of its state.
import { CalendarClock, Pause, Pencil, Play, Send, Square } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { whenText } from '../../../lib/rome-time'
import { call, reasonOf } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { toastDone, toastFailed } from '../../ui/toast-store'
import { DeliveryProgress, DeliveryResults } from './delivery-progress'
import { newsletterMessages as words } from './messages'
import styles from './newsletter.module.css'
import {
  isOpen,
  isUnderWay,
  type Preview,
  type Row,
  type Sending,
  sendingPath,
} from './newsletter-api'
import { Checks, NewsletterPreview } from './newsletter-preview'
import { ScheduleDialog } from './schedule-dialog'
import { SendTestDialog } from './send-test'

/** Polling interval while the newsletter is scheduled or sent. */
const LOOK_MS = 2000

type DetailProps = {
  row: Row
  mails: boolean
  onEdit: () => void
  onClose: () => void
}

type OpenDialog = 'send' | 'schedule' | 'test' | 'stop' | null

export function NewsletterDetail({ row, mails, onEdit, onClose }: DetailProps) {
  const { id } = row
  const newsletter = useNewsletter(row)
  const { sending, preview } = newsletter
  const [dialog, setDialog] = useState<OpenDialog>(null)
  return (
    <Dialog title={row.subject ?? words.untitled} onClose={onClose} size="wide">
      <div className={styles.sheet}>
        <DeliveryProgress sending={sending} />
        <div className={styles.buttons}>
          {isOpen(sending.state) ? (
            <DraftButtons {...{ newsletter, mails, onEdit }} onDialog={setDialog} />
          ) : null}
          <DeliveryButtons newsletter={newsletter} onDialog={setDialog} />
        </div>
        {mails ? null : <p>{words.noMailText}</p>}
        {isOpen(sending.state) ? null : (
          <DeliveryResults id={id} sending={sending} onChanged={newsletter.reloadSending} />
        )}
        {isOpen(sending.state) && preview !== null ? <Checks preview={preview} /> : null}
        {preview === null ? null : <NewsletterPreview id={id} preview={preview} />}
      </div>
      <DetailDialogs {...{ row, newsletter, dialog }} onClose={() => setDialog(null)} />
    </Dialog>
  )
}

type Newsletter = ReturnType<typeof useNewsletter>

type Request = { path: string; done: string; method?: 'POST' | 'DELETE'; failed?: string }

/** Loads the state and the preview, and polls the state while the newsletter is scheduled or sent. */
function useNewsletter(row: Row) {
  const { id } = row
  const sending = useLoad<Sending>(sendingPath(id))
  const preview = useLoad<Preview>(sendingPath(id, '/preview'))
  const now = sending.value ?? row.sending
  const isMoving = now.state === 'sending' || now.state === 'scheduled'
  const { reload } = sending

  useEffect(() => {
    if (!isMoving) return undefined
    const timer = setInterval(() => void reload(true), LOOK_MS)
    return () => clearInterval(timer)
  }, [isMoving, reload])

  /** Changes the state on the server and reports the result. */
  const request = async (
    { path, done, method = 'POST', failed = words.failed }: Request,
    onAnswered: () => void,
  ) => {
    const ok = await attempt(failed, () => call(method, sendingPath(id, path)))
    if (ok) toastDone(done)
    onAnswered()
    await Promise.all([reload(), preview.reload()])
  }
  return {
    sending: now,
    preview: preview.value,
    reloadSending: reload,
    reloadPreview: preview.reload,
    request,
  }
}

type ButtonsProps = { newsletter: Newsletter; onDialog: (dialog: OpenDialog) => void }

/** The actions of a newsletter that is not being sent yet. */
function DraftButtons({
  newsletter: { sending, preview },
  mails,
  onEdit,
  onDialog,
}: ButtonsProps & Pick<DetailProps, 'mails' | 'onEdit'>) {
  const blocked = !mails || preview === null || preview.faults.length > 0
  return (
    <>
      <Button icon={Send} disabled={blocked} onClick={() => onDialog('send')}>
        {words.sendNow.action}
      </Button>
      <Button
        tone="outline"
        icon={CalendarClock}
        disabled={blocked}
        onClick={() => onDialog('schedule')}
      >
        {sending.state === 'scheduled' ? words.schedule.change : words.schedule.action}
      </Button>
      <Button tone="outline" disabled={!mails} onClick={() => onDialog('test')}>
        {words.test.action}
      </Button>
      <Button tone="quiet" icon={Pencil} onClick={onEdit}>
        Modifica
      </Button>
    </>
  )
}

/** The actions of a newsletter that is scheduled, being sent or paused. */
function DeliveryButtons({ newsletter: { sending, request }, onDialog }: ButtonsProps) {
  const { state } = sending
  const send = (what: Request) => void request(what, () => onDialog(null))
  const { schedule, pause } = words
  return (
    <>
      {state === 'scheduled' ? (
        <Button
          tone="quiet"
          onClick={() => send({ path: '/schedule', done: schedule.cancelled, method: 'DELETE' })}
        >
          {schedule.cancel}
        </Button>
      ) : null}
      {state === 'sending' ? (
        <Button
          tone="outline"
          icon={Pause}
          onClick={() => send({ path: '/pause', done: pause.pausedToast })}
        >
          {pause.action}
        </Button>
      ) : null}
      {state === 'paused' ? (
        <Button icon={Play} onClick={() => send({ path: '/resume', done: pause.resumedToast })}>
          {pause.resume}
        </Button>
      ) : null}
      {isUnderWay(state) ? (
        <Button tone="danger" icon={Square} onClick={() => onDialog('stop')}>
          {pause.stop}
        </Button>
      ) : null}
    </>
  )
}

type DialogsProps = { row: Row; newsletter: Newsletter; dialog: OpenDialog; onClose: () => void }

function DetailDialogs({ row, newsletter, dialog, onClose }: DialogsProps) {
  const { preview } = newsletter
  switch (dialog) {
    case 'send':
      return preview === null ? null : <SendDialog {...{ row, newsletter, preview, onClose }} />
    case 'stop':
      return <StopDialog {...{ newsletter, onClose }} />
    case 'schedule':
      return <ChangeScheduleDialog {...{ row, newsletter, onClose }} />
    case 'test':
      return (
        <SendTestDialog
          id={row.id}
          onClose={() => {
            onClose()
            void newsletter.reloadPreview()
          }}
        />
      )
    case null:
      return null
  }
}

type DialogProps = { newsletter: Newsletter; onClose: () => void }

function SendDialog({
  row,
  newsletter: { sending, request },
  preview: { recipients },
  onClose,
}: DialogProps & { row: Row; preview: Preview }) {
  const { sendNow } = words
  return (
    <Confirm
      question={sendNow.title}
      confirm={sendNow.confirm}
      icon={Send}
      tone="primary"
      onConfirm={() =>
        request({ path: '/start', done: sendNow.started, failed: sendNow.failed }, onClose)
      }
      onClose={onClose}
    >
      <p>{sendNow.text(row.subject ?? words.untitled, recipients)}</p>
      <p>{paceText(recipients, sending.pace)}</p>
      <p>{sendNow.final}</p>
    </Confirm>
  )
}

function StopDialog({ newsletter: { sending, request }, onClose }: DialogProps) {
  const { pause } = words
  return (
    <Confirm
      question={pause.stopTitle}
      confirm={pause.stopConfirm}
      icon={Square}
      onConfirm={() => request({ path: '/stop', done: pause.stoppedToast }, onClose)}
      onClose={onClose}
    >
      <p>{pause.stopText(sending.waiting)}</p>
      <p>{pause.stopNote}</p>
    </Confirm>
  )
}

function ChangeScheduleDialog({ row, newsletter, onClose }: DialogProps & { row: Row }) {
  return (
    <ScheduleDialog
      planned={newsletter.sending.scheduledAt}
      onClose={onClose}
      onChoose={async (at) => {
        try {
          await call('PUT', sendingPath(row.id, '/schedule'), { at })
          toastDone(words.schedule.done(whenText(at)))
          onClose()
        } catch (error) {
          toastFailed(words.failed, reasonOf(error))
        }
        await newsletter.reloadSending()
      }}
    />
  )
}

function paceText(count: number, pace: number): string {
  return words.sendNow.pace(count, pace, whenText(Date.now() + (count * 3_600_000) / pace))
}
