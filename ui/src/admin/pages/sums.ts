// Amounts that stand in words, against what things cost and save now. Each price stands in one place;
// what she writes about it in her own words is hers, and is only named where it no longer fits.
import type { Amount, Block, Group, Word } from './contract'
import { amountsIn, amountText, partsOfText, type Written } from './text-parts'
import { at, isGroup, isList, leavesOf } from './value'
import { fill, wording } from './wording'

export const OFFERS = 'servizi.offers'
export const PACKAGES = 'pricing.packages'
const TEXTS: readonly string[] = ['line', 'paragraphs', 'richText']
const { check: own } = wording.amount

/** What something costs, or what is reckoned from that. */
type Sum = {
  /** The id of the offer or the package, and what it is called. */
  readonly entry: string
  readonly title: string
  readonly of: 'price' | 'saving' | 'sum' | 'each'
  /** As the panel writes it. */
  readonly amount: string
}

export type Sums = readonly Sum[]

export type SumProblem = {
  readonly block: Block
  readonly path: string
  /** What it is about, until one of the two changes. */
  readonly text: string
  readonly message: string
  readonly reckoning: string
  /** The text with the sum in it; null where it is only named. */
  readonly fix: { readonly label: string; readonly text: string } | null
}

/** `earlier` is what stood before what is published, the newest first. */
export function sumProblems(
  blocks: readonly Block[],
  draftIn: (block: Block) => Group,
  earlier: readonly Sums[] = [],
): readonly SumProblem[] {
  const offers = blocks.find(({ id }) => id === OFFERS)
  const packages = blocks.find(({ id }) => id === PACKAGES)
  if (offers === undefined || packages === undefined) return []
  const now = sumsOf(draftIn(offers), draftIn(packages))
  const former = [
    sumsOf(offers.value, packages.value),
    ...earlier,
    sumsOf(offers.default, packages.default),
  ]
  return [
    ...savingProblems(packages, draftIn(packages), draftIn(offers)),
    ...partProblems(packages, draftIn(packages), now, former),
    ...blocks.flatMap((block) => textProblems(block, draftIn(block), now, former)),
    ...serviceProblems(blocks, draftIn),
  ]
}

/** Where engines are told what is on offer: by entry, the offer that it names. */
const SERVICES = 'seo.organization'
const offerByService: Readonly<Record<string, string>> = {
  '1': 'individual',
  '2': 'group',
  '3': 'online',
  '4': 'atHome',
  '5': 'retreat',
  '6': 'couple',
  '7': 'seminars',
  '8': 'training',
  '9': 'companiesAndSport',
  '10': 'companiesAndSport',
  '11': 'freeConsultation',
}

/** What engines are still told of, and she no longer offers; what she named herself is hers. */
function serviceProblems(
  blocks: readonly Block[],
  draftIn: (block: Block) => Group,
): readonly SumProblem[] {
  const block = blocks.find(({ id }) => id === SERVICES)
  const more = blocks.find(({ id }) => id === 'servizi.more')
  const offers = blocks.find(({ id }) => id === OFFERS)
  if (block === undefined || more === undefined || offers === undefined) return []
  const known = [...entriesOf(draftIn(offers).offers), ...entriesOf(draftIn(more).items)]
  const first = entriesOf(block.default.services)
  return entriesOf(draftIn(block).services).flatMap((entry, index) => {
    const { id, text } = entry
    const offer = offerByService[id]
    const isDefault = first.some((one) => one.id === id && one.text === text)
    const isOffered = known.some((one) => one.id === offer)
    if (offer === undefined || isOffered || !isDefault || typeof text !== 'string') return []
    const message = fill(own.serviceGone, { title: text })
    return [{ block, path: `services[${index}].text`, text, message, reckoning: '', fix: null }]
  })
}

type Entry = Group & { readonly id: string }

