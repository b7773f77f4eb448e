// Keys for rendering the entries of a list. An entry gets its id when it is published, so ids alone are not enough: with
// its index as key, an entry handed its component state to its neighbour.
import type { FieldValue } from '../api/content-api'
import { idOf } from '../model/draft-diff'

export type KeyedEntries = {
  readonly entries: readonly FieldValue[]
  readonly keys: readonly string[]
}

let made = 0
function newKey(): string {
  made += 1
  return `entry-${made}`
}

/**
 * Gives each entry the key it had before: by the same object after a move, by its id, or by its place after an edit or
 * after publishing. Any other entry is new.
 */
export function keyEntries(
  entries: readonly FieldValue[],
  former: KeyedEntries | null,
): KeyedEntries {
  if (former?.entries === entries) return former
  const keys = entries.map((): string | undefined => undefined)
  const left = new Set(former?.keys.keys())
  const claim = (
    isSame: (entry: FieldValue, was: FieldValue, at: number, wasAt: number) => boolean,
  ) => {
    for (const [at, entry] of entries.entries()) {
      if (keys[at] !== undefined) continue
      const found = [...left].find((wasAt) =>
        isSame(entry, former?.entries[wasAt] ?? null, at, wasAt),
      )
      if (found === undefined) continue
      left.delete(found)
      keys[at] = former?.keys[found]
    }
  }
  claim((entry, was) => entry === was)
  claim((entry, was) => idOf(entry) !== null && idOf(entry) === idOf(was))
  claim((_, was, at, wasAt) => at === wasAt && idOf(was) === null)
  return { entries, keys: keys.map((key) => key ?? newKey()) }
}
