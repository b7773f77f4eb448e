// Creates an event again for each of the following weeks. Each date is an event of its own, with its own places,
// page and state.
import { X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { counted } from '../../../lib/plural'
import { call, newCreationKey, reasonOf } from '../../api/client'
import { createItemOnly, useItems } from '../../api/items-store'
import {
  bodyOf,
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  problemOf,
  textOf,
  titleOf,
} from '../../api/schema'
import { Alert } from '../../auth/sign-in-form'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { countOf } from '../../ui/fields/field'
import { Switch } from '../../ui/fields/switch-field'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { toastDone, toastFailed } from '../../ui/toast-store'
import own from './event-date-feedback.module.css'
import {
  addDays,
  datesInWords,
  formatEventDates,
  type Span,
  shortDay,
  timeWords,
} from './italian-dates'
import { type DateFields, type Reading, spansOf, understand } from './parse-event-date'
import styles from './repeat-dialog.module.css'
import { REPETITIONS_MAX, weeklyDates } from './weekly-dates'

/** Weeks that are proposed at first. */
const WEEKS_PROPOSED = 4

type RepeatProps = { kind: Kind; item: Item; names: DateFields; onClose: () => void }

export function RepeatDialog({ kind, item, names, onClose }: RepeatProps) {
  const [reading, setReading] = useState<Reading | null | 'asked'>('asked')
  useEffect(() => {
    const request = {
      date: textOf(item, names.date),
      time: textOf(item, names.time),
      dateWrittenAt: textOf(item, 'dateWrittenAt'),
    }
    void understand(request).then(setReading)
  }, [item, names])
  const schedule = reading === 'asked' ? null : (reading?.schedule ?? null)
  if (reading !== 'asked' && schedule !== null) {
    return <Weeks {...{ kind, item, names, schedule, onClose }} />
  }
  return (
    <Dialog title={TITLE} onClose={onClose} size="small">
      {reading === 'asked' ? (
        <p role="status">{words.loading}</p>
      ) : (
        <p>
          La data o l’orario di questo evento non si capiscono, perciò non si sa da quale giorno
          ripeterlo. Apri l’evento con «Modifica», correggi la data e riprova.
        </p>
      )}
    </Dialog>
  )
}

const TITLE = 'Ripeti ogni settimana'

type WeeksProps = RepeatProps & { schedule: NonNullable<Reading['schedule']> }

function Weeks({ kind, item, names, schedule, onClose }: WeeksProps) {
  const spans = spansOf(schedule)
  const [until, setUntil] = useState(() => addDays(spans[0]?.first ?? '', WEEKS_PROPOSED * 7))
  const [removed, setRemoved] = useState<readonly string[]>([])
  const [places, setPlaces] = useState<string | number>('')
  const [published, setPublished] = useState(item.published)
  const { made, busy, problem, create } = useCreation(kind)
  const all = weeklyDates(spans, until)
  const dates = all.filter((date) => !removed.includes(keyOf(date)) && !made.includes(keyOf(date)))
  const spec = kindSpecs[kind].fields.placesLeft
  const wrong = spec === undefined ? null : problemOf(spec, places, words.problems)

  const submit = async () => {
    const { sortOrder: _, ...values } = formValues(kind, item)
    // The time may be written within the text of the date, which is replaced.
    const time = textOf(item, names.time) === '' ? timeOf(schedule) : textOf(item, names.time)
    const rest = { placesLeft: places, soldOut: false, cancelled: false, published }
    const bodies = dates.map((date) => ({
      key: keyOf(date),
      body: bodyOf(
        { ...values, ...rest, [names.date]: datesInWords(date), [names.time]: time },
        kindSpecs[kind].fields,
      ),
    }))
    if (await create(bodies)) onClose()
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="repeat" busy={busy} disabled={dates.length === 0 || wrong !== null}>
        {published
          ? counted(dates.length, 'Crea e pubblica 1 evento', 'Crea e pubblica {n} eventi')
          : counted(dates.length, 'Crea 1 bozza', 'Crea {n} bozze')}
      </Button>
    </>
  )
  return (
    <Dialog title={TITLE} onClose={onClose} size="small" footer={footer}>
      <form
        id="repeat"
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy && dates.length > 0 && wrong === null) void submit()
        }}
      >
        <p>
          <b>{titleOf(item, words.untitled)}</b>
          <br />
          {formatEventDates(schedule)}
        </p>
        {problem === null ? null : <Alert text={problem} />}
        <TextField
          id="repeat-until"
          label="Ogni settimana fino al"
          type="date"
          value={until}
          onChange={setUntil}
          help={
            all.length === REPETITIONS_MAX
              ? `Sono al massimo ${REPETITIONS_MAX} date per volta.`
              : 'Ogni data diventa un evento a sé, con i suoi posti: se ne annulli uno gli altri restano.'
          }
        />
        <Dates dates={dates} onRemove={(date) => setRemoved((keys) => [...keys, keyOf(date)])} />
        <TextField
          id="repeat-places"
          label="Posti per ogni data"
          numeric
          value={String(places)}
          onChange={(text) => setPlaces(countOf(text))}
          help="Se lasci vuoto non compaiono."
          problem={wrong ?? undefined}
        />
        <Switch
          label="Pubblicati subito"
          checked={published}
          help="Altrimenti restano nascosti finché non li pubblichi."
          onChange={setPublished}
        />
      </form>
    </Dialog>
  )
}

