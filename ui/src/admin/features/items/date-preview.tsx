// Shows how the server parses the date and time of an event while the admin types, and asks about ambiguities.
import { CalendarCheck, CalendarX } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import type { Item, Values } from '../../api/schema'
import { Button } from '../../ui/button'
import styles from '../../ui/item-form.module.css'
import own from './date-preview.module.css'
import { type EventDates, formatEventDates } from './format-event-dates'

/** Spares a request for each keystroke. */
const PAUSE_MS = 400

/** `text` replaces the value of the field. */
type Answer = { label: string; text: string }

/** Section 13 of the HTTP contract. */
type Question = {
  code: 'guessed-year' | 'weekday-mismatch' | 'impossible-date' | 'past-date' | 'ambiguous'
  field: 'date' | 'time'
  message: string
  answers: readonly Answer[]
}

type Reading = {
  schedule: EventDates | null
  dateUnderstood: boolean
  questions: readonly Question[]
}

/** Names of the two form fields. */
type DateFields = { date: string; time: string }

/** Questions that block publishing. A guessed year and a past date are shown without blocking. */
const HOLDS_PUBLISHING = ['weekday-mismatch', 'impossible-date', 'ambiguous']

type DateReadingProps = {
  values: Values
  names: DateFields
  /** Null for a new event. */
  saved: Item | null
  onChange: (values: Values) => void
}

export function DatePreview({ values, names, saved, onChange }: DateReadingProps) {
  const reading = useReading(requestOf(values, names, saved))
  if (reading === null) return <div className={styles.full} aria-live="polite" />
  const isImpossible = reading.questions.some(({ code }) => code === 'impossible-date')
  return (
    <div className={styles.full} aria-live="polite">
      {isImpossible ? null : <Sentence reading={reading} />}
      {reading.questions.map((question) => (
        <DateQuestion
          key={question.message}
          question={question}
          onAnswer={(text) => onChange({ [names[question.field]]: text })}
        />
      ))}
    </div>
  )
}

type DateQuestionProps = { question: Question; onAnswer: (text: string) => void }

function DateQuestion({ question, onAnswer }: DateQuestionProps) {
  return (
    <div className={own.question}>
      <p>{question.message}</p>
      {question.answers.map(({ label, text }) => (
        <Button key={text} tone="outline" onClick={() => onAnswer(text)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

/**
 * Messages of the questions that block publishing, by field name. Empty while the saved event is published
 * with the same date and time, and when the server does not answer.
 */
export async function unsettledDate(
  values: Values,
  names: DateFields,
  saved: Item | null,
): Promise<Readonly<Record<string, string>>> {
  const isSame = (name: string) => textOf(values[name]) === textOf(saved?.[name])
  if (saved?.published === true && isSame(names.date) && isSame(names.time)) return {}
  const reading = await ask(requestOf(values, names, saved))
  const open = reading?.questions.filter(({ code }) => HOLDS_PUBLISHING.includes(code)) ?? []
  // The first question of a field is the most certain one, for example a wrong weekday before an ambiguous date.
  const first = [...open].reverse()
  return Object.fromEntries(first.map(({ field, message }) => [names[field], message]))
}

type Request = { date: string; time: string; dateWrittenAt: string | null }

/** An unchanged date is sent with the day on which it was entered, so that it keeps its year. */
function requestOf(values: Values, names: DateFields, saved: Item | null): Request {
  const date = textOf(values[names.date])
  const isSaved = saved !== null && textOf(saved[names.date]) === date
  const dateWrittenAt = isSaved ? textOf(saved.dateWrittenAt) : null
  return { date, time: textOf(values[names.time]), dateWrittenAt }
}

/** Null without a date and without an answer. */
async function ask(request: Request): Promise<Reading | null> {
  if (request.date === '') return null
  return call<Reading>('POST', '/api/admin/understand-date', request, true).catch(() => null)
}

function Sentence({ reading }: { reading: Reading }) {
  const { schedule, dateUnderstood } = reading
  if (schedule !== null) {
    return (
      <p className={styles.reading}>
        <Icon of={CalendarCheck} size={20} />
        <span>
          Letta come <b>{formatEventDates(schedule)}</b>: chi visita il sito può aggiungerla al
          calendario.{' '}
          {schedule.others.length === 0
            ? null
            : `Sono ${schedule.others.length + 1} date nel calendario.`}
        </span>
      </p>
    )
  }
  return (
    <p className={`${styles.reading} ${styles.unread}`}>
      <Icon of={CalendarX} size={20} />
      <span>
        <b>{dateUnderstood ? 'L’orario non è stato capito.' : 'La data non è stata capita.'}</b>{' '}
        Comparirà così come la scrivi, ma senza voce per il calendario e senza dati sull’evento per
        i motori di ricerca.{' '}
        {dateUnderstood
          ? 'Si capiscono per esempio «14:30», «ore 20,30», «20.30/22», «dalle 9 alle 18», «8 di sera».'
          : 'Si capiscono per esempio «sabato 12 dicembre», «12/12/26», «dal 5 al 7 marzo», «6, 13 e 20 marzo», «ogni martedì di marzo».'}
      </span>
    </p>
  )
}

/** Asks the server `PAUSE_MS` after the last keystroke. */
function useReading({ date, time, dateWrittenAt }: Request): Reading | null {
  const [reading, setReading] = useState<Reading | null>(null)
  useEffect(() => {
    let isCurrent = true
    const read = async () => {
      const answer = await ask({ date, time, dateWrittenAt })
      if (isCurrent) setReading(answer)
    }
    const timer = setTimeout(() => void read(), date === '' ? 0 : PAUSE_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [date, time, dateWrittenAt])
  return reading
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
