// Asks the server how it parses a telephone number while it is typed; the rules exist in Rust
// alone.
import { useEffect, useState } from 'preact/hooks'
import { call } from '../api/client'

/** Spares a request for each digit. */
const PAUSE_MS = 300

type PhoneNumber = { readonly number: string; readonly text: string }

export type PhonePreview = {
  readonly reading: PhoneNumber | null
  /** Asks which of the choices is meant: the number lacks a country code, or there are several. */
  readonly question: string | null
  readonly choices: readonly PhoneNumber[]
}

/** Null while the field is empty, the request is pending or the server cannot be reached. */
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
