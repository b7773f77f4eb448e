// Three-way merge of lists: pairs the entries of both sides, and merges their order after both sides
// have added, removed and moved some.

import { visibleText } from '../../../../lib/invisible-characters'
import type { FieldValue, ObjectValue } from '../api/content-api'
import { idOf } from './draft-diff'
import { isList, isObjectValue } from './field-path'

/** The common base, and the two versions derived from it. */
export type Sides<Value> = {
  readonly ground: Value
  readonly mine: Value
  readonly other: Value
}

/** One entry on each side; undefined where a side does not have it. */
export type MergeInput = { readonly key: string } & Sides<ObjectValue | undefined>

/** Paired entries share a key; `orders` has the keys of each side in its own order. */
export type Keyed = {
  readonly trios: readonly MergeInput[]
  readonly orders: Sides<readonly string[]>
}

/** Equality after the server's normalization: new entries get an id, and texts are trimmed. */
export function equalsIgnoringId(
  one: FieldValue | undefined,
  other: FieldValue | undefined,
): boolean {
  if (isList(one) && isList(other)) {
    return (
      one.length === other.length &&
      one.every((word, index) => equalsIgnoringId(word, other[index]))
    )
  }
  if (isObjectValue(one) && isObjectValue(other)) {
    const isOne = idOf(one) === null || idOf(other) === null || idOf(one) === idOf(other)
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    names.delete('id')
    return isOne && [...names].every((name) => equalsIgnoringId(one[name], other[name]))
  }
  return normalizeForComparison(one) === normalizeForComparison(other)
}

function normalizeForComparison(word: FieldValue | undefined): FieldValue {
  if (typeof word === 'string') {
    return visibleText(word.replace(/\r\n?/g, '\n')).trim()
  }
  return word ?? ''
}

/**
 * Pairs entries by id. An entry without id, which no server response has named yet, pairs with an equal
 * entry of another side or, in the base, with the one at the same position.
 */
export function keyed({ ground, mine, other }: Sides<readonly FieldValue[]>): Keyed {
  const [began, here, there] = [ground, mine, other].map(slotsOf) as [Slots, Slots, Slots]
  for (const side of [there, here]) {
    pairAlike(began, side)
    pairInOrder(began, side)
  }
  pairAlike(here, there)
  const all = [...began, ...there, ...here]
  const keys = [...new Set(all.map(keyOf))]
  const entryIn = (slots: Slots, key: string) => slots.find((slot) => slot.key === key)?.entry
  const trios = keys.map((key) => ({
    key,
    ground: entryIn(began, key),
    mine: entryIn(here, key),
    other: entryIn(there, key),
  }))
  const orders = { ground: began.map(keyOf), mine: here.map(keyOf), other: there.map(keyOf) }
  return { trios, orders }
}

type Slot = { readonly entry: ObjectValue; readonly id: string | null; key: string }
type Slots = readonly Slot[]

const keyOf = ({ key }: Slot) => key

/** Prefix of the keys of entries without id; no id begins with it. */
const NEW = '+'

function slotsOf(list: readonly FieldValue[], side: number): Slots {
  const seen = new Set<string>()
  return list.filter(isObjectValue).map((entry, index) => {
    const own = idOf(entry)
    // The server refuses a duplicate id; until then both entries are kept.
    const id = own === null || seen.has(own) ? null : own
    if (id !== null) seen.add(id)
    return { entry, id, key: id ?? `${NEW}${side}.${index}` }
  })
}

/** Two entries that both have an id are never paired by content. */
const isFree = (one: Slot, two: Slot) => one.key.startsWith(NEW) || two.key.startsWith(NEW)

function without(slots: Slots, others: Slots): Slots {
  const keys = new Set(others.map(keyOf))
  return slots.filter(({ key }) => !keys.has(key))
}

function pairAlike(one: Slots, two: Slots): void {
  for (const slot of without(one, two)) {
    const twin = without(two, one).find(
      (twin) => isFree(slot, twin) && equalsIgnoringId(slot.entry, twin.entry),
    )
    if (twin !== undefined) join(slot, twin)
  }
}

function pairInOrder(one: Slots, two: Slots): void {
  const twins = without(two, one).filter(({ id }) => id === null)
  const alone = without(one, two).filter(({ id }) => id === null)
  for (const [index, slot] of alone.entries()) {
    const twin = twins[index]
    if (twin !== undefined) join(slot, twin)
  }
}

/** `one` may have its key from a third side already. */
function join(one: Slot, two: Slot): void {
  if (one.key.startsWith(NEW) && two.id !== null) one.key = two.id
  else two.key = one.key
}

/** This side's place for entries it has moved, else the other's; new entries follow their predecessor. */
export function mergedOrder(
  { ground, mine, other }: Sides<readonly string[]>,
  kept: ReadonlySet<string>,
): readonly string[] {
  const here = mine.filter((key) => kept.has(key))
  const there = other.filter((key) => kept.has(key))
  const began = ground.filter((key) => here.includes(key) && there.includes(key))
  const still = unmoved(
    began,
    here.filter((key) => began.includes(key)),
  )
  const order = there.filter((key) => !began.includes(key) || still.has(key))
  let before = -1
  for (const key of here) {
    const place = order.indexOf(key)
    if (place < 0) order.splice(before + 1, 0, key)
    before = place < 0 ? before + 1 : place
  }
  return order
}

/** The longest common subsequence of both orders; all other entries count as moved. */
function unmoved(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const runs: (readonly string[])[] = []
  for (const [place, key] of after.entries()) {
    const at = before.indexOf(key)
    const fitting = runs.filter((run) => before.indexOf(run.at(-1) ?? '') < at)
    const longest = fitting.reduce<readonly string[]>(
      (best, run) => (run.length > best.length ? run : best),
      [],
    )
    runs[place] = [...longest, key]
  }
  return new Set(
    runs.reduce<readonly string[]>((best, run) => (run.length > best.length ? run : best), []),
  )
}
