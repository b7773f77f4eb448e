// Renders the feedback below the date, time and price of an event: the parsed values, the server's questions, the
// dates as chips, the calendar and the list of times. Loaded after the fields, which work without it.
import { CalendarDays, Check, Clock, Info, Plus, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { readPrice, shownPrice } from '../../../lib/amount'
import { visibleText } from '../../../lib/invisible-characters'
import { Icon } from '../../../primitives/icon'
import { useItems } from '../../api/items-store'
import { type Item, textOf, type Values } from '../../api/schema'
import { useMediaQuery } from '../../hooks/use-media-query'
import { Button, IconButton } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import styles from '../../ui/item-form.module.css'
import { DatePicker, type Mode, modeOf } from './date-picker'
import own from './event-date-feedback.module.css'
import { addDays, datesInWords, formatEventDates, type Span, shortDay } from './italian-dates'
import {
  type DateFields,
  type DateRequest,
  type Question,
  type Reading,
  requestOf,
  spansOf,
  understand,
} from './parse-event-date'
import { TimeList } from './time-picker'

/** Spares a request for each keystroke. */
const PAUSE_MS = 400
/** Other events whose days the calendar marks. */
const OTHERS_MAX = 40

export type DatePartProps = {
  part: 'date' | 'time'
  values: Values
  names: DateFields
  /** Null for a new event. */
  saved: Item | null
  onChange: (values: Values) => void
  isOpen: boolean
  setIsOpen: (isOpen: boolean) => void
}

const buttonId = (name: string) => `${name}-picker`

/** Opens the calendar or the list of times; stands inside the field. */
export function PickerButton({ part, names, isOpen, setIsOpen }: DatePartProps) {
  const label = part === 'date' ? 'Apri il calendario' : 'Scegli l’ora'
  return (
    <button
      type="button"
      id={buttonId(names[part])}
      className={own.opener}
      aria-label={label}
      title={label}
      aria-expanded={isOpen}
      onClick={() => setIsOpen(!isOpen)}
    >
      <Icon of={part === 'date' ? CalendarDays : Clock} size={20} />
    </button>
  )
}

/** Stands below the field. */
export function DateExtras(props: DatePartProps) {
  return props.part === 'date' ? <DateExtra {...props} /> : <TimeExtra {...props} />
}

function closed({ part, names, setIsOpen }: DatePartProps) {
  return () => {
    setIsOpen(false)
    document.getElementById(buttonId(names[part]))?.focus()
  }
}

function DateExtra(props: DatePartProps) {
  const { values, names, saved, onChange, isOpen, setIsOpen } = props
  const request = requestOf(values, names, saved)
  const { reading } = useReading(request)
  // Without the time, so that the days are known while the time is not understood.
  const days = useReading({ ...request, time: '' })
  const spans = spansOf(days.reading?.schedule ?? null)
  // The calendar opens on the days of the field, and stays while it writes others.
  const isReady = useRef(false)
  isReady.current = isOpen && (isReady.current || days.isRead)
  const [mode, setMode] = useState<Mode | null>(null)
  const isSheet = useMediaQuery('(width < 40rem)')
  const others = useOtherEvents(isOpen, saved, names)
  const write = (date: string) => onChange({ [names.date]: date })
  const close = () => {
    setMode(null)
    closed(props)()
  }
  const picker = isReady.current ? (
    <DatePicker
      spans={spans}
      mode={mode ?? modeOf(spans)}
      busy={others.busy}
      isSheet={isSheet}
      onWrite={(words) => {
        write(words)
        if (isSheet) close()
      }}
      onClose={close}
    />
  ) : null
  const questions = reading?.questions.filter(({ field }) => field === 'date') ?? []
  const asks = (...codes: readonly Question['code'][]) =>
    questions.some(({ code }) => codes.includes(code))
  const isWrong = asks('weekday-mismatch', 'impossible-date')
  return (
    <>
      {picker === null || isSheet ? null : <div className={own.atDate}>{picker}</div>}
      {picker !== null && isSheet ? (
        <Dialog title="Scegli i giorni" onClose={close}>
          {picker}
        </Dialog>
      ) : null}
      <div className={`${styles.full} ${own.extra}`} aria-live="polite">
        {reading === null || isWrong ? null : (
          <Sentence reading={reading} questions={questions} onAnswer={write} />
        )}
        {questions
          .filter(({ code }) => code !== 'guessed-year')
          .map((question) => (
            <DateQuestion key={question.message} question={question} onAnswer={write} />
          ))}
        {reading === null || isWrong || asks('ambiguous') ? null : (
          <Chips
            spans={spans}
            onWrite={write}
            onMore={() => {
              setMode('several')
              setIsOpen(true)
            }}
          />
        )}
      </div>
    </>
  )
}

function TimeExtra(props: DatePartProps) {
  const { values, names, saved, onChange, isOpen } = props
  const request = requestOf(values, names, saved)
  const { reading } = useReading(request)
  const questions = reading?.questions.filter(({ field }) => field === 'time') ?? []
  const others = useOtherEvents(isOpen, saved, names)
  const { schedule } = reading ?? { schedule: null }
  const clockOf = (moment: string | null) =>
    moment !== null && moment.length > 10 ? moment.slice(11, 16) : null
  const write = (time: string) => onChange({ [names.time]: time })
  return (
    <>
      {isOpen && others.isRead ? (
        <div className={own.atTime}>
          <TimeList
            from={clockOf(schedule?.start ?? null)}
            to={clockOf(schedule?.end ?? null)}
            last={others.time}
            onWrite={write}
            onClose={closed(props)}
          />
        </div>
      ) : null}
      <div className={`${styles.full} ${own.extra}`} aria-live="polite">
        {questions.map((question) => (
          <DateQuestion key={question.message} question={question} onAnswer={write} />
        ))}
      </div>
    </>
  )
}

type QuestionProps = { question: Question; onAnswer: (text: string) => void }

function DateQuestion({ question, onAnswer }: QuestionProps) {
  return (
    <div className={own.question}>
      <p>{question.message}</p>
      <div>
        {question.answers.map(({ label, text }) => (
          <Button key={text} small tone="outline" onClick={() => onAnswer(text)}>
            {label}
          </Button>
        ))}
      </div>
    </div>
  )
}

type SentenceProps = {
  reading: Reading
  questions: readonly Question[]
  onAnswer: (text: string) => void
}

function Sentence({ reading, questions, onAnswer }: SentenceProps) {
  const { schedule, dateUnderstood } = reading
  const guess = questions.find(({ code }) => code === 'guessed-year')
  const year =
    guess === undefined ? null : (
      <small>
        {guess.message}{' '}
        {guess.answers.map(({ label, text }) => (
          <button key={text} type="button" onClick={() => onAnswer(text)}>
            {label}
          </button>
        ))}
      </small>
    )
  if (schedule !== null) {
    return (
      <p className={own.reading}>
        <Icon of={Check} size={20} />
        <span>
          Letta come <b>{formatEventDates(schedule)}</b>
          {schedule.others.length === 0
            ? null
            : `. Sono ${schedule.others.length + 1} date nel calendario.`}
          {year}
        </span>
      </p>
    )
  }
  return (
    <p className={`${own.reading} ${own.plain}`}>
      <Icon of={Info} size={20} />
      <span>
        <b>{dateUnderstood ? 'L’orario non è stato capito.' : 'La data non è stata capita.'}</b>
        <small>
          {dateUnderstood
            ? 'Comparirà così come lo scrivi, ma nessuno potrà mettere l’evento nel suo calendario e Google non lo mostrerà tra gli eventi. Si capiscono per esempio «14:30», «ore 20,30», «20.30/22», «dalle 9 alle 18», «8 di sera».'
            : 'Comparirà così come la scrivi, ma nessuno potrà mettere l’evento nel suo calendario e Google non lo mostrerà tra gli eventi. Si capiscono per esempio «sabato 12 dicembre», «12/12/26», «dal 5 al 7 marzo», «6, 13 e 20 marzo», «ogni martedì di marzo».'}
        </small>
      </span>
    </p>
  )
}

type ChipsProps = {
  spans: readonly Span[]
  onWrite: (words: string) => void
  onMore: () => void
}

/** Several dates, each removable, or a span as a whole; nothing for a single day. */
function Chips({ spans, onWrite, onMore }: ChipsProps) {
  const [only] = spans
  if (only === undefined || (spans.length === 1 && only.first === only.last)) return null
  const isOne = spans.length === 1
  return (
    <ul className={own.chips} aria-label="Le date">
      {spans.map((span) => (
        <li key={span.first} className={isOne ? own.whole : ''}>
          {spanLabel(span)}
          {isOne ? null : (
            <IconButton
              label={`Togli ${spanLabel(span)}`}
              icon={X}
              onClick={() => onWrite(datesInWords(spans.filter((other) => other !== span)))}
            />
          )}
        </li>
      ))}
      {isOne ? null : (
        <li className={own.more}>
          <button type="button" onClick={onMore}>
            <Icon of={Plus} size={16} />
            Un’altra data
          </button>
        </li>
      )}
    </ul>
  )
}

/** `sab 6 marzo`, `ven 5 marzo → dom 7 marzo, 3 giorni` */
function spanLabel({ first, last }: Span): string {
  if (first === last) return shortDay(first)
  let count = 1
  for (let day = first; day < last; day = addDays(day, 1)) count += 1
  return `${shortDay(first)} → ${shortDay(last)}, ${count} giorni`
}

/** Asks the server `PAUSE_MS` after the last keystroke. `isRead` is false until the answer to the current text. */
function useReading({ date, time, dateWrittenAt }: DateRequest) {
  const [answer, setAnswer] = useState<{ date: string; reading: Reading | null } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const reading = await understand({ date, time, dateWrittenAt })
      if (isCurrent) setAnswer({ date, reading })
    }
    const timer = setTimeout(() => void read(), date === '' ? 0 : PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [date, time, dateWrittenAt])
  return { reading: answer?.reading ?? null, isRead: answer?.date === date }
}

