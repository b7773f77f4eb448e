// Two tabs, or two people, on one block: what only one side changed is taken from that side.
import { idOf } from './changes'
import type { Group, Word } from './contract'
import { equal, isGroup, isList, withAt } from './value'

export type BlockClash = { readonly path: string; readonly mine: Word; readonly other: Word }

export type MergedWord = {
  /** With her own where both changed a place. */
  readonly word: Word
  readonly clashes: readonly BlockClash[]
}

/** `ground` is what both sides began with. */
export function mergeWords(ground: Word, mine: Word, other: Word, path = ''): MergedWord {
  if (equal(mine, other) || equal(ground, other)) return { word: mine, clashes: [] }
  if (equal(ground, mine)) return { word: other, clashes: [] }
  if (isGroup(ground) && isGroup(mine) && isGroup(other) && !isWhole(mine)) {
    return mergeGroups(ground, mine, other, path)
  }
  if (isList(ground) && isList(mine) && isList(other)) {
    const merged = mergeLists(ground, mine, other, path)
    if (merged !== null) return merged
  }
  return { word: mine, clashes: [{ path, mine, other }] }
}

/** The value once somebody has chosen; `theirs` are the places taken from the other side. */
export function taking(
  value: Group,
  clashes: readonly BlockClash[],
  theirs: readonly string[],
): Group {
  return clashes
    .filter(({ path }) => theirs.includes(path))
    .reduce((all, { path, other }) => withAt(all, path, other), value)
}

/** Nobody chooses half of an amount, or a focal point without its picture. */
function isWhole(value: Group): boolean {
  return 'cents' in value || 'focusX' in value
}

function mergeGroups(ground: Group, mine: Group, other: Group, path: string): MergedWord {
  const names = [...new Set([...Object.keys(mine), ...Object.keys(other)])]
  const merged = names.map((name) => {
    const own = path === '' ? name : `${path}.${name}`
    const parts = mergeWords(ground[name] ?? null, mine[name] ?? null, other[name] ?? null, own)
    return [name, parts] as const
  })
  return {
    word: Object.fromEntries(merged.map(([name, { word }]) => [name, word])),
    clashes: merged.flatMap(([, { clashes }]) => clashes),
  }
}

/** Null where both sides added, removed or moved entries: then the list is chosen as a whole. */
function mergeLists(
  ground: readonly Word[],
  mine: readonly Word[],
  other: readonly Word[],
  path: string,
): MergedWord | null {
  const [began, here, there] = [ground, mine, other].map((list) => list.map(idOf).join('\n'))
  if (here !== began && there !== began && here !== there) return null
  // The side that keeps the first order gives way to the other's.
  const lead = here === began ? other : mine
  const follow = lead === mine ? other : mine
  const byId = (list: readonly Word[]) => new Map(list.map((entry) => [idOf(entry), entry]))
  const [grounds, follows] = [byId(ground), byId(follow)]
  const leads = byId(lead)
  const lost = follow.some((entry) => {
    const id = idOf(entry)
    return !leads.has(id) && !equal(entry, grounds.get(id))
  })
  // What one side took away, the other wrote in.
  if (lost) return null
  const merged = lead.map((entry, index) => {
    const id = idOf(entry)
    const [was, twin] = [grounds.get(id), follows.get(id)]
    if (id === null || was === undefined || twin === undefined) return { word: entry, clashes: [] }
    const [own, others] = lead === mine ? [entry, twin] : [twin, entry]
    return mergeWords(was, own, others, `${path}[${index}]`)
  })
  return {
    word: merged.map(({ word }) => word),
    clashes: merged.flatMap(({ clashes }) => clashes),
  }
}
