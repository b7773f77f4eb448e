// Formats amounts of money.

import type { Amount } from './content/schema'
import { priceLabels } from './fixed-messages/control-labels'

const signs = { EUR: '€', CHF: 'CHF' } as const

/** Formats `250000` cents as `2.500 €` with a no-break space, and zero as "gratis". */
export function priced({ cents, currency }: Amount): string {
  if (cents === 0) return priceLabels.free
  const whole = `${Math.trunc(cents / 100)}`.replace(/\B(?=(?:\d{3})+$)/g, '.')
  const rest = cents % 100
  const decimals = rest === 0 ? '' : `,${`${rest}`.padStart(2, '0')}`
  return `${whole}${decimals}\u00a0${signs[currency]}`
}

/** Like `priced`, capitalised for the start of a text. */
export function pricedAlone(amount: Amount): string {
  const text = priced(amount)
  return text.charAt(0).toUpperCase() + text.slice(1)
}
