// Formats Italian dates without Intl, which QuickJS lacks, so that server and browser return the same text.

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

/** Formats the date in Rome: `11 febbraio 2025`; '' if `instant` is invalid. */
export function italianDate(instant: string): string {
  const ms = Date.parse(instant)
  if (Number.isNaN(ms)) return ''
  const there = new Date(ms + romeOffsetMs(ms))
  return `${there.getUTCDate()} ${months[there.getUTCMonth()]} ${there.getUTCFullYear()}`
}

/** UTC offset of Rome. Summer time lasts from the last Sunday of March to the last one of October, at 01:00 UTC. */
function romeOffsetMs(ms: number): number {
  const year = new Date(ms).getUTCFullYear()
  const isSummer = ms >= lastSunday(year, 2) && ms < lastSunday(year, 9)
  return isSummer ? 2 * hourMs : hourMs
}

/** 01:00 UTC on the last Sunday of a month with 31 days. */
function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month, 31, 1))
  return last.getTime() - last.getUTCDay() * 24 * hourMs
}

/** Returns the instant one second later, as RFC 3339; the text itself if it is invalid. */
export function secondAfter(instant: string): string {
  const ms = Date.parse(instant)
  return Number.isNaN(ms) ? instant : new Date(ms + 1000).toISOString()
}
