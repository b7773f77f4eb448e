// Drafts of blocks on this device: kept at each pause, offered again at the next visit.
import { forgetDraft, keepDraft, readDraft, type Shelf } from '../drafts'
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

/** False when this browser keeps nothing. */
export function keep(shelf: Shelf | null, id: string, { draft, ground, savedAt }: KeptDraft) {
  return keepDraft(shelf, nameOf(id), {
    fields: draft,
    ground: { value: ground.value, hidden: ground.hidden },
    basedOn: ground.version,
    savedAt,
  })
}

export function forget(shelf: Shelf | null, id: string): void {
  forgetDraft(shelf, nameOf(id))
}

/** What an earlier visit left; text of this browser, of which anything else is left aside. */
export function keptOf(shelf: Shelf | null, id: string, now: Date): KeptDraft | null {
  const found = readDraft(shelf, nameOf(id), now)
  if (found === null || found.basedOn === null) return null
  const draft = draftOf(found.fields)
  const ground = draftOf(found.ground ?? {})
  if (draft === null || ground === null) return null
  return { draft, ground: { ...ground, version: found.basedOn }, savedAt: found.savedAt }
}

function draftOf(fields: Readonly<Record<string, unknown>>): Draft | null {
  const { value, hidden } = fields
  if (typeof hidden !== 'boolean') return null
  return isGroup(value as Group) ? { value: value as Group, hidden } : null
}
