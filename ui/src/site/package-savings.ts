// Computes what a package saves compared with the single prices of its parts.

import type { Words } from './content/blocks'
import { priced } from './money'

type Pricing = Words['pricing.packages']
type Package = Pricing['packages'][number]
type Offers = Words['servizi.offers']['offers']

/** Returns the text below the price of a package; '' when there is none. */
export function packageSavings(words: Pricing, item: Package, offers: Offers): string {
  if (item.saving !== '') return item.saving
  const { cents, currency } = item.price
  const sum = sumOf(item, offers)
  if (sum === null || sum <= cents || item.compare === 'none') return ''
  return item.compare === 'saving'
    ? `${words.savingLabel} ${priced({ cents: sum - cents, currency })}`
    : `${words.sumLabel} ${priced({ cents: sum, currency })}.`
}

/**
 * Returns the sum of the single prices in cents; null when a part is no longer offered or has
 * another currency.
 */
function sumOf(item: Package, offers: Offers): number | null {
  let sum = 0
  for (const { offer, count } of item.parts) {
    const price = offers.find(({ id }) => id === offer)?.price
    if (price?.currency !== item.price.currency) return null
    sum += count * price.cents
  }
  return sum
}
