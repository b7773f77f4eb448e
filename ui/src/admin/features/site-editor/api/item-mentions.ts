// Events and articles whose texts may mention a former price, duration or name: read, and corrected.

import { call } from '../../../api/client'
import { attempt } from '../../../api/item-actions'
import { updateItem } from '../../../api/items-store'
import { type Item, type Kind, kindSpecs } from '../../../api/schema'
import { words } from '../../../ui/messages'
import {
  type correctionsOf,
  type KindItem,
  searchWords,
  type ValueChange,
} from '../lint/stale-mentions'

/** Kinds whose items have pages of their own. Testimonials are the words of others. */
const KINDS = (Object.keys(kindSpecs) as Kind[]).filter((kind) => kindSpecs[kind].page !== null)
/** Items read for one change of one kind: more sentences than the dialog shows. */
const ITEMS_MAX = 20

/** Returns the items that contain the words of the former values; none when they cannot be read. */
export async function readItemsThatMay(
  changes: readonly ValueChange[],
): Promise<readonly KindItem[]> {
  const searches = KINDS.flatMap((kind) => changes.map((change) => ({ kind, change })))
  try {
    const found = await Promise.all(
      searches.map(async ({ kind, change }) => {
        const query = new URLSearchParams({
          limit: String(ITEMS_MAX),
          offset: '0',
          search: searchWords(change),
        })
        const path = `/api/admin/${kind}/page?${query}`
        const { items } = await call<{ items: readonly Item[] }>('GET', path, undefined, true)
        return items.map(({ id }) => ({ kind, id }))
      }),
    )
    const unique = new Map(found.flat().map((one) => [`${one.kind}/${one.id}`, one]))
    // Lists leave out the text of an article.
    return await Promise.all(
      [...unique.values()].map(async ({ kind, id }) => ({
        kind,
        item: await call<Item>('GET', `/api/admin/${kind}/${encodeURIComponent(id)}`),
      })),
    )
  } catch {
    // The question is a help: publishing does not depend on it.
    return []
  }
}

export type ItemCorrection = {
  readonly kind: Kind
  readonly id: string
  readonly values: Readonly<Record<string, string>>
}

/** Joins the corrected texts of each item. */
export function itemCorrections(
  corrections: ReturnType<typeof correctionsOf>,
): readonly ItemCorrection[] {
  const joined = new Map<string, ItemCorrection>()
  for (const { source, word } of corrections) {
    if (!('item' in source) || typeof word !== 'string') continue
    const { kind, field, item } = source
    const values = { ...joined.get(item.id)?.values, [field]: word }
    joined.set(item.id, { kind, id: item.id, values })
  }
  return [...joined.values()]
}

export async function correctItems(corrections: readonly ItemCorrection[]): Promise<boolean> {
  let areDone = true
  for (const { kind, id, values } of corrections) {
    const isDone = await attempt(words.toasts.update, () => updateItem(kind, id, values))
    areDone = areDone && isDone
  }
  return areDone
}
