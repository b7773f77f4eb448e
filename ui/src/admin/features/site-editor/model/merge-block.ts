// Three-way merge of a block that was edited in two tabs or by two people. A change of one side is taken,
// per entry and field; where both sides changed a field, the admin decides.
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { equal, isList } from './field-path'
import { equalsIgnoringId, keyed, type MergeInput, mergedOrder, type Sides } from './merge-list'

export type BlockConflict = {
  /** `offers[coppia].price`: with ids, so that the path stays the same when entries move. */
  readonly place: string
  /** `offers.price`, with field names only. */
  readonly field: string
  /** The entries around the field, outermost first. */
  readonly within: readonly ObjectValue[]
} & (
  | { readonly kind: 'word'; readonly mine: FieldValue; readonly other: FieldValue }
  /** One side has removed an entry (null there) that the other side has changed since `ground`. */
  | ({ readonly kind: 'removed' } & Sides<ObjectValue | null>)
  /** The merged list has more or fewer entries than the field allows. */
  | {
      readonly kind: 'count'
      readonly total: number
      readonly isMost: boolean
      /** The entries each side added or, if the list is too short, the entries each side has left. */
      readonly mine: readonly ObjectValue[]
      readonly other: readonly ObjectValue[]
    }
)

export type MergedBlock = {
  /** Takes `mine` where both sides changed a field, unless `takes` chooses the other side. */
  readonly value: ObjectValue
  readonly clashes: readonly BlockConflict[]
  /** Number of changes merged without a conflict. */
  readonly joined: number
}

export type Choices = {
  readonly fields?: readonly Field[]
  /** Whether a field that both sides changed is taken from the other side. */
  readonly takes?: (place: string) => boolean
}

/** `ground` is the common base of both sides. */
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

/** A text with chips, an amount or a picture is merged as a whole; half of one makes no sense. */
function mergeWord({ ground, mine, other }: Sides<FieldValue>, where: Where): Merged<FieldValue> {
  const [began, here, there] = [ground, mine, other].map(listIn)
  if ((isList(mine) || isList(other)) && began && here && there) {
    return mergeLists({ ground: began, mine: here, other: there }, where)
  }
  if (equal(mine, other)) return settled(mine, 0)
  // The same text after the server's normalization.
  if (equalsIgnoringId(mine, other)) return settled(other, 0)
  if (equal(ground, other)) return settled(mine, 1)
  if (equal(ground, mine)) return settled(other, 1)
  return asked(where.takes(where.place) ? other : mine, {
    ...conflictLocation(where),
    kind: 'word',
    mine,
    other,
  })
}

function listIn(word: FieldValue): readonly FieldValue[] | null {
  if (word === null) return []
  return isList(word) ? word : null
}

function conflictLocation({
  place,
  field,
  within,
}: Where): Pick<BlockConflict, 'place' | 'field' | 'within'> {
  return { place, field, within }
}

type MergedEntry = Merged<ObjectValue | null> & { readonly trio: MergeInput }

/** Each entry that only one side has added, removed or changed is taken from that side. */
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

/** Number of sides whose order of the common entries differs from the merged order. */
function movesIn(order: readonly string[], { mine, other }: Sides<readonly string[]>): number {
  const common = new Set(order.filter((key) => mine.includes(key) && other.includes(key)))
  const [now, ...sides] = [order, mine, other].map((keys) => keys.filter((key) => common.has(key)))
  return sides.filter((side) => !equal(side, now)).length
}

/** The value is null if the entry is removed. */
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
  if (equalsIgnoringId(ground, left)) return settled(null, 1)
  const [here, there] = [mine ?? null, other ?? null]
  return asked(where.takes(place) ? there : here, {
    ...conflictLocation({ ...where, place }),
    kind: 'removed',
    ground,
    mine: here,
    other: there,
  })
}

type Count = {
  readonly clash: BlockConflict
  /** Applies the choice: only one side may add entries or, if too few are left, remove them. */
  readonly chosen: (entry: MergedEntry) => MergedEntry
}

/** Null when the merged list stays within the limits of the field. */
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
  // The side that is not chosen loses the entries it added, or its removals are undone.
  const open = takes(place) === isMost ? here : there
  return {
    clash: {
      ...conflictLocation(where),
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
