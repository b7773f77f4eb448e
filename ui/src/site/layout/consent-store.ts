// The visitor's consent to cookies, and which dialog asks for it. Used in the browser only.

import { create } from 'zustand'
import { now } from '../../lib/clock'
import { type Consent, consentKey, consentOf, readConsent } from '../../lib/cookie-consent'

type ConsentState = {
  readonly consent: Consent | null
  /** `nothing` until the storage has been read: every visitor gets the same published HTML. */
  readonly shown: 'nothing' | 'banner' | 'preferences'
}

export const useConsent = create<ConsentState>(() => ({ consent: null, shown: 'nothing' }))

export function startConsent(): void {
  const consent = readConsent(storedText(), now())
  useConsent.setState({ consent, shown: consent === null ? 'banner' : 'nothing' })
}

export function choose(analytics: boolean, marketing: boolean): void {
  const consent = consentOf(analytics, marketing, now())
  try {
    localStorage.setItem(consentKey, JSON.stringify(consent))
  } catch {
    // Without storage the choice holds until the visitor leaves the page.
  }
  useConsent.setState({ consent, shown: 'nothing' })
}

export function openPreferences(): void {
  useConsent.setState({ shown: 'preferences' })
}

/** Closes the preferences without a choice; the banner returns while there is none. */
export function leavePreferences(): void {
  useConsent.setState(({ consent }) => ({ shown: consent === null ? 'banner' : 'nothing' }))
}

function storedText(): string | null {
  try {
    return localStorage.getItem(consentKey)
  } catch {
    return null
  }
}
