// Actions of a list row: the write, its toast, and undo.

import { moved } from '../../lib/reorder'
import type { EventStatus } from '../../primitives/event-status-badge'
import { words } from '../ui/messages'
import { toastDone, toastFailed } from '../ui/toast-store'
import { callVersioned, isStatus, reasonOf } from './client'
import { createItem, deleteItem, moveItem, restoreItem, updateItem, useItems } from './items-store'
import { kindLabels } from './kind-labels'
import {
  bodyOf,
  fieldOf,
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  titleOf,
  type Values,
} from './schema'

/** Runs a write and shows a failure as a toast with `title`. Returns whether it succeeded. */
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

/** Opens a sold-out or cancelled event again. A number of places that reached 0 is emptied. */
export async function reopenEvent(
  kind: Kind,
  item: Item,
  status: EventStatus,
  message: string,
): Promise<void> {
  const isFull = status === 'soldOut' && item.placesLeft === 0
  const body: Values = { [status]: false, ...(isFull ? { placesLeft: null } : {}) }
  const former = Object.keys(body).map((name) => [name, fieldOf(item, name)] as const)
  const write = async (fields: Values, undo: (() => void) | null) => {
    if (await attempt(words.toasts.update, () => updateItem(kind, item.id, fields))) {
      toastDone(message, undo)
    }
  }
  await write(body, () => void write(Object.fromEntries(former), null))
}

/** Bounds the retries when the event changes between reading and writing. */
const PLACES_TRIES_MAX = 5

/** Adds `step` to the places left as the server has them: the row may be older than another device's change. */
export async function changePlaces(kind: Kind, item: Item, step: 1 | -1): Promise<void> {
  const path = `/api/admin/${kind}/${item.id}`
  await attempt(words.toasts.update, async () => {
    for (let tries = 1; ; tries += 1) {
      const { answer, tag } = await callVersioned<Item>('GET', path)
      const { placesLeft } = answer
      if (typeof placesLeft !== 'number' || placesLeft + step < 0) break
      try {
        await callVersioned('PUT', path, { placesLeft: placesLeft + step }, tag)
        break
      } catch (error) {
        if (!isStatus(error, 412) || tries === PLACES_TRIES_MAX) throw error
      }
    }
    await useItems.getState().load(kind)
  })
}

/**
 * Moves a row to a position in the whole list; the list shows the new order at once if it is loaded
 * so far.
 */
export async function moveTo(
  kind: Kind,
  item: Item,
  from: number,
  to: number,
  back: (() => void) | null = () => void moveTo(kind, item, to, from, null),
): Promise<boolean> {
  const { lists, showOrder } = useItems.getState()
  const former = lists[kind]?.items ?? []
  const next = moved(former, from, to)
  showOrder(kind, next)
  const done = await attempt(words.toasts.reorder, () => moveItem(kind, item.id, to))
  // If the reload failed too, nothing else would restore the former order.
  if (!done && useItems.getState().lists[kind]?.items === next) showOrder(kind, former)
  if (done) toastDone(words.toasts.ordered, back)
  return done
}

export async function removeItem(kind: Kind, item: Item): Promise<boolean> {
  const done = await attempt(words.toasts.remove, () => deleteItem(kind, item.id))
  if (done) toastDone(kindLabels[kind].deleted, () => void restore(kind, item.id))
  return done
}

export async function restore(kind: Kind, id: string): Promise<boolean> {
  const done = await attempt(words.toasts.update, () => restoreItem(kind, id))
  if (done) toastDone(words.toasts.restored)
  return done
}

/** Fields that a copy of an event resets. */
const OF_ONE_DATE = {
  date: '',
  placesLeft: '',
  soldOut: false,
  cancelled: false,
  published: false,
}

/** Creates an unpublished copy; null when that failed. */
export async function duplicate(kind: Kind, item: Item): Promise<Item | null> {
  const { sortOrder: _, ...values } = formValues(kind, item)
  const title = `${titleOf(item, words.untitled).slice(0, 190)} (copia)`
  const body = bodyOf({ ...values, ...OF_ONE_DATE, title }, kindSpecs[kind].fields)
  let copy: Item | null = null
  await attempt(words.toasts.save, async () => {
    copy = await createItem(kind, body)
  })
  if (copy !== null) toastDone('Copia creata: scegli la nuova data')
  return copy
}
