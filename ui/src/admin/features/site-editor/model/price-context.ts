// Derives prices, savings, totals and counts of services and packages, to compare texts with them.
import type { Amount, Block, FieldValue, ObjectValue } from '../api/content-api'
import { getIn, isList, isObjectValue } from './field-path'
import { amountText } from './rich-value'

export const OFFERS = 'servizi.offers'
export const PACKAGES = 'pricing.packages'
export const TEXTS: readonly string[] = ['line', 'paragraphs', 'richText']

/** A price, or an amount derived from prices. */
type Sum = {
  /** Id and title of the offer or package. */
  readonly entry: string
  readonly title: string
  readonly of: 'price' | 'saving' | 'sum' | 'each' | 'count'
  /** Formatted as in the panel; for `count`, how many of `offer` the package contains. */
  readonly amount: string
  readonly offer?: string
}

export type PriceContext = readonly Sum[]

export type PriceProblem = {
  readonly block: Block
  readonly path: string
  /** A dismissed warning returns when this text changes. */
  readonly text: string
  readonly message: string
  readonly reckoning: string
  /** The corrected text; null when the problem can only be reported. */
  readonly fix: { readonly label: string; readonly text: string } | null
}

export type Entry = ObjectValue & { readonly id: string }

export function entriesOf(word: FieldValue | undefined): readonly Entry[] {
  if (!isList(word)) return []
  return word.filter(
    (entry): entry is Entry => isObjectValue(entry) && typeof entry.id === 'string',
  )
}

function priceIn(entry: ObjectValue | undefined): Amount | null {
  const price = entry === undefined ? undefined : getIn(entry, 'price')
  if (!isObjectValue(price) || typeof price.cents !== 'number') return null
  return { cents: price.cents, currency: price.currency === 'CHF' ? 'CHF' : 'EUR' }
}

export type Share = { readonly count: number; readonly single: number }

/** The parts of a package; null when a part is no longer offered or has another currency. */
function sharesOf(
  entry: ObjectValue,
  offers: readonly Entry[],
  currency: string,
): readonly Share[] | null {
  const shares: Share[] = []
  for (const part of entriesOf(entry.parts)) {
    const single = priceIn(offers.find(({ id }) => id === part.offer))
    if (single?.currency !== currency || typeof part.count !== 'number') return null
    shares.push({ count: part.count, single: single.cents })
  }
  return shares.length === 0 ? null : shares
}

type Bill = { readonly price: Amount; readonly shares: readonly Share[] }

/** The price and the parts of a package; null when either is unknown. */
export function priceBreakdown(entry: ObjectValue, offers: readonly Entry[]): Bill | null {
  const price = priceIn(entry)
  const shares = price === null ? null : sharesOf(entry, offers, price.currency)
  return price === null || shares === null ? null : { price, shares }
}

export function priceContext(offersValue: ObjectValue, packagesValue: ObjectValue): PriceContext {
  const offers = entriesOf(offersValue.offers)
  const packages = entriesOf(packagesValue.packages)
  const sums: Sum[] = []
  const put = (entry: Entry, of: Sum['of'], amount: Amount | null) => {
    // A free offer is still an offer; a saving or total of zero is none.
    if (amount === null || (of !== 'price' && amount.cents <= 0)) return
    const title = typeof entry.title === 'string' && entry.title !== '' ? entry.title : entry.id
    sums.push({ entry: entry.id, title, of, amount: amountText(amount) })
  }
  for (const entry of [...offers, ...packages]) put(entry, 'price', priceIn(entry))
  for (const entry of packages) {
    for (const { offer, count } of entriesOf(entry.parts)) {
      if (typeof offer !== 'string' || typeof count !== 'number') continue
      const title = typeof entry.title === 'string' ? entry.title : entry.id
      sums.push({ entry: entry.id, title, of: 'count', amount: String(count), offer })
    }
    const bill = priceBreakdown(entry, offers)
    if (bill === null) continue
    const { cents, currency } = bill.price
    const { shares } = bill
    put(entry, 'saving', { cents: totalOf(shares) - cents, currency })
    put(entry, 'sum', { cents: totalOf(shares), currency })
    const [only] = shares
    if (shares.length !== 1 || only === undefined) continue
    put(entry, 'each', { cents: Math.round(cents / only.count), currency })
  }
  return sums
}

export function totalOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { count, single }) => sum + count * single, 0)
}

export function isSold(id: string, now: PriceContext): boolean {
  return now.some(({ entry }) => entry === id)
}

export function titleOf(id: string, former: readonly PriceContext[]): string {
  return former.flat().find(({ entry }) => entry === id)?.title ?? id
}

/** The id of the outermost entry that contains `path`. */
export function entryIn(value: ObjectValue, path: string): string | undefined {
  const end = path.indexOf(']')
  const id = end < 0 ? undefined : getIn(value, `${path.slice(0, end + 1)}.id`)
  return typeof id === 'string' ? id : undefined
}
