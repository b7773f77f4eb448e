// Asks the server how it parses the date and time of an event, and which questions it has about them.
import { call } from '../../api/client'
import { type Item, textOf, type Value, type Values } from '../../api/schema'
import type { EventDates, Span } from './italian-dates'

/** `text` replaces the value of the field. */
export type Answer = { label: string; text: string }

/** Section 13 of the HTTP contract. */
export type Question = {
  code: 'guessed-year' | 'weekday-mismatch' | 'impossible-date' | 'past-date' | 'ambiguous'
  field: 'date' | 'time'
  message: string
  answers: readonly Answer[]
}

export type Reading = {
  schedule: EventDates | null
  dateUnderstood: boolean
  questions: readonly Question[]
}

/** Names of the two form fields. */
export type DateFields = { date: string; time: string }

/** Questions that block publishing. A guessed year and a past date are shown without blocking. */
const HOLDS_PUBLISHING = ['weekday-mismatch', 'impossible-date', 'ambiguous']

export type DateRequest = { date: string; time: string; dateWrittenAt: string | null }

const trimmed = (value: Value | undefined) => (typeof value === 'string' ? value.trim() : '')

/** An unchanged date is sent with the day on which it was entered, so that it keeps its year. */
export function requestOf(values: Values, names: DateFields, saved: Item | null): DateRequest {
  const date = trimmed(values[names.date])
  const isSaved = saved !== null && textOf(saved, names.date).trim() === date
  const dateWrittenAt = isSaved ? textOf(saved, 'dateWrittenAt') : null
  return { date, time: trimmed(values[names.time]), dateWrittenAt }
}

/** Recent answers by request, because several parts of the form ask the same. */
const answers = new Map<string, Promise<Reading | null>>()
const ANSWERS_MAX = 60

/** Null without a date and without an answer. */
export async function understand(request: DateRequest): Promise<Reading | null> {
  if (request.date === '') return null
  const key = JSON.stringify(request)
  const known = answers.get(key)
  if (known !== undefined) return known
  const answer = call<Reading>('POST', '/api/admin/understand-date', request, true).catch(() => {
    answers.delete(key)
    return null
  })
  const [oldest] = answers.keys()
  if (oldest !== undefined && answers.size >= ANSWERS_MAX) answers.delete(oldest)
  answers.set(key, answer)
  return answer
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
  const isSame = (name: string) =>
    trimmed(values[name]) === (saved === null ? '' : textOf(saved, name).trim())
  if (saved?.published === true && isSame(names.date) && isSame(names.time)) return {}
  const reading = await understand(requestOf(values, names, saved))
  const open = reading?.questions.filter(({ code }) => HOLDS_PUBLISHING.includes(code)) ?? []
  // The first question of a field is the most certain one, for example a wrong weekday before an ambiguous date.
  const first = [...open].reverse()
  return Object.fromEntries(first.map(({ field, message }) => [names[field], message]))
}

/** The occurrences as days, in order. */
export function spansOf(schedule: EventDates | null): readonly Span[] {
  if (schedule === null) return []
  return [schedule, ...schedule.others].map(({ start, end }) => ({
    first: start.slice(0, 10),
    last: (end ?? start).slice(0, 10),
  }))
}
