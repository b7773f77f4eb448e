// Says, while it is typed, how the free date of an event is understood, and what follows when it is not.
import { CalendarCheck, CalendarX } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../../primitives/icon'
import { call } from '../../api/client'
import type { Item, Values } from '../../api/schema'
import styles from '../../ui/item-form.module.css'
import { type Schedule, scheduleText } from './format-event-dates'

/** Long enough not to ask for every letter. */
const PAUSE_MS = 400

type Reading = { schedule: Schedule | null; dateUnderstood: boolean }

type DateReadingProps = {
  values: Values
  date: string
  time: string
  /** None yet of a new event. */
  saved: Item | null
}

/** `date` and `time` are the names of the fields. */
export function DateReading({ values, date, time, saved }: DateReadingProps) {
  const written = textOf(values[date])
  const hour = textOf(values[time])
  // Words that stand so already keep the year they have; those that change are of today.
  const stands = saved !== null && textOf(saved[date]) === written
  const reading = useReading(written, hour, stands ? textOf(saved.dateWrittenAt) : null)
  return (
    <div className={styles.full} aria-live="polite">
      {reading === null ? null : <Sentence reading={reading} />}
    </div>
  )
}

function Sentence({ reading }: { reading: Reading }) {
  const { schedule, dateUnderstood } = reading
  if (schedule !== null) {
    return (
      <p className={styles.reading}>
        <Icon of={CalendarCheck} size={20} />
        <span>
          Letta come <b>{scheduleText(schedule)}</b>: chi visita il sito può aggiungerla al
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
          ? 'Si capiscono per esempio «14:30», «ore 14.30», «9:30-17:30», «dalle 9 alle 18», «22-2».'
          : 'Si capiscono per esempio «15 Settembre 2026», «10-11 aprile 2027», «30 aprile - 2 maggio 2027», «6, 13 e 20 marzo 2027», «Ogni martedì di marzo», «15/09/2026».'}
      </span>
    </p>
  )
}

/** Null while there is no date, or nobody to ask: then nothing is claimed. */
function useReading(date: string, time: string, dateWrittenAt: string | null): Reading | null {
  const [reading, setReading] = useState<Reading | null>(null)
  useEffect(() => {
    if (date === '') {
      setReading(null)
      return undefined
    }
    let current = true
    const ask = async () => {
      const request = { date, time, dateWrittenAt }
      const path = '/api/admin/understand-date'
      const answer = await call<Reading>('POST', path, request, true).catch(() => null)
      if (current) setReading(answer)
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [date, time, dateWrittenAt])
  return reading
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : ''
}
