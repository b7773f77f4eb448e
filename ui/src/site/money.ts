// Amounts as they are read.

import type { Amount } from './words/fields'

const signs = { EUR: '€', CHF: 'CHF' } as const

/** `250000` cents as `2.500 €`, with a space that does not break. */
export function priced({ cents, currency }: Amount): string {
  const whole = `${Math.trunc(cents / 100)}`.replace(/\B(?=(?:\d{3})+$)/g, '.')
  const rest = cents % 100
  const decimals = rest === 0 ? '' : `,${`${rest}`.padStart(2, '0')}`
  return `${whole}${decimals}\u00a0${signs[currency]}`
}
