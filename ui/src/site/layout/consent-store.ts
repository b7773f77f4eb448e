// The visitor's choice about cookies, and what is shown to make it. Touched in the browser only.

import { create } from 'zustand'
import { now } from '../../lib/clock'
import { type Consent, consentKey, consentOf, readConsent } from '../../lib/consent'

type ConsentState = {
  readonly consent: Consent | null
  /** Nothing before the browser has been asked: the published page must fit everybody. */
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
    // Without storage the choice holds until the page is left.
  }
  useConsent.setState({ consent, shown: 'nothing' })
}

export function openPreferences(): void {
  useConsent.setState({ shown: 'preferences' })
}

/** Leaves the preferences without a choice: whoever has made none is asked again. */
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