function entriesOf(word: Word | undefined): readonly Entry[] {
  if (!isList(word)) return []
  return word.filter((entry): entry is Entry => isGroup(entry) && typeof entry.id === 'string')
}

function priceIn(entry: Group | undefined): Amount | null {
  const price = entry === undefined ? undefined : at(entry, 'price')
  if (!isGroup(price) || typeof price.cents !== 'number') return null
  return { cents: price.cents, currency: price.currency === 'CHF' ? 'CHF' : 'EUR' }
}

type Share = { readonly count: number; readonly single: number }

/** What a package is made of; null where a part is not offered any more, or in another currency. */
function sharesOf(
  entry: Group,
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

/** What a package costs, and what it is made of. */
function billOf(entry: Group, offers: readonly Entry[]): Bill | null {
  const price = priceIn(entry)
  const shares = price === null ? null : sharesOf(entry, offers, price.currency)
  return price === null || shares === null ? null : { price, shares }
}

export function sumsOf(offersValue: Group, packagesValue: Group): Sums {
  const offers = entriesOf(offersValue.offers)
  const packages = entriesOf(packagesValue.packages)
  const sums: Sum[] = []
  const put = (entry: Entry, of: Sum['of'], amount: Amount | null) => {
    // What costs nothing is on offer all the same.
    if (amount === null || (of !== 'price' && amount.cents <= 0)) return
    const title = typeof entry.title === 'string' && entry.title !== '' ? entry.title : entry.id
    sums.push({ entry: entry.id, title, of, amount: amountText(amount) })
  }
  for (const entry of [...offers, ...packages]) put(entry, 'price', priceIn(entry))
  for (const entry of packages) {
    const bill = billOf(entry, offers)
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

function totalOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { count, single }) => sum + count * single, 0)
}

/** What a package saves, in her own words or in none. */
function savingProblems(block: Block, value: Group, offersValue: Group): readonly SumProblem[] {
  const offers = entriesOf(offersValue.offers)
  return entriesOf(value.packages).flatMap((entry, index): readonly SumProblem[] => {
    const bill = billOf(entry, offers)
    if (bill === null) return []
    const { price, shares } = bill
    const saved = totalOf(shares) - price.cents
    const computed = amountText({ ...price, cents: saved })
    const reckoning = reckoningOf(shares, price, computed)
    const text = typeof entry.saving === 'string' ? entry.saving : ''
    const [first] = amountsIn(text)
    if (first !== undefined && amountText(first) !== computed) {
      const { written } = first
      const fixed = saved > 0 ? text.replace(written, () => computed) : null
      return [
        {
          block,
          path: `packages[${index}].saving`,
          text: `${text} ${saved}`,
          message: fill(own.saving, { written, computed }),
          reckoning,
          fix: fixed === null ? null : { label: fill(own.fix, { computed }), text: fixed },
        },
      ]
    }
    if (text !== '' || entry.compare !== 'saving' || saved > 0) return []
    const message = fill(own.noSaving, { computed })
    const path = `packages[${index}].price`
    return [{ block, path, text: `${price.cents} ${saved}`, message, reckoning, fix: null }]
  })
}

function reckoningOf(shares: readonly Share[], price: Amount, computed: string): string {
  const [only] = shares
  if (shares.length !== 1 || only === undefined) return ''
  const { count, single } = only
  const one = amountText({ ...price, cents: single })
  const sum = fill(own.sum, { count, single: one, price: amountText(price) })
  return `${sum} ${fill(own.equals, { computed })}`
}

/** Parts of packages that are not offered any more: what is said below the price goes with them. */
function partProblems(
  block: Block,
  value: Group,
  now: Sums,
  former: readonly Sums[],
): readonly SumProblem[] {
  return entriesOf(value.packages).flatMap((entry, index) => {
    const isCompared = entry.compare !== 'none' || entry.saving !== ''
    return entriesOf(isCompared ? entry.parts : []).flatMap(({ offer }, part) => {
      if (typeof offer !== 'string' || offer === '' || isSold(offer, now)) return []
      const message = fill(own.partGone, { title: titleOf(offer, former) })
      const path = `packages[${index}].parts[${part}].offer`
      return [{ block, path, text: offer, message, reckoning: '', fix: null }]
    })
  })
}

