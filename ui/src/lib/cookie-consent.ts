// Parses and creates the visitor's cookie consent, which the browser stores. Pure: the time is an argument.

export type Consent = {
  readonly necessary: true
  readonly analytics: boolean
  readonly marketing: boolean
  /** Time of the choice, in milliseconds since the Unix epoch. */
  readonly date: number
  /** Version of the question. A new purpose raises `consentVersion`, so that every visitor is asked again. */
  readonly version: number
}

export const consentKey = 'cookie-consent'
export const consentVersion = 1
const monthsUntilAskedAgain = 6

/** Creates a consent given at `now`. */
export function consentOf(analytics: boolean, marketing: boolean, now: number): Consent {
  return { necessary: true, analytics, marketing, date: now, version: consentVersion }
}

/** Returns the stored consent; null if there is none, or if it is malformed, outdated or expired. */
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
