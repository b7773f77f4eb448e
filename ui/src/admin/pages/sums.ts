// Amounts that stand in words, against what things cost and save now. Each price stands in one place;
// what she writes about it in her own words is hers, and is only named where it no longer fits.
import type { Block, Group, Word } from './contract'
import { amountsIn, amountText, type Written } from './text-parts'
import { at, isGroup, isList, leavesOf } from './value'
import { fill, wording } from './wording'

const OFFERS = 'servizi.offers'
const PACKAGES = 'pricing.packages'
const TEXTS: readonly string[] = ['line', 'paragraphs', 'richText']
const { check: own } = wording.amount

/** What things cost and save, in cents, by the id of their entry and what is meant of it. */
type Sums = ReadonlyMap<string, number>

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

/** `values` are the blocks with the drafts in them. */
export function sumProblems(
  blocks: readonly Block[],
  draftIn: (block: Block) => Group,
): readonly SumProblem[] {
  const offers = blocks.find(({ id }) => id === OFFERS)
  const packages = blocks.find(({ id }) => id === PACKAGES)
  if (offers === undefined || packages === undefined) return []
  const now = sumsOf(draftIn(offers), draftIn(packages))
  const former = [sumsOf(offers.default, packages.default), sumsOf(offers.value, packages.value)]
  return [
    ...savingProblems(packages, draftIn(packages), draftIn(offers)),
    ...blocks.flatMap((block) => textProblems(block, draftIn(block), now, former)),
  ]
}

type Entry = Group & { readonly id: string }

function entriesOf(word: Word | undefined): readonly Entry[] {
  if (!isList(word)) return []
  return word.filter((entry): entry is Entry => isGroup(entry) && typeof entry.id === 'string')
}

function centsIn(entry: Group | undefined): number | null {
  const cents = entry === undefined ? undefined : at(entry, 'price.cents')
  return typeof cents === 'number' ? cents : null
}

type Share = { readonly count: number; readonly single: number }

/** What a package is made of; null where a part is not offered any more. */
function sharesOf(entry: Group, offers: readonly Entry[]): readonly Share[] | null {
  const shares: Share[] = []
  for (const part of entriesOf(entry.parts)) {
    const single = centsIn(offers.find(({ id }) => id === part.offer))
    if (single === null || typeof part.count !== 'number') return null
    shares.push({ count: part.count, single })
  }
  return shares.length === 0 ? null : shares
}

function sumsOf(offersValue: Group, packagesValue: Group): Sums {
  const sums = new Map<string, number>()
  const offers = entriesOf(offersValue.offers)
  const put = (name: string, cents: number | null) => {
    if (cents !== null && cents > 0) sums.set(name, cents)
  }
  for (const entry of offers) put(entry.id, centsIn(entry))
  for (const entry of entriesOf(packagesValue.packages)) {
    const price = centsIn(entry)
    put(entry.id, price)
    const shares = sharesOf(entry, offers)
    if (shares === null || price === null) continue
    put(`${entry.id} saving`, totalOf(shares) - price)
    put(`${entry.id} sum`, totalOf(shares))
    const [only] = shares
    if (shares.length === 1 && only) put(`${entry.id} each`, Math.round(price / only.count))
  }
  return sums
}

function totalOf(shares: readonly Share[]): number {
  return shares.reduce((sum, { count, single }) => sum + count * single, 0)
}

function euro(cents: number): string {
  return amountText({ cents, currency: 'EUR' })
}

/** What a package saves, in her own words or in none. */
function savingProblems(block: Block, value: Group, offersValue: Group): readonly SumProblem[] {
  const offers = entriesOf(offersValue.offers)
  return entriesOf(value.packages).flatMap((entry, index): readonly SumProblem[] => {
    const shares = sharesOf(entry, offers)
    const price = centsIn(entry)
    if (shares === null || price === null) return []
    const computed = totalOf(shares) - price
    const reckoning = reckoningOf(shares, price, computed)
    const text = typeof entry.saving === 'string' ? entry.saving : ''
    const [first] = amountsIn(text)
    if (first !== undefined && first.cents !== computed) {
      const written = first.written.trim()
      const fixed = computed > 0 ? text.replace(first.written, () => euro(computed)) : null
      return [
        {
          block,
          path: `packages[${index}].saving`,
          text: `${text} ${computed}`,
          message: fill(own.saving, { written, computed: euro(computed) }),
          reckoning,
          fix:
            fixed === null
              ? null
              : { label: fill(own.fix, { computed: euro(computed) }), text: fixed },
        },
      ]
    }
    if (text !== '' || entry.compare !== 'saving' || computed > 0) return []
    const message = fill(own.noSaving, { computed: euro(computed) })
    const path = `packages[${index}].price`
    return [{ block, path, text: `${price} ${computed}`, message, reckoning, fix: null }]
  })
}

function reckoningOf(shares: readonly Share[], price: number, computed: number): string {
  const [only] = shares
  if (shares.length !== 1 || only === undefined) return ''
  const { count, single } = only
  const sum = fill(own.sum, { count, single: euro(single), price: euro(price) })
  return `${sum} ${fill(own.equals, { computed: euro(computed) })}`
}

type Named = { readonly path: string; readonly word: string; readonly amounts: readonly Written[] }

/** By the value they stand in: a letter has its own block read again, not the whole site. */
const named = new WeakMap<Group, readonly Named[]>()

/** The texts of a block that name an amount. */
function namedIn(block: Block, value: Group): readonly Named[] {
  const known = named.get(value)
  if (known !== undefined) return known
  const found = leavesOf(block.fields, value).flatMap(({ path, field, word }): readonly Named[] => {
    const isOwn = block.id === PACKAGES && path.endsWith('.saving')
    if (!TEXTS.includes(field.type) || typeof word !== 'string' || isOwn) return []
    const amounts = amountsIn(word)
    return amounts.length === 0 ? [] : [{ path, word, amounts }]
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
  const present = new Set(now.values())
  return namedIn(block, value).flatMap(({ path, word, amounts }): readonly SumProblem[] => {
    const stale = amounts.flatMap(({ written, cents }) => {
      const computed = present.has(cents)
        ? undefined
        : nowOf(cents, entryIn(value, path), now, former)
      return computed === undefined ? [] : [{ written: written.trim(), computed }]
    })
    const [first] = stale
    if (first === undefined) return []
    const message = fill(own.unit, { text: first.written, computed: euro(first.computed) })
    return [{ block, path, text: `${word} ${first.computed}`, message, reckoning: '', fix: null }]
  })
}

/** The id of the entry that a place lies in, the outermost. */
function entryIn(value: Group, path: string): string | undefined {
  const end = path.indexOf(']')
  const id = end < 0 ? undefined : at(value, `${path.slice(0, end + 1)}.id`)
  return typeof id === 'string' ? id : undefined
}

/** What an amount that was true has become: of its own entry first. */
function nowOf(
  cents: number,
  entry: string | undefined,
  now: Sums,
  former: readonly Sums[],
): number | undefined {
  const names = former.flatMap((sums) =>
    [...sums].flatMap(([name, was]) => (was === cents ? [name] : [])),
  )
  const changed = names.filter((name) => now.get(name) !== undefined && now.get(name) !== cents)
  const own = entry === undefined ? undefined : changed.find((name) => name.startsWith(entry))
  return now.get(own ?? changed[0] ?? '')
}
