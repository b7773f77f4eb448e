// Dialog for the time at which a newsletter is sent, in Rome time.
import { CalendarClock } from 'lucide'
import { useState } from 'preact/hooks'
import { daysToMonday, romeDay, romeFields, romeMoment } from '../../../lib/rome-time'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { newsletterMessages } from './messages'
import styles from './newsletter.module.css'

const words = newsletterMessages.schedule
const MORNING = '09:00'

type ScheduleProps = {
  planned: string | null
  onChoose: (at: string) => Promise<void>
  onClose: () => void
}

export function ScheduleDialog({ planned, onChoose, onClose }: ScheduleProps) {
  const now = Date.now()
  const first =
    planned === null ? { day: romeDay(now, 1), time: MORNING } : romeFields(Date.parse(planned))
  const [day, setDay] = useState(first.day)
  const [time, setTime] = useState(first.time)
  const [busy, setBusy] = useState(false)
  const choose = async (onDay: string, atTime: string) => {
    const at = romeMoment(onDay, atTime)
    if (at === null || busy) return
    setBusy(true)
    await onChoose(at)
    setBusy(false)
  }
  return (
    <Dialog title={words.title} onClose={onClose} size="small">
      <form
        className={styles.fields}
        onSubmit={(event) => {
          event.preventDefault()
          void choose(day, time)
        }}
      >
        <div className={styles.buttons}>
          <Button tone="outline" onClick={() => void choose(romeDay(now, 1), MORNING)}>
            {words.tomorrow}
          </Button>
          <Button
            tone="outline"
            onClick={() => void choose(romeDay(now, daysToMonday(now)), MORNING)}
          >
            {words.monday}
          </Button>
        </div>
        <label>
          {words.day}
          <input type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
        </label>
        <label>
          {words.time}
          <input type="time" value={time} onInput={(event) => setTime(event.currentTarget.value)} />
        </label>
        <p className={styles.soft}>{words.rome}</p>
        <Button icon={CalendarClock} busy={busy} submit>
          {words.confirm}
        </Button>
      </form>
    </Dialog>
  )
}
