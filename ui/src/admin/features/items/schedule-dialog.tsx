// Dialog for the times at which an item is published and withdrawn, in Rome time.
import { CalendarClock } from 'lucide'
import { useState } from 'preact/hooks'
import { now } from '../../../lib/clock'
import { fieldErrorsOf, reasonOf } from '../../api/client'
import { type PublishSchedule, scheduleProblems } from '../../api/schedule'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/fields/focus-first-problem'
import { fieldsOf, MomentFields, momentOf } from '../../ui/fields/moment-fields'
import { words } from '../../ui/messages'
import { toastFailed } from '../../ui/toast-store'
import styles from './schedule-dialog.module.css'

type PlanDialogProps = {
  planned: PublishSchedule
  /** Whether the item is on the site now. */
  published: boolean
  onSave: (plan: PublishSchedule) => Promise<void>
  onClose: () => void
}

export function ScheduleDialog({ planned, published, onSave, onClose }: PlanDialogProps) {
  const [publish, setPublish] = useState(fieldsOf(planned.publishAt))
  const [withdraw, setWithdraw] = useState(fieldsOf(planned.withdrawAt))
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [busy, setBusy] = useState(false)
  const plan: PublishSchedule = { publishAt: momentOf(publish), withdrawAt: momentOf(withdraw) }

  const save = async () => {
    const found = scheduleProblems(plan, published, now())
    setProblems(found)
    if (Object.keys(found).length > 0) {
      focusFirstProblem()
      return
    }
    setBusy(true)
    try {
      await onSave(plan)
      onClose()
    } catch (error) {
      setProblems(fieldErrorsOf(error))
      focusFirstProblem()
      toastFailed(words.toasts.update, reasonOf(error))
      setBusy(false)
    }
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="plan" icon={CalendarClock} busy={busy}>
        Salva il programma
      </Button>
    </>
  )
  return (
    <Dialog title="Programma" onClose={onClose} size="small" footer={footer}>
      <form
        id="plan"
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void save()
        }}
      >
        <MomentFields
          name="publishAt"
          legend={published ? 'Di nuovo sul sito' : 'Pubblicazione'}
          fields={publish}
          problem={problems.publishAt}
          said={(when) => `Compare da sé ${when}.`}
          none={published ? 'È già sul sito.' : 'Resta nascosto finché non lo pubblichi tu.'}
          onChange={(fields) => {
            setPublish(fields)
            setProblems({})
          }}
        />
        <MomentFields
          name="withdrawAt"
          legend="Ritiro"
          fields={withdraw}
          problem={problems.withdrawAt}
          said={(when) => `Sparisce dal sito da sé ${when}.`}
          none="Resta sul sito finché non lo togli tu."
          onChange={(fields) => {
            setWithdraw(fields)
            setProblems({})
          }}
        />
        <p className={styles.soft}>
          Vale l’ora di Roma. Se in quel momento il sito è spento, lo fa appena riparte.
        </p>
      </form>
    </Dialog>
  )
}
