// Requests the data of the home from the server.
import { now } from '../../../lib/clock'
import { dayText, timeText } from '../../../lib/panel-date-format'
import { romeDay, romeFields } from '../../../lib/rome-time'
import type { Kind } from '../../api/schema'
import { homeMessages } from './messages'

/** `GET /api/admin/home` */
export type Home = {
  readonly brand: string | null
  readonly practitioner: string | null
  readonly hasOpeningPicture: boolean
  readonly passkeys: number
  readonly totals: Readonly<Partial<Record<Kind, number>>>
  readonly lastChange: LastChange | null
  readonly events: readonly NextEvent[]
}

export type NextEvent = {
  readonly id: string
  readonly title: string | null
  readonly date: string | null
  readonly time: string | null
  readonly location: string | null
  readonly published: boolean
  readonly soldOut: boolean
  readonly cancelled: boolean
  /** The next day, `2026-12-12`; of an event under way the day on which it began; null without a date. */
  readonly day: string | null
}

/** A content block has pages, an item a kind. */
export type LastChange = {
  readonly title: string | null
  readonly at: string
  readonly pages?: readonly string[]
}

/** `oggi alle 18:40`, `ieri alle 18:40`, `12 dicembre 2026` */
export function whenText(moment: string): string {
  const at = Date.parse(moment)
  const { day } = romeFields(at)
  const time = timeText(new Date(at))
  if (day === romeDay(now(), 0)) return homeMessages.today(time)
  if (day === romeDay(now(), -1)) return homeMessages.yesterday(time)
  return dayText(moment)
}
