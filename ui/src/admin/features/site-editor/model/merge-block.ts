// Two tabs, or two people, on one block: what only one side changed is taken from that side, entry by
// entry and field by field. What both changed is asked.
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { equal, isList } from './field-path'
import { alike, keyed, type MergeInput, mergedOrder, type Sides } from './merge-list'

export type BlockConflict = {
  /** `offers[coppia].price`: by ids, so that it is the same place wherever an entry stands. */
  readonly place: string
  /** `offers.price`, as the fields are called. */
  readonly field: string
  /** The entries that it lies in, the outermost first. */
  readonly within: readonly ObjectValue[]
} & (
  | { readonly kind: 'word'; readonly mine: FieldValue; readonly other: FieldValue }
  /** One side has taken an entry away, null there, that the other has changed since `ground`. */
  | ({ readonly kind: 'removed' } & Sides<ObjectValue | null>)
  /** A list with more or fewer entries than it may have, once both sides are put together. */
  | {
      readonly kind: 'count'
      readonly total: number
      readonly isMost: boolean
      /** What is added or, where it gets too short, what is left by each side. */
      readonly mine: readonly ObjectValue[]
      readonly other: readonly ObjectValue[]
    }
)

export type MergedBlock = {
  /** With her own where both changed a place, unless it is taken from the other side. */
  readonly value: ObjectValue
  readonly clashes: readonly BlockConflict[]
  /** Changes of one side alone, or of both alike. */
  readonly joined: number
}

export type Choices = {
  readonly fields?: readonly Field[]
  /** Whether a place that both changed is taken from the other side. */
  readonly takes?: (place: string) => boolean
}

/** `ground` is what both sides began with. */
export function mergeBlock(
  ground: ObjectValue,
  mine: ObjectValue,
  other: ObjectValue,
  { fields = [], takes = () => false }: Choices = {},
): MergedBlock {
  const where = { place: '', field: '', within: [], fields, takes, least: 0, most: Infinity }
  return mergeGroups({ ground, mine, other }, where)
}

type Where = Pick<BlockConflict, 'place' | 'field' | 'within'> &
  Required<Choices> & { readonly least: number; readonly most: number }

type Merged<Value> = Pick<MergedBlock, 'clashes' | 'joined'> & { readonly value: Value }

const settled = <Value>(value: Value, joined: number): Merged<Value> => ({
  value,
  clashes: [],
  joined,
})

function asked<Value>(value: Value, clash: BlockConflict): Merged<Value> {
  return { value, clashes: [clash], joined: 0 }
}

function together<Value>(value: Value, all: readonly Merged<unknown>[], more = 0): Merged<Value> {
  return {
    value,
    clashes: all.flatMap(({ clashes }) => clashes),
    joined: all.reduce((sum, { joined }) => sum + joined, more),
  }
}

function mergeGroups(
  { ground, mine, other }: Sides<ObjectValue>,
  where: Where,
): Merged<ObjectValue> {
  const id = mine.id ?? other.id
  const names = new Set([...Object.keys(mine), ...Object.keys(other)])
  names.delete('id')
  const merged = [...names].map((name) => {
    const sides = {
      ground: ground[name] ?? null,
      mine: mine[name] ?? null,
      other: other[name] ?? null,
    }
    return [name, mergeWord(sides, into(where, name))] as const
  })
  const words = merged.map(([name, { value }]) => [name, value] as const)
  const value = Object.fromEntries(id === undefined ? words : [...words, ['id', id]])
  return together(
    value,
    merged.map(([, one]) => one),
  )
}

function into(where: Where, name: string): Where {
  const field = where.fields.find((one) => one.name === name)
  return {
    ...where,
    place: where.place === '' ? name : `${where.place}.${name}`,
    field: where.field === '' ? name : `${where.field}.${name}`,
    fields: field?.fields ?? [],
    least: field?.min ?? 0,
    most: field?.max ?? Infinity,
  }
}

/** A text with settings in it, an amount or a picture is of one piece: nobody chooses half of it. */
function mergeWord({ ground, mine, other }: Sides<FieldValue>, where: Where): Merged<FieldValue> {
  const [began, here, there] = [ground, mine, other].map(listIn)
  if ((isList(mine) || isList(other)) && began && here && there) {
    return mergeLists({ ground: began, mine: here, other: there }, where)
  }
  if (equal(mine, other)) return settled(mine, 0)
  // What she typed, as the server keeps it.
  if (alike(mine, other)) return settled(other, 0)
  if (equal(ground, other)) return settled(mine, 1)
  if (equal(ground, mine)) return settled(other, 1)
  return asked(where.takes(where.place) ? other : mine, {
    ...placeOf(where),
    kind: 'word',
    mine,
    other,
  })
}

