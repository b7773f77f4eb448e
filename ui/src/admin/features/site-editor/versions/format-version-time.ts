// Formats the publication times of versions: today, yesterday, or the date.

import { fill } from '../../../../lib/interpolate'
import { dayText, ROME } from '../../../../lib/panel-date-format'
import { romeDay, romeFields } from '../../../../lib/rome-time'
import { wording } from '../messages'

const { today, yesterday } = wording.versions
const timeZone = ROME
const TIME = { timeZone, hour: 'numeric', minute: '2-digit' } as const
const CLOSE_TIME = new Intl.DateTimeFormat('it-IT', { ...TIME, second: '2-digit' })
const SHORT_TIME = new Intl.DateTimeFormat('it-IT', TIME)
const DAY = new Intl.DateTimeFormat('it-IT', { timeZone, day: 'numeric', month: 'long' })

/** The formatted text of each moment, with seconds where two would be equal. */
export function formatVersionTimes(
  moments: readonly string[],
  now = Date.now(),
): ReadonlyMap<string, string> {
  const names = moments.map((moment) => nameOf(moment, now, SHORT_TIME))
  return new Map(
    moments.map((moment, index) => {
      const name = names[index] ?? ''
      const isAlone = names.indexOf(name) === names.lastIndexOf(name)
      return [moment, isAlone ? name : nameOf(moment, now, CLOSE_TIME)]
    }),
  )
}

function nameOf(moment: string, now: number, format: Intl.DateTimeFormat): string {
  const date = new Date(moment)
  const { day } = romeFields(date.getTime())
  const time = format.format(date)
  if (day === romeDay(now, 0)) return fill(today, { time })
  if (day === romeDay(now, -1)) return fill(yesterday, { time })
  const isOld = day.slice(0, 4) !== romeDay(now, 0).slice(0, 4)
  return `${isOld ? dayText(moment) : DAY.format(date)}, ${time}`
}
