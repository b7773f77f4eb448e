// The visitor's choice about cookies, as it is kept in the browser. Pure: the clock is an argument.

export type Consent = {
  readonly necessary: true
  readonly analytics: boolean
  readonly marketing: boolean
  /** When it was given, in milliseconds since 1970. */
  readonly date: number
  /** Of the question: a new purpose asks everybody again. */
  readonly version: number
}

export const consentKey = 'cookie-consent'
export const consentVersion = 1
const monthsUntilAskedAgain = 6

/** A choice made now. */
export function consentOf(analytics: boolean, marketing: boolean, now: number): Consent {
  return { necessary: true, analytics, marketing, date: now, version: consentVersion }
}

/** The stored choice; null when there is none, when it cannot be read or holds no longer. */
export function readConsent(stored: string | null, now: number): Consent | null {
  const value = parse(stored)
  if (typeof value !== 'object' || value === null) return null
  const { analytics, marketing, date, version } = value as Partial<Record<keyof Consent, unknown>>
  if (typeof analytics !== 'boolean' || typeof marketing !== 'boolean') return null
  if (typeof date !== 'number' || version !== consentVersion) return null
  const isFromTheFuture = date > now
  if (isFromTheFuture || now >= endOf(date)) return null
  return { necessary: true, analytics, marketing, date, version: consentVersion }
}

function endOf(date: number): number {
  const end = new Date(date)
  end.setUTCMonth(end.getUTCMonth() + monthsUntilAskedAgain)
  return end.getTime()
}

function parse(text: string | null): unknown {
  if (text === null) return null
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
