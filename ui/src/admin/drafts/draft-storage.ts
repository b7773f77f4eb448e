// Reads and writes drafts of forms in a storage, so that a closed tab or an expired session loses no text.

export type Fields = Readonly<Record<string, unknown>>

export type Draft = {
  readonly fields: Fields
  /** Time of the last save, RFC 3339. */
  readonly savedAt: string
  /** `updatedAt` of the item the text was typed over; null for a new one. */
  readonly basedOn: string | null
  /** The item at that time; fields that were not changed since are not restored. */
  readonly ground?: Fields
  /** Of the form of a new item: the creation that is tried again after a lost answer. */
  readonly creationKey?: string
  /** Set on a draft that another device has stored on the server. */
  readonly device?: string
  /** Set on a draft that a restored backup has brought back. */
  readonly restoredAt?: string
}

/** A draft of an earlier visit, or of a tab that may still be open. */
export type StoredDraft = {
  readonly draft: Draft
  readonly key: string
  /** The stored JSON; a different value means that another tab has written since. */
  readonly text: string
}

export const DRAFT_PREFIX = 'respiro-draft:'
/** Followed by the address of the account, a colon and the rest of the key. */
const ACCOUNT_PREFIX = 'respiro-draft-of:'
/** Per form; older drafts are removed. Each holds a whole text, and storage is small. */
export const DRAFTS_MAX = 30

/** The part of `Storage` that drafts use. */
export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>

/** `form` names the form, `events/new` or `events/ID`. */
export function draftKey(form: string): string {
  return DRAFT_PREFIX + form
}

let keys = 0

/** A new key for each visit, so that two tabs on one form do not overwrite each other. */
export function newDraftKey(form: string): string {
  keys += 1
  const mark = `${Date.now().toString(36)}-${keys}-${Math.random().toString(36).slice(2)}`
  return `${draftKey(form)}@${mark}`
}

/** False when storage fails; the form then asks before it is left. */
export function persistDraft(shelf: DraftStorage | null, key: string, draft: Draft): boolean {
  try {
    shelf?.setItem(key, JSON.stringify(draft))
    return shelf !== null
  } catch {
    return false
  }
}

/** Newest first. No draft expires: the clock of a device may be wrong. */
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

/** An earlier release stored all drafts of a form as a chain under one key. */
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

/** False when another tab has written since the draft was loaded; the draft then stays. */
export function discardStoredDraft(
  shelf: DraftStorage | null,
  { key, text }: StoredDraft,
): boolean {
  try {
    if (shelf?.getItem(key) !== text) return false
    shelf.removeItem(key)
    return true
  } catch {
    // A browser that refuses storage holds no drafts.
    return false
  }
}

/** Restores a discarded draft unless its key was written again. */
export function undoDiscard(shelf: DraftStorage | null, { key, text }: StoredDraft): void {
  try {
    if (shelf?.getItem(key) === null) shelf.setItem(key, text)
  } catch {
    // Storage fails: the form asks before it is left.
  }
}

export function isDraftStored(shelf: DraftStorage | null, key: string): boolean {
  try {
    return shelf !== null && shelf.getItem(key) !== null
  } catch {
    return false
  }
}

/** Removes the draft of this visit. */
export function removeDraft(shelf: DraftStorage | null, key: string): void {
  try {
    shelf?.removeItem(key)
  } catch {
    // As above.
  }
}

/** Names of the fields that differ. */
export function changedFields(before: Fields, after: Fields): readonly string[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...names].filter(
    (name) => normalizeForComparison(before[name]) !== normalizeForComparison(after[name]),
  )
}

/** The server treats null, undefined and an empty text alike. */
function normalizeForComparison(value: unknown): string {
  return value === null || value === undefined ? '' : String(value)
}

function isDraft(value: unknown): value is Draft {
  if (typeof value !== 'object' || value === null) return false
  const hasFields = 'fields' in value && typeof value.fields === 'object' && value.fields !== null
  const hasMoment = 'savedAt' in value && typeof value.savedAt === 'string'
  return hasFields && hasMoment && !Number.isNaN(Date.parse(String(value.savedAt)))
}

/**
 * Returns the drafts of one account: another person may sign in to the panel in the same browser. Takes over those of
 * earlier releases, which stored them for no account.
 */
export function draftsOfAccount(shelf: DraftStorage, account: string): DraftStorage {
  const prefix = `${ACCOUNT_PREFIX}${account}:`
  const stored = (key: string) => prefix + key.slice(DRAFT_PREFIX.length)
  const keysBelow = (start: string) =>
    Array.from({ length: shelf.length }, (_, index) => shelf.key(index) ?? '').filter((key) =>
      key.startsWith(start),
    )
  for (const key of keysBelow(DRAFT_PREFIX)) {
    try {
      shelf.setItem(stored(key), shelf.getItem(key) ?? '')
      shelf.removeItem(key)
    } catch {
      // The storage is full: the next visit tries again.
    }
  }
  let listed: readonly string[] = []
  return {
    get length() {
      listed = keysBelow(prefix).map((key) => DRAFT_PREFIX + key.slice(prefix.length))
      return listed.length
    },
    key: (index) => listed[index] ?? null,
    getItem: (key) => shelf.getItem(stored(key)),
    setItem: (key, text) => shelf.setItem(stored(key), text),
    removeItem: (key) => shelf.removeItem(stored(key)),
  }
}

/** Null when the browser refuses storage. */
export function getLocalStorage(): DraftStorage | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
