// Item lists of the panel, one per collection: loaded by pages, reloaded after each write.
import { create } from 'zustand'
import { type ChooseFields, saveWithMerge } from '../conflicts/save-with-merge'
import { call, createdBefore, createOnce, isStatus } from './client'
import { formValues, type Item, type Kind, kindSpecs, type Value, type Values } from './schema'

export type List = {
  readonly phase: 'idle' | 'loading' | 'ready' | 'failed'
  /** Loaded rows. */
  readonly items: readonly Item[]
  /** Number of search results, and number of all items. */
  readonly found: number
  readonly total: number
  readonly search: string
  /** The last reload failed, so the rows may be out of date. */
  readonly stale: boolean
}

const IDLE: List = { phase: 'idle', items: [], found: 0, total: 0, search: '', stale: false }

/** Rows per request. */
const PAGE_ITEMS = 100

type Page = { readonly items: readonly Item[]; readonly found: number; readonly total: number }

type ItemsStore = {
  readonly lists: Readonly<Partial<Record<Kind, List>>>
  /** Reloads the loaded rows, at least the first page. `isUnasked` marks a background reload. */
  readonly load: (kind: Kind, isUnasked?: boolean) => Promise<void>
  /** Loads the next page. */
  readonly loadMore: (kind: Kind) => Promise<void>
  readonly search: (kind: Kind, words: string) => Promise<void>
  /** Shows a new order before the server confirms it. */
  readonly showOrder: (kind: Kind, items: readonly Item[]) => void
  readonly forgetAll: () => void
}

export const useItems = create<ItemsStore>((set, get) => {
  const put = (kind: Kind, list: List) => set({ lists: { ...get().lists, [kind]: list } })
  const of = (kind: Kind) => get().lists[kind] ?? IDLE
  /** Reads the first `pages` pages; the latest call wins. */
  const read = async (kind: Kind, pages: number, isUnasked = false) => {
    const { search, phase } = of(kind)
    // A visible list stays visible during a reload.
    if (phase !== 'ready') put(kind, { ...of(kind), phase: 'loading' })
    turns += 1
    const turn = turns
    latest.set(kind, turn)
    const isOld = () => latest.get(kind) !== turn || of(kind).search !== search
    try {
      const offsets = Array.from({ length: pages }, (_, page) => page * PAGE_ITEMS)
      const parts = await Promise.all(
        offsets.map((offset) => readPage(kind, offset, search, isUnasked)),
      )
      if (isOld()) return
      const { found, total } = parts.at(-1) ?? IDLE
      const items = unique(parts.flatMap((part) => part.items))
      put(kind, { phase: 'ready', items, found, total, search, stale: false })
    } catch {
      if (isOld()) return
      if (of(kind).phase === 'ready') put(kind, { ...of(kind), stale: true })
      else put(kind, { ...of(kind), phase: 'failed' })
    }
  }
  const pagesOf = (kind: Kind) => Math.max(1, Math.ceil(of(kind).items.length / PAGE_ITEMS))
  return {
    lists: {},
    load: (kind, isUnasked) => read(kind, pagesOf(kind), isUnasked),
    loadMore: (kind) => read(kind, pagesOf(kind) + 1),
    search: (kind, words) => {
      put(kind, { ...of(kind), search: words })
      return read(kind, 1)
    },
    showOrder: (kind, items) =>
      put(kind, { ...(get().lists[kind] ?? IDLE), phase: 'ready', items }),
    forgetAll: () => {
      latest.clear()
      set({ lists: {} })
    },
  }
})

let turns = 0
const latest = new Map<Kind, number>()

function readPage(kind: Kind, offset: number, search: string, isUnasked: boolean): Promise<Page> {
  const query = new URLSearchParams({ limit: String(PAGE_ITEMS), offset: String(offset), search })
  return call<Page>('GET', `/api/admin/${kind}/page?${query}`, undefined, isUnasked)
}

/** Removes duplicates: a row that moved between two requests is in both pages. */
function unique(items: readonly Item[]): readonly Item[] {
  return [...new Map(items.map((item) => [item.id, item])).values()]
}

export function useList(kind: Kind): List {
  return useItems((store) => store.lists[kind]) ?? IDLE
}

type Body = Readonly<Record<string, Value>>

/** Writes, then reloads the list, also after a failure: the shown list may be the reason for it. */
async function write<Answer>(kind: Kind, request: () => Promise<Answer>): Promise<Answer> {
  const { load } = useItems.getState()
  try {
    const answer = await request()
    await load(kind)
    return answer
  } catch (error) {
    // After a dismissed sign-in dialog the reload would open it a second time.
    if (!isStatus(error, 401)) await load(kind)
    throw error
  }
}

/** `key` is that of the form, if there is one. */
export function createItem(kind: Kind, body: Body, key: string | null = null): Promise<Item> {
  return write(kind, () => createItemOnly(kind, body, key))
}

/**
 * Does not reload the list: a batch reloads it once at its end. If an earlier try created the item
 * and its answer was lost, what was typed since changes that item.
 */
export async function createItemOnly(
  kind: Kind,
  body: Body,
  key: string | null = null,
): Promise<Item> {
  try {
    return await createOnce<Item>(`/api/admin/${kind}`, body, key)
  } catch (error) {
    const id = createdBefore(error)
    if (id === null) throw error
    return call<Item>('PUT', `/api/admin/${kind}/${id}`, body)
  }
}

export function updateItem(kind: Kind, id: string, body: Body): Promise<Item> {
  return write(kind, () => call<Item>('PUT', `/api/admin/${kind}/${id}`, body))
}

/** Saves the changed fields of a form; false when the user postponed a conflict. */
export function changeItem(
  kind: Kind,
  id: string,
  ground: Values,
  mine: Values,
  choose: ChooseFields<Item>,
): Promise<boolean> {
  const target = {
    path: `/api/admin/${kind}/${id}`,
    fields: kindSpecs[kind].fields,
    valuesOf: (item: Item) => formValues(kind, item),
  }
  return write(kind, async () => (await saveWithMerge(target, ground, mine, choose)) !== null)
}

export function deleteItem(kind: Kind, id: string): Promise<void> {
  return write(kind, () => call('DELETE', `/api/admin/${kind}/${id}`))
}

/** `position` counts from 0 in the whole list. */
export function moveItem(kind: Kind, id: string, position: number): Promise<void> {
  return write(kind, () => call('PUT', `/api/admin/${kind}/${id}/move`, { position }))
}

export function restoreItem(kind: Kind, id: string): Promise<void> {
  return write(kind, () => call('POST', `/api/admin/trash/${id}/restore`))
}
