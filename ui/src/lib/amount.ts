// Parses prices as the server does: `src/content/amounts.rs` has the same grammar, and `tests/data/amounts.json`
// compares them.

export type Currency = 'EUR' | 'CHF'

/** Parses `95`, `95,50`, `1.200` and the Swiss `1'200` to cents; null for anything else. */
export function centsOf(number: string): number | null {
  const bare = number.trim().replace(/(?<=\d)[.'’\s](?=\d{3}(\D|$))/g, '')
  const found = /^(-?)(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(bare)
  if (found === null) return null
  const [, sign, whole = '0', rest = ''] = found
  const cents = Number(whole) * 100 + Number(rest.padEnd(2, '0'))
  return sign === '-' ? -cents : cents
}

export function currencyOf(sign: string): Currency {
  return /^(?:€|eur)/i.test(sign) ? 'EUR' : 'CHF'
}

export const SIGNS = '€|EUR|euro|CHF|franchi'
const SIGN = `(${SIGNS}|S?Fr\\.?)?`
const TYPED = new RegExp(`^${SIGN} ?(-?\\d[\\d.,'’ ]*?)(?:[.,][-–]+)? ?${SIGN}$`, 'iu')

const FREE = /^(?:gratis|gratuit[oaie])$/i

/**
 * Parses a typed price: `95`, `95,50 €`, `CHF 1'200`, `120.- Fr.`. `currency` is null without a sign.
 * Returns null for text that is no amount, or that names a currency the site does not support.
 */
export function typedAmount(text: string): { cents: number; currency: Currency | null } | null {
  if (FREE.test(text.trim())) return { cents: 0, currency: null }
  const found = TYPED.exec(text.replace(/\s+/g, ' ').trim())
  const cents = centsOf(found?.[2] ?? '')
  const [currency = null, other = currency] = [found?.[1], found?.[3]].flatMap((sign) =>
    sign === undefined ? [] : [currencyOf(sign)],
  )
  return cents === null || other !== currency ? null : { cents, currency }
}

/** Formats cents as the site does: `1.250 €`, `95,50 CHF`. */
export function formatAmount(cents: number, currency: Currency): string {
  const whole = String(Math.trunc(cents / 100)).replace(/\B(?=(\d{3})+$)/g, '.')
  const rest = Math.abs(cents % 100)
  const number = rest === 0 ? whole : `${whole},${String(rest).padStart(2, '0')}`
  return `${number}\u00a0${currency === 'EUR' ? '€' : currency}`
}

/** A price of an event; without `cents` it is words, shown as typed in `note`. */
export type Price = { cents: number | null; currency: Currency; note: string }

const NOTED = new RegExp(
  `^((?:${SIGNS}|S?Fr\\.?)? ?\\d[\\d.,'’ ]*(?:[.,][-–]+)? ?(?:${SIGNS}|S?Fr\\.?)?)(?!\\p{L})([^\\d]+)$`,
  'iu',
)
const NO_WORDS = new RegExp(`^(?:(?:${SIGNS}|S?Fr)(?!\\p{L})|\\P{L})*$`, 'iu')

/** Null for a text of digits and signs alone that is not an amount, such as `15,0,0`. */
export function readPrice(text: string): Price | null {
  const plain = text.replace(/\s+/g, ' ').trim()
  const amount = typedAmount(plain)
  if (amount !== null && amount.cents >= 0) {
    return { cents: amount.cents, currency: amount.currency ?? 'EUR', note: '' }
  }
  if (NO_WORDS.test(plain)) return null
  const [, start = '', note = ''] = NOTED.exec(plain) ?? []
  const noted = typedAmount(start)
  if (noted !== null && noted.currency !== null) {
    return { cents: noted.cents, currency: noted.currency, note: note.trim() }
  }
  return { cents: null, currency: 'EUR', note: plain }
}

/** The text that visitors read; `free` is the word for a price of zero. */
export function shownPrice({ cents, currency, note }: Price, free: string): string {
  if (cents === null) return note
  const amount = cents === 0 && note === '' ? free : formatAmount(cents, currency)
  return amount + (note === '' || /^[,;/]/.test(note) ? '' : ' ') + note
}
