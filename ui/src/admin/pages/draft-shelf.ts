// Drafts of blocks on this device: kept at each pause, offered again at the next visit.
import { beside, type Draft as Kept, keepDraft, leaveDraft, readDraft, type Shelf } from '../drafts'
import type { Draft } from './changes'
import type { Block, Group } from './contract'
import { isGroup } from './value'

/** What a draft was written over: what both sides of a clash began with. */
export type Ground = { readonly value: Group; readonly hidden: boolean; readonly version: string }

export type KeptDraft = {
  readonly draft: Draft
  readonly ground: Ground
  /** RFC 3339 */
  readonly savedAt: string
}

const nameOf = (id: string) => `words/${id}`

export function groundOf({ value, hidden, version }: Block): Ground {
  return { value, hidden, version }
}

/** False when this browser keeps nothing. `waiting`, the oldest first, is still offered. */
export function keep(
  shelf: Shelf | null,
  id: string,
  own: KeptDraft,
  waiting: readonly KeptDraft[] = [],
): boolean {
  return keepDraft(shelf, nameOf(id), beside(written(own), chain(waiting)))
}

/** Nothing of this visit is left to keep. */
export function leave(shelf: Shelf | null, id: string, waiting: readonly KeptDraft[] = []): void {
  leaveDraft(shelf, nameOf(id), chain(waiting))
}

function written({ draft, ground, savedAt }: KeptDraft): Kept {
  return {
    fields: draft,
    ground: { value: ground.value, hidden: ground.hidden },
    basedOn: ground.version,
    savedAt,
  }
}

/** The newest, and behind each the one before it. */
function chain(waiting: readonly KeptDraft[]): Kept | null {
  return waiting.reduce<Kept | null>((earlier, one) => beside(written(one), earlier), null)
}

/** What earlier visits left, the oldest first. */
export function allKept(shelf: Shelf | null, id: string, now: Date): readonly KeptDraft[] {
  const found: KeptDraft[] = []
  let one = readDraft(shelf, nameOf(id), now)
  while (one !== null) {
    const kept = understood(one)
    if (kept !== null) found.unshift(kept)
    one = one.earlier ?? null
  }
  return found
}

/** Text of this browser, of which anything else is left aside. */
function understood(found: Kept): KeptDraft | null {
  const draft = draftOf(found.fields)
  const ground = draftOf(found.ground ?? {})
  if (draft === null || ground === null || found.basedOn === null) return null
  return { draft, ground: { ...ground, version: found.basedOn }, savedAt: found.savedAt }
}

function draftOf(fields: Readonly<Record<string, unknown>>): Draft | null {
  const { value, hidden } = fields
  if (typeof hidden !== 'boolean') return null
  return isGroup(value as Group) ? { value: value as Group, hidden } : null
}
