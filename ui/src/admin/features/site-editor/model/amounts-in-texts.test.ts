import { expect, it } from 'vitest'
// The examples of the server's test too: the price field and the search read what it reads.
import table from '../../../../../../tests/data/amounts.json'
import { readPrice } from '../../../../lib/amount'
import { visibleText } from '../../../../lib/invisible-characters'
import { amountOf, amountProblem } from './invalid-amounts'
import { amountsIn } from './rich-value'

const isAmount = (stored: string | null | undefined) => {
  const price = stored ? readPrice(stored) : null
  return price === null || (price.cents !== null && price.note === '')
}
const plain = table.filter(([typed, stored]) => isAmount(stored) && typed !== '0 CHF')

it.each(plain)('the price field reads %j as the server does', (typed, stored) => {
  const text = typed ?? ''
  const price = stored === null ? null : readPrice(stored)
  if (price === null) expect(amountProblem(text)).not.toBe(null)
  else {
    const { cents, currency } = amountOf(text, { cents: 1, currency: price.currency })
    expect({ cents, currency }).toEqual({ cents: price.cents, currency: price.currency })
  }
})

const signed = plain.filter(([typed, stored]) => stored !== null && /[€a-z]/i.test(typed ?? ''))

it.each(signed.filter(([typed]) => !/grat/i.test(typed ?? '')))(
  'the search finds %j in a sentence',
  (typed, stored) => {
    const { cents, currency } = readPrice(stored ?? '') ?? {}
    const text = visibleText(`Costa ${typed} a volta.`)
    const found = amountsIn(text).map((one) => [one.cents, one.currency])
    expect(found).toContainEqual([cents, /chf|fr/i.test(typed ?? '') ? 'CHF' : currency])
  },
)
