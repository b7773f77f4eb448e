// The lists of the panel, one per kind: loaded once, and again after every write.
import { create } from 'zustand'
import { call, isStatus } from './api'
import { type Choose, saveChanged } from './save-changed'
import {
  formValues,
  type Item,
  type Kind,
  kindSpecs,
  sorted,
  type Value,
  type Values,
} from './schema'

export type List = {
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  readonly items: readonly Item[]
  /** What is shown could not be read again: it may be out of date. */
  readonly stale: boolean
}

const IDLE: List = { phase: 'idle', items: [], stale: false }

type ItemsStore = {
  readonly lists: Readonly<Partial<Record<Kind, List>>>
  readonly load: (kind: Kind) => Promise<void>
  /** Shows an order at once, while the server is told. */
  readonly showOrder: (kind: Kind, items: readonly Item[]) => void
  readonly forgetAll: () => void
}

export const useItems = create<ItemsStore>((set, get) => {
  const put = (kind: Kind, list: List) => set({ lists: { ...get().lists, [kind]: list } })
  return {
    lists: {},
    load: async (kind) => {
      const before = get().lists[kind] ?? IDLE
      // A list that is on the screen stays there while it is read again.
      if (before.phase !== 'ready') put(kind, { ...before, phase: 'loading' })
      try {
        const items = await call<Item[]>('GET', `/api/admin/${kind}`)
        put(kind, { phase: 'ready', items: sorted(kind, items), stale: false })
      } catch {
        if (before.phase === 'ready') put(kind, { ...before, stale: true })
        else put(kind, { ...before, phase: 'failed' })
      }
    },
    showOrder: (kind, items) =>
      put(kind, { ...(get().lists[kind] ?? IDLE), phase: 'ready', items }),
    forgetAll: () => set({ lists: {} }),
  }
})

export function useList(kind: Kind): List {
  return useItems((store) => store.lists[kind]) ?? IDLE
}

type Body = Readonly<Record<string, Value>>

/** A write, then the list again: also after a failure, because the list may be what was wrong. */
async function write<Answer>(kind: Kind, request: () => Promise<Answer>): Promise<Answer> {
  const { load } = useItems.getState()
  try {
    const answer = await request()
    await load(kind)
    return answer
  } catch (error) {
    // Who has just declined to sign in again is not asked a second time.
    if (!isStatus(error, 401)) await load(kind)
    throw error
  }
}

export function createItem(kind: Kind, body: Body): Promise<Item> {
  return write(kind, () => createItemOnly(kind, body))
}

/** Without reading the list again: a batch does that once, at its end. */
export function createItemOnly(kind: Kind, body: Body): Promise<Item> {
  return call<Item>('POST', `/api/admin/${kind}`, body)
}

export function updateItem(kind: Kind, id: string, body: Body): Promise<Item> {
  return write(kind, () => call<Item>('PUT', `/api/admin/${kind}/${id}`, body))
}

/** Sends what was changed in a form; false when somebody decides later between two texts. */
export function changeItem(
  kind: Kind,
  id: string,
  ground: Values,
  mine: Values,
  choose: Choose<Item>,
): Promise<boolean> {
  const target = {
    path: `/api/admin/${kind}/${id}`,
    fields: kindSpecs[kind].fields,
    valuesOf: (item: Item) => formValues(kind, item),
  }
  return write(kind, async () => (await saveChanged(target, ground, mine, choose)) !== null)
}

export function deleteItem(kind: Kind, id: string): Promise<void> {
  return write(kind, () => call('DELETE', `/api/admin/${kind}/${id}`))
}

export function moveItem(kind: Kind, id: string, direction: 'up' | 'down'): Promise<void> {
  return write(kind, () => call('PUT', `/api/admin/${kind}/${id}/move`, { direction }))
}

export function orderItems(kind: Kind, ids: readonly string[]): Promise<void> {
  return write(kind, () => call('PUT', `/api/admin/${kind}/order`, { ids }))
}

export function restoreItem(kind: Kind, id: string): Promise<void> {
  return write(kind, () => call('POST', `/api/admin/trash/${id}/restore`))
}