function isSold(id: string, now: Sums): boolean {
  return now.some(({ entry }) => entry === id)
}

function titleOf(id: string, former: readonly Sums[]): string {
  return former.flat().find(({ entry }) => entry === id)?.title ?? id
}

type Named = {
  readonly path: string
  readonly text: string
  readonly amounts: readonly Written[]
  /** Ids of what it shows the price of, without which it is not shown. */
  readonly prices: readonly string[]
}

/** By the value they stand in: a letter has its own block read again, not the whole site. */
const named = new WeakMap<Group, readonly Named[]>()

/** The texts of a block that name an amount. */
function namedIn(block: Block, value: Group): readonly Named[] {
  const known = named.get(value)
  if (known !== undefined) return known
  const found = leavesOf(block.fields, value).flatMap(({ path, field, word }): readonly Named[] => {
    const isOwn = block.id === PACKAGES && path.endsWith('.saving')
    if (!TEXTS.includes(field.type) || isOwn) return []
    const parts = partsOfText(word) ?? []
    const words = parts.filter((part) => typeof part === 'string')
    const amounts = words.flatMap(amountsIn)
    const prices = parts.flatMap((part) =>
      typeof part === 'string' || typeof part.price !== 'string' ? [] : [part.price],
    )
    if (amounts.length === 0 && prices.length === 0) return []
    return [{ path, text: words.join(''), amounts, prices }]
  })
  named.set(value, found)
  return found
}

/** Amounts that were a price once and are none any more. */
function textProblems(
  block: Block,
  value: Group,
  now: Sums,
  former: readonly Sums[],
): readonly SumProblem[] {
  const present = new Set(now.map(({ amount }) => amount))
  return namedIn(block, value).flatMap(({ path, text, amounts, prices }) => {
    const gone = prices.find((id) => !isSold(id, now))
    const stale = amounts.flatMap((written) =>
      present.has(amountText(written))
        ? []
        : (staleText(written, entryIn(value, path), now, former) ?? []),
    )
    const [message] =
      gone === undefined ? stale : [fill(own.priceGone, { title: titleOf(gone, former) })]
    if (message === undefined) return []
    return [{ block, path, text: `${text} ${message}`, message, reckoning: '', fix: null }]
  })
}

/** The id of the entry that a place lies in, the outermost. */
function entryIn(value: Group, path: string): string | undefined {
  const end = path.indexOf(']')
  const id = end < 0 ? undefined : at(value, `${path.slice(0, end + 1)}.id`)
  return typeof id === 'string' ? id : undefined
}

/** What an amount that was true has become, as it was last: of its own entry first, then a price. */
function staleText(
  written: Written,
  entry: string | undefined,
  now: Sums,
  former: readonly Sums[],
): string | undefined {
  const amount = amountText(written)
  const last = former.find((sums) => sums.some((sum) => sum.amount === amount)) ?? []
  const text = written.written
  const were = last.flatMap((sum) => {
    if (sum.amount !== amount) return []
    const is = now.find((one) => one.entry === sum.entry && one.of === sum.of)
    if (is !== undefined) return [{ ...sum, said: fill(own.unit, { text, computed: is.amount }) }]
    if (isSold(sum.entry, now)) return []
    return [{ ...sum, said: fill(own.gone, { text, title: sum.title }) }]
  })
  const its = were.filter((sum) => sum.entry === entry)
  const prices = were.filter(({ of }) => of === 'price')
  const likely = [its, prices, were].find((all) => all.length > 0) ?? []
  const [said, ...others] = new Set(likely.map((sum) => sum.said))
  return others.length > 0 ? fill(own.several, { text }) : said
}
