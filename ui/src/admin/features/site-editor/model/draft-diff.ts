// Computes what a draft changes, field by field, to list and count the changes.
import type { Block, Field, FieldValue, ObjectValue } from '../api/content-api'
import {
  equal,
  getIn,
  isList,
  isObjectValue,
  listOf,
  setIn,
  withEntry,
  withMoved,
  withoutEntry,
} from './field-path'

/** The unpublished state of a block. */
export type Draft = { readonly value: ObjectValue; readonly hidden: boolean }

export type Change = {
  readonly block: string
  /** A path in the draft; for a removed entry that of its list. Empty for the block itself. */
  readonly path: string
  readonly field: Field | null
} & (
  | { readonly kind: 'replaced'; readonly before: FieldValue; readonly after: FieldValue }
  | { readonly kind: 'hidden' | 'shown' }
  | { readonly kind: 'added'; readonly entry: FieldValue }
  | { readonly kind: 'removed'; readonly entry: FieldValue; readonly list: readonly FieldValue[] }
  | {
      readonly kind: 'moved'
      readonly from: number
      readonly to: number
      readonly entry: FieldValue
      readonly list: readonly FieldValue[]
    }
)

export function isChanged(block: Block, draft: Draft): boolean {
  return block.hidden !== draft.hidden || !equal(block.value, draft.value)
}

export function changesOf(block: Block, draft: Draft): readonly Change[] {
  const shown: readonly Change[] =
    block.hidden === draft.hidden
      ? []
      : [{ block: block.id, path: '', field: null, kind: draft.hidden ? 'hidden' : 'shown' }]
  return [...shown, ...within(block.id, block.fields, block.value, draft.value, '')]
}

function within(
  block: string,
  fields: readonly Field[],
  before: ObjectValue,
  after: ObjectValue,
  prefix: string,
): readonly Change[] {
  return fields.flatMap((field): readonly Change[] => {
    const path = prefix === '' ? field.name : `${prefix}.${field.name}`
    const [was, is] = [before[field.name] ?? null, after[field.name] ?? null]
    if (equal(was, is)) return []
    if (field.type === 'list' && isList(was) && isList(is)) {
      return inList(block, field, was, is, path)
    }
    return [{ block, path, field, kind: 'replaced', before: was, after: is }]
  })
}

export function idOf(entry: FieldValue): string | null {
  return isObjectValue(entry) && typeof entry.id === 'string' ? entry.id : null
}

function inList(
  block: string,
  field: Field,
  before: readonly FieldValue[],
  after: readonly FieldValue[],
  path: string,
): readonly Change[] {
  const had = new Map(before.map((entry) => [idOf(entry), entry]))
  const ids = new Set(after.map(idOf))
  const removed = before.filter((entry) => !ids.has(idOf(entry)))
  const gone = removed.map(
    (entry): Change => ({
      block,
      path,
      field,
      kind: 'removed',
      entry,
      list: before,
    }),
  )
  const rest = after.flatMap((entry, index): readonly Change[] => {
    const id = idOf(entry)
    const own = `${path}[${index}]`
    const was = id === null ? undefined : had.get(id)
    if (was === undefined) return [{ block, path: own, field, kind: 'added', entry }]
    if (!isObjectValue(was) || !isObjectValue(entry)) return []
    return within(block, field.fields ?? [], was, entry, own)
  })
  const move = moveIn(before, after)
  const isMoved: readonly Change[] =
    move === null ? [] : [{ block, path: `${path}[${move.to}]`, field, kind: 'moved', ...move }]
  return [...gone, ...rest, ...isMoved]
}

/** The entry that moved furthest, or null for the same order: a person would describe the move by it. */
function moveIn(before: readonly FieldValue[], after: readonly FieldValue[]) {
  const kept = new Set(after.map(idOf))
  const was = before.map(idOf).filter((id) => id !== null && kept.has(id))
  const common = new Set(was)
  const is = after.map(idOf).filter((id) => id !== null && common.has(id))
  const distance = (id: string | null) => Math.abs(was.indexOf(id) - is.indexOf(id))
  const [furthest] = [...is].sort((one, other) => distance(other) - distance(one))
  if (furthest === undefined || distance(furthest) === 0) return null
  const [from, to] = [before, after].map((list) => list.findIndex((one) => idOf(one) === furthest))
  return { from: from ?? 0, to: to ?? 0, entry: after[to ?? 0] ?? null, list: before }
}

/** The draft without this one change; other changes to the same list stay. */
export function withoutChange(block: Block, draft: Draft, change: Change): Draft {
  const { value, hidden } = draft
  switch (change.kind) {
    case 'hidden':
    case 'shown':
      return { value, hidden: block.hidden }
    case 'replaced':
      return { value: setIn(value, change.path, change.before), hidden }
    case 'removed': {
      const entries = getIn(value, change.path)
      const index = placeAmong(isList(entries) ? entries : [], change)
      return { value: withEntry(value, change.path, index, change.entry), hidden }
    }
    default: {
      const { list, index } = listOf(change.path) ?? { list: '', index: 0 }
      const rest = withoutEntry(value, list, index)
      if (change.kind === 'added') return { value: rest, hidden }
      const entries = getIn(rest, list)
      const to = placeAmong(isList(entries) ? entries : [], change)
      return { value: withMoved(value, list, index, to), hidden }
    }
  }
}

/** The index after the nearest former predecessor that is still in the list. */
function placeAmong(
  entries: readonly FieldValue[],
  { entry, list }: { readonly entry: FieldValue; readonly list: readonly FieldValue[] },
): number {
  const ids = entries.map(idOf)
  const was = list.map(idOf)
  const former = was.slice(0, was.indexOf(idOf(entry))).reverse()
  const near = former.find((id) => ids.includes(id))
  return near === undefined ? 0 : ids.indexOf(near) + 1
}
