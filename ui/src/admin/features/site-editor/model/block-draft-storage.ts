// Stores drafts of blocks in localStorage at each pause, and finds them at the next visit.
import {
  type DraftStorage,
  discardStoredDraft,
  type Fields,
  isDraftStored,
  loadDrafts,
  newDraftKey,
  persistDraft,
  removeDraft,
  type StoredDraft,
  undoDiscard,
  type Draft as Written,
} from '../../../drafts/draft-storage'
import type { Block, ObjectValue } from '../api/content-api'
import type { Draft } from './draft-diff'
import { isObjectValue } from './field-path'

/** The version that a draft is based on: the common base of a merge. */
export type BaseVersion = Draft & {
  readonly version: string
  /** Drafts sent without a response, newest last; the server may have stored any of them. */
  readonly sent?: readonly Draft[]
}

export type SavedDraft = {
  readonly draft: Draft
  readonly ground: BaseVersion
  /** RFC 3339 */
  readonly savedAt: string
}

/** A draft found in localStorage. */
export type RecoverableDraft = SavedDraft & { readonly found: StoredDraft }

/** Where the drafts of all blocks are. */
export const DRAFTS_OF_BLOCKS = 'words/'
const nameOf = (id: string) => DRAFTS_OF_BLOCKS + id

/** Storage keys of this visit by block; no other tab uses them. */
const places = new Map<string, string>()

export function baseVersionOf({ value, hidden, version }: Block): BaseVersion {
  return { value, hidden, version }
}

/** False when storage fails. */
export function persistBlockDraft(
  shelf: DraftStorage | null,
  id: string,
  own: SavedDraft,
): boolean {
  const place = places.get(id) ?? newDraftKey(nameOf(id))
  places.set(id, place)
  return persistDraft(shelf, place, written(own))
}

/** Whether localStorage still has this visit's draft of a block; another tab may have removed it. */
export function isBlockDraftStored(shelf: DraftStorage | null, id: string): boolean {
  const place = places.get(id)
  return place !== undefined && isDraftStored(shelf, place)
}

/** Removes this visit's draft of a block; drafts of other tabs stay. */
export function removeBlockDraft(shelf: DraftStorage | null, id: string): void {
  const place = places.get(id)
  if (place !== undefined) removeDraft(shelf, place)
  places.delete(id)
}

function written({ draft, ground, savedAt }: SavedDraft): Written {
  return {
    fields: draft,
    ground: { value: ground.value, hidden: ground.hidden, sent: ground.sent },
    basedOn: ground.version,
    savedAt,
  }
}

/** Drafts of earlier visits and other tabs, oldest first, for a block without a draft in this tab. */
export function loadBlockDrafts(
  shelf: DraftStorage | null,
  id: string,
): readonly RecoverableDraft[] {
  // The result includes drafts stored earlier in this visit, so new ones get another key.
  places.delete(id)
  const found = loadDrafts(shelf, nameOf(id)).flatMap((kept) => understood(kept) ?? [])
  return [...found].reverse()
}

/** Removes drafts, except those that another tab has changed since. Returns the removed ones. */
export function discardRecoverableDraft(
  shelf: DraftStorage | null,
  all: readonly RecoverableDraft[],
): readonly RecoverableDraft[] {
  return all.filter(({ found }) => discardStoredDraft(shelf, found))
}

/** Puts removed drafts back. */
export function undoDiscardFound(
  shelf: DraftStorage | null,
  all: readonly RecoverableDraft[],
): void {
  for (const { found } of all) undoDiscard(shelf, found)
}

/** Validates a stored draft; null if it is not understood. */
function understood(found: StoredDraft): RecoverableDraft | null {
  const { fields, ground: began, basedOn, savedAt } = found.draft
  const draft = draftOf(fields)
  const ground = draftOf(began ?? {})
  if (draft === null || ground === null || basedOn === null) return null
  // An earlier release stored only the last draft sent, not a list.
  const sent = [began?.sent ?? []].flat().flatMap((one) => draftOf(one as Fields) ?? [])
  const own = { ...ground, version: basedOn }
  return { draft, ground: sent.length === 0 ? own : { ...own, sent }, savedAt, found }
}

function draftOf(fields: Fields): Draft | null {
  const { value, hidden } = fields
  if (typeof hidden !== 'boolean') return null
  return isObjectValue(value as ObjectValue) ? { value: value as ObjectValue, hidden } : null
}
