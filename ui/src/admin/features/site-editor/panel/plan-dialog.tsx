// Plans the unpublished changes for a moment, and tells above the pages what is planned.
import { CalendarClock } from 'lucide'
import { useState } from 'preact/hooks'
import { answers } from '../../../../kinds/kinds.gen'
import { now } from '../../../../lib/clock'
import { fill } from '../../../../lib/interpolate'
import { whenText } from '../../../../lib/rome-time'
import { reasonOf } from '../../../api/client'
import { useDraftSync } from '../../../drafts/draft-sync'
import { Button } from '../../../ui/button'
import { Dialog } from '../../../ui/dialog'
import { focusFirstProblem } from '../../../ui/fields/focus-first-problem'
import { fieldsOf, MomentFields, momentOf } from '../../../ui/fields/moment-fields'
import { words } from '../../../ui/messages'
import { toastDone, toastFailed } from '../../../ui/toast-store'
import { cancelPlan, plannedPage, planPageDraft } from '../api/page-draft'
import { wording } from '../messages'
import styles from '../pages/page-list.module.css'
import listStyles from './draft-list.module.css'

const { plan: own } = wording.editor

export function PlanDialog({ onClose }: { onClose: () => void }) {
  const [fields, setFields] = useState(fieldsOf(null))
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [busy, setBusy] = useState(false)
  const save = async () => {
    const moment = momentOf(fields)
    if (moment === null || Date.parse(moment) <= now()) {
      setProblem(moment === null ? own.choose : answers.over)
      focusFirstProblem()
      return
    }
    setBusy(true)
    try {
      await planPageDraft(moment)
      toastDone(fill(own.done, { when: whenText(moment) }))
      onClose()
    } catch (error) {
      toastFailed(words.toasts.update, reasonOf(error))
      setBusy(false)
    }
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button icon={CalendarClock} busy={busy} onClick={() => void save()}>
        {own.save}
      </Button>
    </>
  )
  return (
    <Dialog title={own.title} onClose={onClose} size="small" footer={footer}>
      <MomentFields
        name="publishAt"
        legend={own.legend}
        fields={fields}
        problem={problem}
        said={(when) => fill(own.said, { when })}
        none={own.none}
        onChange={(next) => {
          setFields(next)
          setProblem(undefined)
        }}
      />
      <p className={listStyles.soft}>{own.note}</p>
    </Dialog>
  )
}

/** One row for each planned draft, with a button that cancels it. */
export function PlannedDrafts() {
  const drafts = useDraftSync((store) => store.drafts)
  const planned = drafts.flatMap(({ place, publishAt }) => {
    const page = plannedPage(place)
    return publishAt === null || page === null ? [] : [{ place, publishAt, page }]
  })
  const cancel = async (place: string) => {
    try {
      await cancelPlan(place)
      toastDone(own.cancelled)
    } catch (error) {
      toastFailed(words.toasts.update, reasonOf(error))
    }
  }
  return planned.map(({ place, publishAt, page }) => (
    <div className={styles.strip} key={place}>
      <p>{fill(own.planned, { page, when: whenText(publishAt) })}</p>
      <Button tone="quiet" small onClick={() => void cancel(place)}>
        {own.cancel}
      </Button>
    </div>
  ))
}
