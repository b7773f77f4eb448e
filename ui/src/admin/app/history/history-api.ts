// The history of the site as the API returns it, and the way back.
import { call } from '../../api/client'
import { useItems } from '../../api/items-store'
import { useSiteStatus } from '../../api/site-status'
import type { ObjectValue } from '../../features/site-editor/api/content-api'
import { loadBlocks } from '../../features/site-editor/model/pages-store'

export type Action =
  | 'created'
  | 'changed'
  | 'published'
  | 'unpublished'
  | 'moved'
  | 'deleted'
  | 'restored'
  | 'erased'

/** Fields by name; of a block `{ value, hidden }`, of an order `{ titles }`. */
export type State = Readonly<Record<string, unknown>>
export type BlockState = { readonly value: ObjectValue; readonly hidden: boolean }

export type Change = {
  /** `words:ID`, `events:ID`, `order:events`, `settings`. */
  readonly thing: string
  /** `words`, `settings`, or a kind of items. */
  readonly kind: string
  readonly title: string | null
  readonly action: Action
  readonly before: State | null
  readonly after: State | null
  /** The states are too long for the list: the change set alone has them. */
  readonly isCut: boolean
}

/** The changes of one transaction. */
export type ChangeSet = {
  /** Milliseconds; identifies it. */
  readonly moment: number
  readonly at: string
  /** Empty for a schedule or an import. */
  readonly account: string
  readonly device: string | null
  readonly cause: 'edit' | 'schedule' | 'return' | 'siteReturn' | 'unrecorded'
  /** For a return: the moment whose state it restored. */
  readonly to: string | null
  readonly changes: readonly Change[]
}

export type HistoryPage = {
  readonly changeSets: readonly ChangeSet[]
  readonly hasMore: boolean
  readonly oldest: string | null
  /** The whole site returns to no earlier moment. */
  readonly completeSince: string
  readonly accounts: readonly string[]
}

export type Filter = { readonly kinds: string; readonly account: string; readonly thing: string }

export const PATH = '/api/admin/history'

export function listPath(filter: Filter, before?: number): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(filter)) if (value !== '') query.set(name, value)
  if (before !== undefined) query.set('before', String(before))
  const text = query.toString()
  return text === '' ? PATH : `${PATH}?${text}`
}

export type SiteStep = {
  readonly thing: string
  readonly kind: string
  readonly title: string | null
  readonly pages: readonly string[] | null
  /** The item did not exist then: it is unpublished and stays as a draft. */
  readonly isHidden: boolean
}

export type SitePreview = { readonly steps: readonly SiteStep[] }

export type Scope =
  | { readonly scope: 'changeSet'; readonly thing?: string }
  | { readonly scope: 'page'; readonly page: string }
  | { readonly scope: 'settings' }
  | { readonly scope: 'site' }

type Returned = {
  /** Identifies the new change set; null when everything was so already. */
  readonly moment: number | null
  readonly skipped: readonly (string | null)[]
}

/** Returns to the state just before the moment, and lets the rest of the panel read it again. */
export async function putBack(scope: Scope, moment: number): Promise<Returned> {
  const done = await call<Returned>('POST', PATH, { ...scope, moment })
  useItems.getState().forgetAll()
  void useSiteStatus.getState().load(true)
  await loadBlocks()
  return done
}
