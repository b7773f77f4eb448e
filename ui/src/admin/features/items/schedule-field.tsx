// Field of the item form that shows the publish schedule and opens its dialog.
import { CalendarClock } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { call, reasonOf } from '../../api/client'
import { useItems } from '../../api/items-store'
import { isUnscheduled, NO_SCHEDULE, type PublishSchedule, scheduleLines } from '../../api/schedule'
import { type Item, type Kind, kindSpecs } from '../../api/schema'
import { Button } from '../../ui/button'
import styles from '../../ui/item-form.module.css'
import { lazy } from '../../ui/lazy'
import { toastDone, toastFailed } from '../../ui/toast-store'

const ScheduleDialog = lazy(() =>
  import('./schedule-dialog').then(({ ScheduleDialog }) => ScheduleDialog),
)

export type Scheduling = {
  readonly plan: PublishSchedule
  /** Whether the schedule dialog is open. */
  readonly isOpen: boolean
  readonly open: (isOpen: boolean) => void
  /** The schedule that open questions hold; the dialog shows it again. */
  readonly held: PublishSchedule | null
  /** Saves the schedule of an existing item at once; that of a new item waits for `sendFor`. */
  readonly set: (plan: PublishSchedule) => Promise<void>
  /** Saves the schedule that was chosen before the item existed. */
  readonly sendFor: (id: string) => Promise<void>
}

/** `problems` returns what holds the publication of the form's values; `refuse` marks it in the form. */
export type PublishCheck = {
  readonly problems: () => Promise<Problems>
  readonly refuse: (problems: Problems) => void
}

type Problems = Readonly<Record<string, string>>

export function useScheduling(kind: Kind, item: Item | null, check: PublishCheck): Scheduling {
  const [plan, setPlan] = useState<PublishSchedule>(item?.plan ?? NO_SCHEDULE)
  const [held, setHeld] = useState<PublishSchedule | null>(null)
  const [problems, setProblems] = useState<Problems | null>(null)
  const [isOpen, open] = useState(false)
  // Once the dialog is closed: it gives the focus back to its button.
  useEffect(() => {
    if (problems === null || isOpen) return
    setProblems(null)
    check.refuse(problems)
  }, [problems, isOpen])
  const send = (id: string, next: PublishSchedule) =>
    call('PUT', `/api/admin/${kind}/${id}/plan`, next)
  return {
    plan,
    isOpen,
    open,
    held,
    set: async (next) => {
      const found = next.publishAt === null ? {} : await check.problems()
      if (Object.keys(found).length > 0) {
        setHeld(next)
        setProblems(found)
        toastFailed('Programma non salvato', 'Prima rispondi alla domanda segnata nel modulo.')
        return
      }
      setHeld(null)
      if (item !== null) {
        await send(item.id, next)
        await useItems.getState().load(kind)
        toastDone(isUnscheduled(next) ? 'Programma tolto' : 'Programma salvato')
      }
      setPlan(next)
    },
    sendFor: async (id) => {
      if (isUnscheduled(plan)) return
      try {
        await send(id, plan)
        await useItems.getState().load(kind)
      } catch (error) {
        // The item is saved: a second attempt at saving the form would create a second item.
        toastFailed('Salvato, ma senza il programma', reasonOf(error))
      }
    },
  }
}

type PlanFieldProps = { kind: Kind; item: Item | null; planning: Scheduling }

export function ScheduleField({ kind, item, planning }: PlanFieldProps) {
  if (kindSpecs[kind].page === null) return null
  const published = item?.published ?? false
  const lines = scheduleLines(planning.plan, published)
  return (
    <div className={`${styles.full} ${styles.planning}`}>
      <p>{lines.length === 0 ? 'Può comparire e sparire dal sito da sé.' : lines.join(' · ')}</p>
      <Button tone="outline" small icon={CalendarClock} onClick={() => planning.open(true)}>
        {lines.length === 0 ? 'Programma' : 'Cambia il programma'}
      </Button>
    </div>
  )
}

/** Rendered beside the item form, because the dialog contains a form of its own. */
export function OpenScheduleDialog({ item, planning }: Omit<PlanFieldProps, 'kind'>) {
  if (!planning.isOpen) return null
  return (
    <ScheduleDialog
      planned={planning.held ?? planning.plan}
      published={item?.published ?? false}
      onSave={planning.set}
      onClose={() => planning.open(false)}
    />
  )
}
