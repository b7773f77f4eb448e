import { describe, expect, it } from 'vitest'
import { consentOf, readConsent } from './cookie-consent'

const given = Date.UTC(2025, 8, 1, 12)
const stored = JSON.stringify(consentOf(true, false, given))

describe('readConsent', () => {
  it('gives back what was chosen, with its date and version', () => {
    expect(readConsent(stored, given + 1000)).toEqual({
      necessary: true,
      analytics: true,
      marketing: false,
      date: given,
      version: 1,
    })
  })

  it('holds for six months, then asks again', () => {
    const end = Date.UTC(2026, 2, 1, 12)
    expect(readConsent(stored, end - 1)).not.toBeNull()
    expect(readConsent(stored, end)).toBeNull()
  })

  it('does not believe a choice from the future or from another version of the question', () => {
    expect(readConsent(stored, given - 1)).toBeNull()
    expect(readConsent(stored.replace('"version":1', '"version":0'), given)).toBeNull()
  })

  it.each([null, '', '{', 'null', '[]', '"yes"', '{"analytics":true}'])(
    'reads %s as none',
    (text) => {
      expect(readConsent(text, given)).toBeNull()
    },
  )
})