type OtherEvents = {
  /** Days of other events. */
  busy: ReadonlySet<string>
  /** Start of the most recently changed other event that has a time. */
  time: string | null
  isRead: boolean
}

const NO_OTHERS: OtherEvents = { busy: new Set(), time: null, isRead: false }

/** Reads the dates of the other events of the list once a picker opens. */
function useOtherEvents(isOpen: boolean, saved: Item | null, names: DateFields): OtherEvents {
  const [others, setOthers] = useState(NO_OTHERS)
  useEffect(() => {
    if (!isOpen) return undefined
    let isCurrent = true
    void readOthers(saved, names).then((read) => {
      if (isCurrent) setOthers(read)
    })
    return () => {
      isCurrent = false
    }
  }, [isOpen, saved, names])
  return others
}

async function readOthers(saved: Item | null, names: DateFields): Promise<OtherEvents> {
  const items = useItems.getState().lists.events?.items ?? []
  const dated = items
    .filter((item) => item.id !== saved?.id && textOf(item, names.date) !== '')
    .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))
    .slice(0, OTHERS_MAX)
  const schedules = await Promise.all(
    dated.map(async (item) => {
      const request = {
        date: textOf(item, names.date),
        time: textOf(item, names.time),
        dateWrittenAt: textOf(item, 'dateWrittenAt'),
      }
      return (await understand(request))?.schedule ?? null
    }),
  )
  const busy = new Set<string>()
  for (const { first, last } of schedules.flatMap(spansOf)) {
    for (let day = first, count = 0; day <= last && count < 60; day = addDays(day, 1), count += 1)
      busy.add(day)
  }
  const start = schedules.find((schedule) => schedule !== null && schedule.start.length > 10)?.start
  return { busy, time: start?.slice(11, 16) ?? null, isRead: true }
}

/** How the price was understood; nothing for an unreadable one, which is refused when the form is sent. */
export function PriceReading({ text }: { text: string }) {
  const price = text.trim() === '' ? null : readPrice(visibleText(text))
  if (price === null) return null
  const isAmount = price.cents !== null
  return (
    <p className={isAmount ? own.reading : `${own.reading} ${own.plain}`} role="status">
      <Icon of={isAmount ? Check : Info} size={20} />
      <span>
        {isAmount ? 'Sul sito: ' : 'Sul sito si legge così: '}
        <b>{shownPrice(price, 'Gratuito')}</b>
      </span>
    </p>
  )
}
