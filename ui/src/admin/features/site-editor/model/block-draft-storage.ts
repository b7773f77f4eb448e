// Drafts of blocks on this device: kept at each pause, offered again at the next visit.
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

/** What a draft was written over: what both sides of a clash began with. */
export type BaseVersion = Draft & {
  readonly version: string
  /** What was sent and never answered, the last at the end: the server may have it all the same. */
  readonly sent?: readonly Draft[]
}

export type KeptDraft = {
  readonly draft: Draft
  readonly ground: BaseVersion
  /** RFC 3339 */
  readonly savedAt: string
}

/** What was found on the shelf. */
export type FoundDraft = KeptDraft & { readonly found: StoredDraft }

const nameOf = (id: string) => `words/${id}`

/** Where this visit keeps what it makes of a block: never where another tab does. */
const places = new Map<string, string>()

export function baseVersionOf({ value, hidden, version }: Block): BaseVersion {
  return { value, hidden, version }
}

/** False when this browser keeps nothing. */
export function persistBlockDraft(shelf: DraftStorage | null, id: string, own: KeptDraft): boolean {
  const place = places.get(id) ?? newDraftKey(nameOf(id))
  places.set(id, place)
  return persistDraft(shelf, place, written(own))
}

/** Whether what this visit keeps of a block is still there. */
export function isBlockDraftStored(shelf: DraftStorage | null, id: string): boolean {
  const place = places.get(id)
  return place !== undefined && isDraftStored(shelf, place)
}

/** Nothing of this visit is left to keep; what others keep is theirs. */
export function removeBlockDraft(shelf: DraftStorage | null, id: string): void {
  const place = places.get(id)
  if (place !== undefined) removeDraft(shelf, place)
  places.delete(id)
}

function written({ draft, ground, savedAt }: KeptDraft): Written {
  return {
    fields: draft,
    ground: { value: ground.value, hidden: ground.hidden, sent: ground.sent },
    basedOn: ground.version,
    savedAt,
  }
}

/** What earlier visits and other tabs left, the oldest first; nothing of a block is typed yet. */
export function loadBlockDrafts(shelf: DraftStorage | null, id: string): readonly FoundDraft[] {
  // What this visit once kept there is found as well: it writes elsewhere from here on.
  places.delete(id)
  const found = loadDrafts(shelf, nameOf(id)).flatMap((kept) => understood(kept) ?? [])
  return [...found].reverse()
}

/** Answered; where another tab goes on writing it stays. */
export function discardFound(
  shelf: DraftStorage | null,
  all: readonly FoundDraft[],
): readonly FoundDraft[] {
  return all.filter(({ found }) => discardStoredDraft(shelf, found))
}

/** The answer is taken back. */
export function undoDiscardFound(shelf: DraftStorage | null, all: readonly FoundDraft[]): void {
  for (const { found } of all) undoDiscard(shelf, found)
}

/** Text of this browser, of which anything else is left aside. */
function understood(found: StoredDraft): FoundDraft | null {
  const { fields, ground: began, basedOn, savedAt } = found.draft
  const draft = draftOf(fields)
  const ground = draftOf(began ?? {})
  if (draft === null || ground === null || basedOn === null) return null
  // A former release kept the last one alone.
  const sent = [began?.sent ?? []].flat().flatMap((one) => draftOf(one as Fields) ?? [])
  const own = { ...ground, version: basedOn }
  return { draft, ground: sent.length === 0 ? own : { ...own, sent }, savedAt, found }
}

function draftOf(fields: Fields): Draft | null {
  const { value, hidden } = fields
  if (typeof hidden !== 'boolean') return null
  return isObjectValue(value as ObjectValue) ? { value: value as ObjectValue, hidden } : null
}
