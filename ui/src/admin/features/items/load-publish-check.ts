// Loads the checks before publishing on demand: most visits publish nothing.
import type { Item, Kind, Values } from '../../api/schema'

/** Messages by field name; empty when nothing holds the item or the checks do not load. */
export function heldProblems(
  kind: Kind,
  values: Values,
  saved: Item | null,
): Promise<Readonly<Record<string, string>>> {
  return import('./publish-check').then(
    ({ publishProblems }) => publishProblems(kind, values, saved),
    () => ({}),
  )
}
