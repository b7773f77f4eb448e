// Adds the country code to telephone numbers in links, which do not work without one.

import { phoneDigitsMin } from '../../kinds/lazy-constants.gen'
import { call } from '../api/client'
import type { PhonePreview } from '../hooks/use-phone-preview'

const MESSAGING = /^(https?:\/\/wa\.me\/)(\d+)(.*)$/i

export type ParsedPhoneLink = {
  /** Null if the country must be chosen or the number is invalid. */
  readonly address: string | null
  readonly question: string | null
  readonly choices: readonly { readonly text: string; readonly address: string }[]
}

/** Returns the address with the country code that the server derives from the typed number. */
export async function withCountry(address: string, typed: string): Promise<ParsedPhoneLink> {
  const asItIs: ParsedPhoneLink = { address, question: null, choices: [] }
  const [, beginning = 'tel:', digits, rest = ''] = MESSAGING.exec(address) ?? []
  const isCall = /^tel:(?!\+|00)/i.test(address)
  const phone = digits ?? (isCall ? typed.trim().replace(/^tel:/i, '') : '')
  if (phone.replace(/\D/g, '').length < phoneDigitsMin) return asItIs
  const answer = await call<PhonePreview>('POST', '/api/admin/understand-phone', { phone }).catch(
    () => null,
  )
  if (answer === null) return asItIs
  const to = (number: string) => beginning + (isCall ? number : number.slice(1)) + rest
  const { reading, question, choices } = answer
  if (reading !== null) return { ...asItIs, address: to(reading.number) }
  // wa.me numbers have a country code without `+`: a number that the server cannot parse stays.
  if (choices.length === 0 && !isCall) return asItIs
  return {
    address: null,
    question,
    choices: choices.map(({ number, text }) => ({ text, address: to(number) })),
  }
}
