// Italian dates from instants, with the same result in every engine: QuickJS has no Intl.

const months = [
  'gennaio',
  'febbraio',
  'marzo',
  'aprile',
  'maggio',
  'giugno',
  'luglio',
  'agosto',
  'settembre',
  'ottobre',
  'novembre',
  'dicembre',
]

const hourMs = 3_600_000

/** `11 febbraio 2025`, the day it is in Rome; '' for a text that is no instant. */
export function italianDate(instant: string): string {
  const ms = Date.parse(instant)
  if (Number.isNaN(ms)) return ''
  const there = new Date(ms + romeOffsetMs(ms))
  return `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`
}

/** Summer time runs from the last Sunday of March to the last one of October, at 01:00 UTC. */
function romeOffsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear()
  const isSummer = ms >= lastSunday(year, 2) && ms < lastSunday(year, 9)
  return isSummer ? 2 * hourMs : hourMs
}

/** One o'clock UTC on the last Sunday of a month of 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * 24 * hourMs
}

/** The instant a second later, as RFC 3339; the text itself when it is no instant. */
export function secondAfter(instant: string): string {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? instant : new Date(ms + 1000).toISOString()
}
