// Lists of entries, three ways: which entries of both sides are the same one, and in which order
// they stand when both have added, removed and moved some.

import type { FieldValue, ObjectValue } from '../api/content-api'
import { idOf } from './draft-diff'
import { isList, isObjectValue } from './field-path'
import { visibleText } from './sanitize-text'

/** What both sides began with, and what each has made of it. */
export type Sides<Value> = {
  readonly ground: Value
  readonly mine: Value
  readonly other: Value
}

/** One entry as each side has it; undefined where it has none. */
export type MergeInput = { readonly key: string } & Sides<ObjectValue | undefined>

/** Entries that are one and the same have one key; by side, in the order of the side. */
export type Keyed = {
  readonly trios: readonly MergeInput[]
  readonly orders: Sides<readonly string[]>
}

/** Whether both say the same: a new entry has no id yet, and the server keeps a text trimmed. */
export function alike(one: FieldValue | undefined, other: FieldValue | undefined): boolean {
  if (isList(one) && isList(other)) {
    return one.length === other.length && one.every((word, index) => alike(word, other[index]))
  }
  if (isObjectValue(one) && isObjectValue(other)) {
    const isOne = idOf(one) === null || idOf(other) === null || idOf(one) === idOf(other)
    const names = new Set([...Object.keys(one), ...Object.keys(other)])
    names.delete('id')
    return isOne && [...names].every((name) => alike(one[name], other[name]))
  }
  return plain(one) === plain(other)
}

function plain(word: FieldValue | undefined): FieldValue {
  if (typeof word === 'string') {
    return visibleText(word.replace(/\r\n?/g, '\n')).trim()
  }
  return word ?? ''
}

/**
 * By their ids. One without, which no answer of the server has named yet, is the entry of another
 * side that says the same or, among what both began with, the one in its place.
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

/** No id begins like the key of an entry that has none. */
const NEW = '+'

function slotsOf(list: readonly FieldValue[], side: number): Slots {
  const seen = new Set<string>()
  return list.filter(isObjectValue).map((entry, index) => {
    const own = idOf(entry)
    // The server refuses an id that stands there twice; until then both entries are kept.
    const id = own === null || seen.has(own) ? null : own
    if (id !== null) seen.add(id)
    return { entry, id, key: id ?? `${NEW}${side}.${index}` }
  })
}

/** Only one of two can have an id of its own. */
const isFree = (one: Slot, two: Slot) => one.key.startsWith(NEW) || two.key.startsWith(NEW)

function without(slots: Slots, others: Slots): Slots {
  const keys = new Set(others.map(keyOf))
  return slots.filter(({ key }) => !keys.has(key))
}

function pairAlike(one: Slots, two: Slots): void {
  for (const slot of without(one, two)) {
    const twin = without(two, one).find(
      (twin) => isFree(slot, twin) && alike(slot.entry, twin.entry),
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

/** `one` may have its key from a third side. */
function join(one: Slot, two: Slot): void {
  if (one.key.startsWith(NEW) && two.id !== null) one.key = two.id
  else two.key = one.key
}

/** Hers where she has moved an entry, else the other side's; each new one behind what it followed. */
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

/** The most entries that stand in the same order in both: whoever moved one moved the rest. */
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
