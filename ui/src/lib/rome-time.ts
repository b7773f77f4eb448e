// Converts between instants and local time in Rome, independent of the time zone of the browser.
import { ROME } from './panel-date-format'

const WHEN = new Intl.DateTimeFormat('it-IT', {
  timeZone: ROME,
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  hour: 'numeric',
  minute: '2-digit',
})
const PARTS = new Intl.DateTimeFormat('en-CA', {
  timeZone: ROME,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
})

/** Formats a moment in Rome time: `martedì 24 marzo alle ore 9:00`. */
export function whenText(moment: string | number): string {
  return WHEN.format(new Date(moment))
}

/** Returns date and time in Rome as values of date and time fields. */
export function romeFields(moment: number): { readonly day: string; readonly time: string } {
  const parts = Object.fromEntries(
    PARTS.formatToParts(moment).map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  }
}

/** Returns the instant of this local time in Rome as ISO 8601; null if invalid. */
export function romeMoment(day: string, time: string): string | null {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(wanted)) return null
  // Rome is one or two hours ahead of UTC: the guess that formats to the wanted time is right.
  const guesses = [wanted - 2 * 3_600_000, wanted - 3_600_000]
  const found = guesses.find((guess) => {
    const shown = romeFields(guess)
    return shown.day === day && shown.time === time
  })
  // The hour that the change to summer time skips maps to the hour after it, as the server parses event times.
  return new Date(found ?? wanted - 3_600_000).toISOString()
}

/** Converts RFC 3339 to the value of a datetime-local field, in Rome time; '' if invalid. */
export function localInput(moment: string): string {
  const at = Date.parse(moment)
  if (Number.isNaN(at)) return ''
  const { day, time } = romeFields(at)
  return `${day}T${time}`
}

/** Converts the value of a datetime-local field, in Rome time, to RFC 3339; '' if invalid. */
export function fromLocalInput(text: string): string {
  if (Number.isNaN(Date.parse(text))) return ''
  const [day = '', time = ''] = text.split('T')
  return romeMoment(day, time)?.replace(/\.\d+Z$/, 'Z') ?? ''
}

/** Returns the date `days` after today in Rome. */
export function romeDay(now: number, days: number): string {
  const today = Date.parse(`${romeFields(now).day}T12:00:00Z`)
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10)
}

/** Returns the number of days from today to the next Monday in Rome; seven on a Monday. */
export function daysToMonday(now: number): number {
  const weekday = new Date(`${romeFields(now).day}T12:00:00Z`).getUTCDay()
  return (8 - weekday) % 7 || 7
}
