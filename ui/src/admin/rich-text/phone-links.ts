// A telephone number that a link leads to: without its country it is nobody's.

import { phoneDigitsMin } from '../../kinds/later.gen'
import { call } from '../api/client'
import type { PhonePreview } from '../hooks/use-phone-preview'

const MESSAGING = /^(https?:\/\/wa\.me\/)(\d+)(.*)$/i

export type Understood = {
  /** Null where the country has to be said, or where nobody can be called. */
  readonly address: string | null
  readonly choices: readonly { readonly text: string; readonly address: string }[]
}

/** The address with the country of its number, as the server reads what was typed. */
export async function withCountry(address: string, typed: string): Promise<Understood> {
  const asItIs: Understood = { address, choices: [] }
  const [, beginning = 'tel:', digits, rest = ''] = MESSAGING.exec(address) ?? []
  const isCall = /^tel:(?!\+|00)/i.test(address)
  const phone = digits ?? (isCall ? typed.trim().replace(/^tel:/i, '') : '')
  if (phone.replace(/\D/g, '').length < phoneDigitsMin) return asItIs
  const answer = await call<PhonePreview>('POST', '/api/admin/understand-phone', { phone }).catch(
    () => null,
  )
  if (answer === null) return asItIs
  const to = (number: string) => beginning + (isCall ? number : number.slice(1)) + rest
  const { reading, choices } = answer
  if (reading !== null) return { address: to(reading.number), choices: [] }
  // There a country stands without its sign: one that is not read here says itself.
  if (choices.length === 0 && !isCall) return asItIs
  return {
    address: null,
    choices: choices.map(({ number, text }) => ({ text, address: to(number) })),
  }
}
