// How the server reads a telephone number while it is typed: the rule stands there alone.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/client'

/** Long enough not to ask for every digit. */
const PAUSE_MS = 300

type PhoneNumber = { readonly number: string; readonly text: string }

export type PhonePreview = {
  readonly reading: PhoneNumber | null
  /** Where the country has to be said: what it may be. */
  readonly choices: readonly PhoneNumber[]
}

/** Null while there is nothing to read, or nobody to ask: then nothing is claimed. */
export function usePhonePreview(phone: string): PhonePreview | null {
  const [answer, setAnswer] = useState<(PhonePreview & { of: string }) | null>(null)
  const written = phone.trim()
  useEffect(() => {
    if (written === '') return undefined
    let current = true
    const ask = async () => {
      const path = '/api/admin/understand-phone'
      const request = { phone: written }
      const reading = await call<PhonePreview>('POST', path, request, true).catch(() => null)
      if (current && reading !== null) setAnswer({ ...reading, of: written })
    }
    const timer = setTimeout(() => void ask(), PAUSE_MS)
    return () => {
      current = false
      clearTimeout(timer)
    }
  }, [written])
  return answer?.of === written ? answer : null
}