function listIn(word: FieldValue): readonly FieldValue[] | null {
  if (word === null) return []
  return isList(word) ? word : null
}

function placeOf({
  place,
  field,
  within,
}: Where): Pick<BlockConflict, 'place' | 'field' | 'within'> {
  return { place, field, within }
}

type MergedEntry = Merged<ObjectValue | null> & { readonly trio: MergeInput }

/** Each entry that one side alone has added, taken away or changed is as that side has it. */
function mergeLists(lists: Sides<readonly FieldValue[]>, where: Where): Merged<FieldValue> {
  const { trios, orders } = keyed(lists)
  const merged = trios.map((trio) => ({ ...mergeEntry(trio, where), trio }))
  const count = countOf(merged, where)
  const all = count === null ? merged : merged.map(count.chosen)
  const entries = new Map(all.flatMap(({ trio, value }) => (value ? [[trio.key, value]] : [])))
  const order = mergedOrder(orders, new Set(entries.keys()))
  const list = order.flatMap((key) => entries.get(key) ?? [])
  const clashes = count === null ? [] : [asked(null, count.clash)]
  return together(list, [...all, ...clashes], movesIn(order, orders))
}

/** How many sides have put entries in another order, as far as that stands. */
function movesIn(order: readonly string[], { mine, other }: Sides<readonly string[]>): number {
  const common = new Set(order.filter((key) => mine.includes(key) && other.includes(key)))
  const [now, ...sides] = [order, mine, other].map((keys) => keys.filter((key) => common.has(key)))
  return sides.filter((side) => !equal(side, now)).length
}

/** Null for none: one side has taken it away. */
function mergeEntry(
  { key, ground, mine, other }: MergeInput,
  where: Where,
): Merged<ObjectValue | null> {
  const place = `${where.place}[${key}]`
  if (mine !== undefined && other !== undefined) {
    const within = [...where.within, mine]
    return mergeGroups({ ground: ground ?? {}, mine, other }, { ...where, place, within })
  }
  const left = mine ?? other
  if (left === undefined) return settled(null, 0)
  if (ground === undefined) return settled(left, 1)
  if (alike(ground, left)) return settled(null, 1)
  const [here, there] = [mine ?? null, other ?? null]
  return asked(where.takes(place) ? there : here, {
    ...placeOf({ ...where, place }),
    kind: 'removed',
    ground,
    mine: here,
    other: there,
  })
}

type Count = {
  readonly clash: BlockConflict
  /** As it is where only one side may add or, where too few are left, take away. */
  readonly chosen: (entry: MergedEntry) => MergedEntry
}

/** Null where both sides together keep within what the list may hold. */
function countOf(entries: readonly MergedEntry[], where: Where): Count | null {
  const { least, most, place, takes } = where
  const total = entries.filter(({ value }) => value !== null).length
  const isMost = total > most
  if (!isMost && total >= least) return null
  const isIts = ({ trio, value, clashes }: MergedEntry) =>
    clashes.length === 0 && (isMost ? trio.ground === undefined : value === null)
  const alone = entries.filter(isIts)
  const [here, there] = [
    alone.filter(({ trio }) => trio.other === undefined && trio.mine !== undefined),
    alone.filter(({ trio }) => trio.mine === undefined && trio.other !== undefined),
  ]
  if (here.length === 0 || there.length === 0) return null
  // Of what one side alone has, the side that is not chosen loses what it added, or gets it back.
  const open = takes(place) === isMost ? here : there
  return {
    clash: {
      ...placeOf(where),
      kind: 'count',
      total,
      isMost,
      mine: groupsOf(isMost ? here : entries, 'mine'),
      other: groupsOf(isMost ? there : entries, 'other'),
    },
    chosen: (entry) => {
      if (!here.includes(entry) && !there.includes(entry)) return entry
      const { mine, other } = entry.trio
      const value = open.includes(entry) ? (isMost ? null : (mine ?? other ?? null)) : entry.value
      return { ...entry, value, joined: 0 }
    },
  }
}

function groupsOf(entries: readonly MergedEntry[], side: 'mine' | 'other'): readonly ObjectValue[] {
  return entries.flatMap(({ trio }) => {
    const entry = trio[side]
    return entry === undefined ? [] : [entry]
  })
}
