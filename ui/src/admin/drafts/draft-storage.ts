// Text kept in this browser while a form is open, so that a closed tab or a lost session costs nothing.

export type Fields = Readonly<Record<string, unknown>>

export type Draft = {
  readonly fields: Fields
  /** RFC 3339, when the text was kept. */
  readonly savedAt: string
  /** `updatedAt` of the item the text was typed over; null for a new one. */
  readonly basedOn: string | null
  /** The item as it was then: what she did not touch is not hers to bring back. */
  readonly ground?: Fields
}

/** A text of an earlier visit, or of a tab that may still be open. */
export type StoredDraft = {
  readonly draft: Draft
  readonly key: string
  /** As it was found: what was written there since is another's. */
  readonly text: string
}

const PREFIX = 'respiro-draft:'
/** Of one form the newest, more than anybody leaves: each is a whole text, the storage is small. */
export const DRAFTS_MAX = 30

/** The part of localStorage the drafts need; absent when the browser refuses storage. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** `form` names the form, `events/new` or `events/ID`. */
export function draftKey(form: string): string {
  return PREFIX + form
}

let keys = 0

/** A place of its own for each visit: two tabs on one form write nothing over each other. */
export function newDraftKey(form: string): string {
  keys += 1
  const mark = `${Date.now().toString(36)}-${keys}-${Math.random().toString(36).slice(2)}`
  return `${draftKey(form)}@${mark}`
}

/** False when the browser would not keep it: then leaving must ask. */
export function persistDraft(shelf: DraftStorage | null, key: string, draft: Draft): boolean {
  try {
    shelf?.setItem(key, JSON.stringify(draft))
    return shelf !== null
  } catch {
    return false
  }
}

/** The newest first. However old, and by whichever clock, each is hers to answer. */
export function loadDrafts(shelf: DraftStorage | null, form: string): readonly StoredDraft[] {
  try {
    if (shelf === null) return []
    for (const key of keysOf(shelf, form)) split(shelf, key)
    const all = keysOf(shelf, form).flatMap((key) => readDraft(shelf, key) ?? [])
    all.sort((one, other) => momentOf(other.draft) - momentOf(one.draft))
    for (const one of all.slice(DRAFTS_MAX)) discardStoredDraft(shelf, one)
    return all.slice(0, DRAFTS_MAX)
  } catch {
    return []
  }
}

function keysOf(shelf: DraftStorage, form: string): readonly string[] {
  const whole = draftKey(form)
  const all = Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '')
  return all.filter((key) => key === whole || key.startsWith(`${whole}@`))
}

/** A former release kept them behind each other in one place. */
type Chained = Draft & { readonly earlier?: unknown }
const NONE: Chained = { fields: {}, savedAt: '', basedOn: null }

function split(shelf: DraftStorage, key: string): void {
  const { earlier, ...draft }: Chained = readDraft(shelf, key)?.draft ?? NONE
  if (!isDraft(earlier)) return
  const behind = `${key}@`
  if (persistDraft(shelf, behind, earlier)) persistDraft(shelf, key, draft)
  split(shelf, behind)
}

function readDraft(shelf: DraftStorage, key: string): StoredDraft | null {
  const text = shelf.getItem(key) ?? 'null'
  try {
    const draft: unknown = JSON.parse(text)
    return isDraft(draft) ? { draft, key, text } : null
  } catch {
    return null
  }
}

function momentOf({ savedAt }: Draft): number {
  return Date.parse(savedAt)
}

/** False where another tab has gone on writing since it was found: then it stays. */
export function discardStoredDraft(
  shelf: DraftStorage | null,
  { key, text }: StoredDraft,
): boolean {
  try {
    if (shelf?.getItem(key) !== text) return false
    shelf.removeItem(key)
    return true
  } catch {
    // A browser that refuses storage has kept nothing to forget.
    return false
  }
}

/** It was not meant to go; what stands there since is newer. */
export function undoDiscard(shelf: DraftStorage | null, { key, text }: StoredDraft): void {
  try {
    if (shelf?.getItem(key) === null) shelf.setItem(key, text)
  } catch {
    // The form asks before it is left.
  }
}

export function isDraftStored(shelf: DraftStorage | null, key: string): boolean {
  try {
    return shelf !== null && shelf.getItem(key) !== null
  } catch {
    return false
  }
}

/** What this visit itself wrote. */
export function removeDraft(shelf: DraftStorage | null, key: string): void {
  try {
    shelf?.removeItem(key)
  } catch {
    // As above.
  }
}

/** The names of the fields that differ; empty means that there is nothing to lose. */
export function changedFields(before: Fields, after: Fields): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter((name) => plain(before[name]) !== plain(after[name]))
}

/** Null, undefined and an empty text are the same thing to the server and to people. */
function plain(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const hasFields = 'fields' in value && typeof value.fields === 'object' && value.fields !== null
  const hasMoment = 'savedAt' in value && typeof value.savedAt === 'string'
  return hasFields && hasMoment && !Number.isNaN(Date.parse(String(value.savedAt)))
}

/** The browser's own shelf, or null where it refuses. */
export function getLocalStorage(): DraftStorage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