type DatesProps = {
  dates: readonly (readonly Span[])[]
  onRemove: (date: readonly Span[]) => void
}

function Dates({ dates, onRemove }: DatesProps) {
  if (dates.length === 0) return <p role="status">Scegli un giorno almeno una settimana dopo.</p>
  return (
    <ul className={own.chips} aria-label="Le nuove date">
      {dates.map((date) => (
        <li key={keyOf(date)}>
          {labelOf(date)}
          <IconButton label={`Togli ${labelOf(date)}`} icon={X} onClick={() => onRemove(date)} />
        </li>
      ))}
    </ul>
  )
}

function keyOf(date: readonly Span[]): string {
  return date[0]?.first ?? ''
}

function labelOf(date: readonly Span[]): string {
  const [only, other] = date
  const isDay = only !== undefined && other === undefined && only.first === only.last
  return isDay ? shortDay(only.first) : datesInWords(date)
}

/** The time of the schedule in words; empty when it has none. */
function timeOf({ start, end, allDay }: NonNullable<Reading['schedule']>): string {
  if (allDay) return ''
  const to = end !== null && end.length > 10 ? end.slice(11, 16) : null
  return timeWords(start.slice(11, 16), to)
}

type Body = { key: string; body: Parameters<typeof createItemOnly>[1] }

/** Creates one event after the other. After a failure the next try creates only those that are missing. */
function useCreation(kind: Kind) {
  const [made, setMade] = useState<readonly string[]>([])
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const keys = useRef(new Map<string, string>())
  const ids = useRef<string[]>([])

  const create = async (bodies: readonly Body[]): Promise<boolean> => {
    setBusy(true)
    setProblem(null)
    try {
      for (const { key, body } of bodies) {
        const creation = keys.current.get(key) ?? newCreationKey()
        keys.current.set(key, creation)
        const item = await createItemOnly(kind, body, creation)
        ids.current.push(item.id)
        setMade((all) => [...all, key])
      }
    } catch (error) {
      const count = ids.current.length
      const done = counted(
        count,
        'Un evento è già creato, gli altri aspettano qui.',
        '{n} eventi sono già creati, gli altri aspettano qui.',
        'Nessun evento è stato creato.',
      )
      setProblem([reasonOf(error) ?? words.failed, done].join(' '))
      setBusy(false)
      await useItems.getState().load(kind)
      return false
    }
    await useItems.getState().load(kind)
    const all = ids.current
    toastDone(
      counted(all.length, '1 evento creato', '{n} eventi creati'),
      () => void removeAll(kind, all),
    )
    return true
  }
  return { made, busy, problem, create }
}

async function removeAll(kind: Kind, ids: readonly string[]): Promise<void> {
  try {
    for (const id of ids) await call('DELETE', `/api/admin/${kind}/${id}`)
    toastDone(counted(ids.length, '1 evento eliminato', '{n} eventi eliminati'))
  } catch (error) {
    toastFailed(words.toasts.remove, reasonOf(error))
  }
  await useItems.getState().load(kind)
}
