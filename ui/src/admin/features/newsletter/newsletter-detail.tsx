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
import { newsletterWords as words } from './messages'
import styles from './newsletter.module.css'
import { Checks, NewsletterPreview } from './newsletter-preview'
import { ScheduleDialog } from './schedule-dialog'
import { SendTestDialog } from './send-test'
import { isOpen, isUnderWay, type Preview, type Row, type Sending, sendingPath } from './sending'

/** Polling interval while the newsletter is scheduled or sent. */
const LOOK_MS = 2000

type SheetProps = {
  row: Row
  mails: boolean
  onEdit: () => void
  onClose: () => void
}

type Asking = 'send' | 'schedule' | 'test' | 'stop' | null

export function NewsletterDetail({ row, mails, onEdit, onClose }: SheetProps) {
  const { id } = row
  const subject = row.subject ?? words.untitled
  const sending = useLoad<Sending>(sendingPath(id))
  const preview = useLoad<Preview>(sendingPath(id, '/preview'))
  const [asking, setAsking] = useState<Asking>(null)
  const now = sending.value ?? row.sending
  const isMoving = now.state === 'sending' || now.state === 'scheduled'
  const { reload } = sending

  useEffect(() => {
    if (!isMoving) return undefined
    const timer = setInterval(() => void reload(true), LOOK_MS)
    return () => clearInterval(timer)
  }, [isMoving, reload])

  const act = async (
    path: string,
    done: string,
    {
      method = 'POST',
      failed = words.failed,
    }: { method?: 'POST' | 'DELETE'; failed?: string } = {},
  ) => {
    const ok = await attempt(failed, () => call(method, sendingPath(id, path)))
    if (ok) toastDone(done)
    setAsking(null)
    await Promise.all([reload(), preview.reload()])
  }
  const blocked = !mails || preview.value === null || preview.value.faults.length > 0
  return (
    <Dialog title={subject} onClose={onClose} size="wide">
      <div className={styles.sheet}>
        <DeliveryProgress sending={now} />
        <div className={styles.buttons}>
          {isOpen(now.state) ? (
            <>
              <Button icon={Send} disabled={blocked} onClick={() => setAsking('send')}>
                {words.sendNow.action}
              </Button>
              <Button
                tone="outline"
                icon={CalendarClock}
                disabled={blocked}
                onClick={() => setAsking('schedule')}
              >
                {now.state === 'scheduled' ? words.schedule.change : words.schedule.action}
              </Button>
              <Button tone="outline" disabled={!mails} onClick={() => setAsking('test')}>
                {words.test.action}
              </Button>
              <Button tone="quiet" icon={Pencil} onClick={onEdit}>
                Modifica
              </Button>
            </>
          ) : null}
          {now.state === 'scheduled' ? (
            <Button
              tone="quiet"
              onClick={() => void act('/schedule', words.schedule.cancelled, { method: 'DELETE' })}
            >
              {words.schedule.cancel}
            </Button>
          ) : null}
          {now.state === 'sending' ? (
            <Button
              tone="outline"
              icon={Pause}
              onClick={() => void act('/pause', words.pause.pausedToast)}
            >
              {words.pause.action}
            </Button>
          ) : null}
          {now.state === 'paused' ? (
            <Button icon={Play} onClick={() => void act('/resume', words.pause.resumedToast)}>
              {words.pause.resume}
            </Button>
          ) : null}
          {isUnderWay(now.state) ? (
            <Button tone="danger" icon={Square} onClick={() => setAsking('stop')}>
              {words.pause.stop}
            </Button>
          ) : null}
        </div>
        {mails ? null : <p>{words.noMailText}</p>}
        {isOpen(now.state) ? null : <DeliveryResults id={id} sending={now} onChanged={reload} />}
        {isOpen(now.state) && preview.value !== null ? <Checks preview={preview.value} /> : null}
        {preview.value === null ? null : <NewsletterPreview id={id} preview={preview.value} />}
      </div>
      {asking === 'send' && preview.value !== null ? (
        <Confirm
          question={words.sendNow.title}
          confirm={words.sendNow.confirm}
          icon={Send}
          tone="primary"
          onConfirm={() => act('/start', words.sendNow.started, { failed: words.sendNow.failed })}
          onClose={() => setAsking(null)}
        >
          <p>{words.sendNow.text(subject, preview.value.recipients)}</p>
          <p>{paceText(preview.value.recipients, now.pace)}</p>
          <p>{words.sendNow.final}</p>
        </Confirm>
      ) : null}
      {asking === 'stop' ? (
        <Confirm
          question={words.pause.stopTitle}
          confirm={words.pause.stopConfirm}
          icon={Square}
          onConfirm={() => act('/stop', words.pause.stoppedToast)}
          onClose={() => setAsking(null)}
        >
          <p>{words.pause.stopText(now.waiting)}</p>
          <p>{words.pause.stopNote}</p>
        </Confirm>
      ) : null}
      {asking === 'schedule' ? (
        <ScheduleDialog
          planned={now.scheduledAt}
          onClose={() => setAsking(null)}
          onChoose={async (at) => {
            try {
              await call('PUT', sendingPath(id, '/schedule'), { at })
              toastDone(words.schedule.done(whenText(at)))
              setAsking(null)
            } catch (error) {
              toastFailed(words.failed, reasonOf(error))
            }
            await reload()
          }}
        />
      ) : null}
      {asking === 'test' ? (
        <SendTestDialog
          id={id}
          onClose={() => {
            setAsking(null)
            void preview.reload()
          }}
        />
      ) : null}
    </Dialog>
  )
}

function paceText(count: number, pace: number): string {
  return words.sendNow.pace(count, pace, whenText(Date.now() + (count * 3_600_000) / pace))
}
