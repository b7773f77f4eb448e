// Formats a parsed event date in Italian, independent of the device's time zone.

/** RFC 3339 with the offset of Italy; a bare date when no time is known. */
export type EventDates = {
  readonly start: string
  readonly end: string | null
  readonly allDay: boolean
  readonly others: readonly { readonly start: string; readonly end: string | null }[]
}

const DAY = new Intl.DateTimeFormat('it-IT', {
  weekday: 'long',
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export function formatEventDates({ start, end }: Pick<EventDates, 'start' | 'end'>): string {
  const [day, hour] = partsOf(start)
  if (end === null) return hour === null ? day : `${day}, ore ${hour}`
  const [lastDay, lastHour] = partsOf(end)
  if (lastDay === day) return `${day}, dalle ${hour ?? ''} alle ${lastHour ?? ''}`
  const from = hour === null ? day : `${day}, ore ${hour}`
  const to = lastHour === null ? lastDay : `${lastDay}, ore ${lastHour}`
  return `da ${from} a ${to}`
}

/** Day and time in Italy, taken from the text of the moment. */
function partsOf(moment: string): [string, string | null] {
  const day = DAY.format(new Date(`${moment.slice(0, 10)}T00:00:00Z`))
  return [day, moment.length > 10 ? moment.slice(11, 16) : null]
}
