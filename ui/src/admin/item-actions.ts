// What a row's buttons do: the write, its toast with the spec's words, and the way back.
import { reasonOf } from './api'
import { deleteItem, moveItem, orderItems, restoreItem, updateItem, useItems } from './items-store'
import type { Item, Kind } from './schema'
import { toastDone, toastFailed } from './toast-store'
import { wording } from './wording'
import { words } from './words'

/** Runs a write; says what failed under `title`. True when it was done. */
export async function attempt(title: string, write: () => Promise<unknown>): Promise<boolean> {
  try {
    await write()
    return true
  } catch (error) {
    toastFailed(title, reasonOf(error))
    return false
  }
}

export async function togglePublished(kind: Kind, item: Item): Promise<void> {
  const { id, published } = item
  await setPublished(kind, id, !published, () => void setPublished(kind, id, published))
}

export async function setPublished(
  kind: Kind,
  id: string,
  published: boolean,
  undo: (() => void) | null = null,
): Promise<void> {
  const done = await attempt(words.toasts.update, () => updateItem(kind, id, { published }))
  if (done) toastDone(words.toasts.toggled, undo)
}

export async function moveByOne(
  kind: Kind,
  item: Item,
  direction: 'up' | 'down',
): Promise<boolean> {
  const before = currentIds(kind)
  const done = await attempt(words.toasts.reorder, () => moveItem(kind, item.id, direction))
  if (done) toastDone(words.toasts.ordered, () => void putOrder(kind, before))
  return done
}

/** The whole order in one request; the list shows it at once. */
export async function reorder(kind: Kind, items: readonly Item[]): Promise<boolean> {
  const { lists, showOrder } = useItems.getState()
  const former = lists[kind]?.items ?? []
  const before = former.map(({ id }) => id)
  showOrder(kind, items)
  const ids = items.map(({ id }) => id)
  const done = await attempt(words.toasts.reorder, () => orderItems(kind, ids))
  // Where the list could not be read again either, nothing else would take the order back.
  if (!done && useItems.getState().lists[kind]?.items === items) showOrder(kind, former)
  if (done) toastDone(words.toasts.ordered, () => void putOrder(kind, before))
  return done
}

async function putOrder(kind: Kind, ids: readonly string[]): Promise<void> {
  const done = await attempt(words.toasts.reorder, () => orderItems(kind, ids))
  if (done) toastDone(words.toasts.ordered)
}

export async function removeItem(kind: Kind, item: Item): Promise<boolean> {
  const done = await attempt(words.toasts.remove, () => deleteItem(kind, item.id))
  if (done) toastDone(wording[kind].toasts.deleted, () => void restore(kind, item.id))
  return done
}

export async function restore(kind: Kind, id: string): Promise<boolean> {
  const done = await attempt(words.toasts.update, () => restoreItem(kind, id))
  if (done) toastDone(words.toasts.restored)
  return done
}

function currentIds(kind: Kind): readonly string[] {
  return (useItems.getState().lists[kind]?.items ?? []).map(({ id }) => id)
}
