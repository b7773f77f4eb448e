// Moments by the clocks of Rome, wherever who plans them is.
import { ROME } from './date-format'

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

/** `martedì 24 marzo alle ore 9:00`, by the clocks of Italy. */
export function whenText(moment: string | number): string {
  return WHEN.format(new Date(moment))
}

/** Day and time in Rome, as fields for days and times hold them. */
export function romeFields(moment: number): { readonly day: string; readonly time: string } {
  const parts = Object.fromEntries(
    PARTS.formatToParts(moment).map(({ type, value }) => [type, value]),
  )
  return {
    day: `${parts.year}-${parts.month}-${parts.day}`,
    time: `${parts.hour}:${parts.minute}`,
  }
}

/** The moment at which clocks in Rome show this; null for no moment. */
export function romeMoment(day: string, time: string): string | null {
  const wanted = Date.parse(`${day}T${time}:00Z`)
  if (Number.isNaN(wanted)) return null
  // Rome is one or two hours ahead: the guess that shows the wanted clock is the moment.
  const guesses = [wanted - 2 * 3_600_000, wanted - 3_600_000]
  const found = guesses.find((guess) => {
    const shown = romeFields(guess)
    return shown.day === day && shown.time === time
  })
  // An hour that a spring night leaves out: the one after it, as the server reads event times.
  return new Date(found ?? wanted - 3_600_000).toISOString()
}

/** The day so many days after today in Rome. */
export function romeDay(now: number, days: number): string {
  const today = Date.parse(`${romeFields(now).day}T12:00:00Z`)
  return new Date(today + days * 86_400_000).toISOString().slice(0, 10)
}

/** Days from today to the next Monday in Rome, seven on a Monday. */
export function daysToMonday(now: number): number {
  const weekday = new Date(`${romeFields(now).day}T12:00:00Z`).getUTCDay()
  return (8 - weekday) % 7 || 7
}
