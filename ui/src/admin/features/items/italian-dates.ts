// Writes dates and times as the words that the admin would type, in forms that the server's grammar accepts.
import { withArticle } from '../../../lib/date-article'

/** Days are `YYYY-MM-DD`. */
export type Span = { readonly first: string; readonly last: string }

const DAY_MS = 86_400_000
const at = (day: string) => Date.parse(`${day}T00:00:00Z`)

export function addDays(day: string, count: number): string {
  return new Date(at(day) + count * DAY_MS).toISOString().slice(0, 10)
}

/** The same day `count` months later; the last day of a shorter month. */
export function addMonths(day: string, count: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + count, 0))
  last.setUTCDate(Math.min(date, last.getUTCDate()))
  return last.toISOString().slice(0, 10)
}

/** 0 for a Monday. */
export function weekdayOf(day: string): number {
  return (new Date(at(day)).getUTCDay() + 6) % 7
}

/** The weeks of the month of `day`, with the days of its neighbours, Monday first. */
export function weeksOf(day: string): readonly (readonly string[])[] {
  const first = `${day.slice(0, 8)}01`
  const start = addDays(first, -weekdayOf(first))
  const end = addMonths(first, 1)
  const weeks: string[][] = []
  for (let week = start; week < end; week = addDays(week, 7)) {
    weeks.push([0, 1, 2, 3, 4, 5, 6].map((index) => addDays(week, index)))
  }
  return weeks
}

function formatter(options: Intl.DateTimeFormatOptions): (day: string) => string {
  const format = new Intl.DateTimeFormat('it-IT', { ...options, timeZone: 'UTC' })
  return (day) => format.format(new Date(at(day)))
}

/** `sabato 12 dicembre 2026` */
export const longDay = formatter({
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
})
/** `sab 12 dicembre` */
export const shortDay = formatter({ weekday: 'short', day: 'numeric', month: 'long' })
/** `dicembre 2026` */
export const monthName = formatter({ month: 'long', year: 'numeric' })
const month = formatter({ month: 'long' })

const number = (day: string) => String(Number(day.slice(8)))
const yearOf = (day: string) => day.slice(0, 4)

/** `dall’8`, `al 12` */
const joined = (before: 'dal' | 'al', day: string) => withArticle(before, number(day))

/** `dal 5 al 7 marzo 2027` */
export function spanWords({ first, last }: Span): string {
  const isYear = yearOf(first) === yearOf(last)
  const isMonth = isYear && first.slice(0, 7) === last.slice(0, 7)
  const year = isYear ? '' : ` ${yearOf(first)}`
  const from = isMonth ? '' : ` ${month(first)}${year}`
  return `${joined('dal', first)}${from} ${joined('al', last)} ${month(last)} ${yearOf(last)}`
}

/** `6, 13 e 20 marzo 2027`; consecutive days have commas alone, because "12 e 13 dicembre" may be one event. */
function listWords(days: readonly string[]): string {
  const parts = days.map((day, index) => {
    const next = days[index + 1]
    if (next?.slice(0, 7) === day.slice(0, 7)) return number(day)
    const isLastOfYear = next === undefined || yearOf(next) !== yearOf(day)
    return `${number(day)} ${month(day)}${isLastOfYear ? ` ${yearOf(day)}` : ''}`
  })
  const isRow = days.every((day, index) => index === 0 || day === addDays(days[index - 1] ?? '', 1))
  const last = parts.at(-1) ?? ''
  return isRow ? parts.join(', ') : `${parts.slice(0, -1).join(', ')} e ${last}`
}

/** The words for these occurrences in order; empty for none. */
export function datesInWords(spans: readonly Span[]): string {
  const [only] = spans
  if (only === undefined) return ''
  if (spans.some(({ first, last }) => first !== last)) {
    const parts = spans.map((span) => (span.first === span.last ? dayWords(span) : spanWords(span)))
    return parts.join(', ')
  }
  return spans.length === 1 ? longDay(only.first) : listWords(spans.map(({ first }) => first))
}

function dayWords({ first }: Span): string {
  return `${number(first)} ${month(first)} ${yearOf(first)}`
}

/** `20:30`, or `dalle 20:30 alle 22:00`. */
export function timeWords(from: string, to: string | null): string {
  return to === null ? from : `dalle ${from} alle ${to}`
}

/** `un’ora e mezza`; minutes are a multiple of 30. */
export function durationWords(minutes: number): string {
  const hours = Math.trunc(minutes / 60)
  const whole = hours === 0 ? '' : hours === 1 ? 'un’ora' : `${HOURS[hours] ?? hours} ore`
  if (minutes % 60 === 0) return whole
  return hours === 0 ? 'mezz’ora' : `${whole} e mezza`
}

const HOURS = ['', '', 'due', 'tre', 'quattro', 'cinque', 'sei', 'sette', 'otto']

/** RFC 3339 with the offset of Italy; a bare date when no time is known. */
export type EventDates = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
  readonly others: readonly { readonly start: string; readonly end: string | null }[]
}

const FULL_DAY = new Intl.DateTimeFormat('it-IT', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Formats a parsed date in Italian, independent of the device's time zone. */
export function formatEventDates({ start, end }: Pick<EventDates, 'start' | 'end'>): string {
  const [day, hour] = dayAndTimeOf(start)
  if (end === null) return hour === null ? day : `${day}, ore ${hour}`
  const [lastDay, lastHour] = dayAndTimeOf(end)
  if (lastDay === day) return `${day}, dalle ${hour ?? ''} alle ${lastHour ?? ''}`
  const from = hour === null ? day : `${day}, ore ${hour}`
  const to = lastHour === null ? lastDay : `${lastDay}, ore ${lastHour}`
  return `da ${from} a ${to}`
}

/** Day and time in Italy, taken from the text of the moment. */
function dayAndTimeOf(moment: string): [string, string | null] {
  const day = FULL_DAY.format(new Date(`${moment.slice(0, 10)}T00:00:00Z`))
  return [day, moment.length > 10 ? moment.slice(11, 16) : null]
}
