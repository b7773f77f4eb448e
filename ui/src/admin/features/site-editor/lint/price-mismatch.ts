// Finds amounts in texts that differ from the current prices and savings. Each price is stored once; a text of
// the admin is only reported, never changed.

import { fill } from '../../../../lib/interpolate'
import type { Amount, Block, ObjectValue } from '../api/content-api'
import { wording } from '../messages'
import { flatten } from '../model/field-path'
import {
  entriesOf,
  entryIn,
  isSold,
  OFFERS,
  PACKAGES,
  type PriceContext,
  type PriceProblem,
  priceBreakdown,
  priceContext,
  type Share,
  TEXTS,
  titleOf,
  totalOf,
} from '../model/price-context'
import { amountsIn, amountText, partsOfText, type Written } from '../model/rich-value'
import { findCountMismatches } from './package-counts'

const { check: own } = wording.amount

/** `earlier` are the prices before the published ones, newest first. */
export function findPriceMismatches(
  blocks: readonly Block[],
  draftIn: (block: Block) => ObjectValue,
  earlier: readonly PriceContext[] = [],
): readonly PriceProblem[] {
  const offers = blocks.find(({ id }) => id === OFFERS)
  const packages = blocks.find(({ id }) => id === PACKAGES)
  if (offers === undefined || packages === undefined) return []
  const now = priceContext(draftIn(offers), draftIn(packages))
  const former = [
    priceContext(offers.value, packages.value),
    ...earlier,
    priceContext(offers.default, packages.default),
  ]
  return [
    ...savingProblems(packages, draftIn(packages), draftIn(offers)),
    ...partProblems(packages, draftIn(packages), now, former),
    ...blocks.flatMap((block) => textProblems(block, draftIn(block), now, former)),
    ...findCountMismatches(blocks, draftIn, now, former),
    ...serviceProblems(blocks, draftIn),
  ]
}

/** Structured data for search engines lists the services; maps the id of an entry to the offer that it names. */
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

/** Unchanged default services in the structured data whose offer was removed; those of the admin are kept. */
function serviceProblems(
  blocks: readonly Block[],
  draftIn: (block: Block) => ObjectValue,
): readonly PriceProblem[] {
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

/** Packages whose saving differs from the text, or that save nothing although the saving is shown. */
function savingProblems(
  block: Block,
  value: ObjectValue,
  offersValue: ObjectValue,
): readonly PriceProblem[] {
  const offers = entriesOf(offersValue.offers)
  return entriesOf(value.packages).flatMap((entry, index): readonly PriceProblem[] => {
    const bill = priceBreakdown(entry, offers)
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

/** Parts of packages whose offer was removed: the package no longer shows its saving. */
function partProblems(
  block: Block,
  value: ObjectValue,
  now: PriceContext,
  former: readonly PriceContext[],
): readonly PriceProblem[] {
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

type Named = {
  readonly path: string
  readonly text: string
  readonly amounts: readonly Written[]
  /** Offers whose price the text shows; the text is hidden once one of them is removed. */
  readonly prices: readonly string[]
}

/** Cached by the value of the block: a keystroke scans one block again, not the whole site. */
const named = new WeakMap<ObjectValue, readonly Named[]>()

/** Texts of a block that contain an amount. */
function namedIn(block: Block, value: ObjectValue): readonly Named[] {
  const known = named.get(value)
  if (known !== undefined) return known
  const found = flatten(block.fields, value).flatMap(({ path, field, word }): readonly Named[] => {
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

/** Texts with an amount that is a former price, or with the price of a removed offer. */
function textProblems(
  block: Block,
  value: ObjectValue,
  now: PriceContext,
  former: readonly PriceContext[],
): readonly PriceProblem[] {
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

/**
 * Message for an amount that was true once: its current value, taken from the latest prices that contained it.
 * Candidates of the text's own entry win, then prices.
 */
function staleText(
  written: Written,
  entry: string | undefined,
  now: PriceContext,
  former: readonly PriceContext[],
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
