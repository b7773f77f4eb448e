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
  /** Another that was offered when this was typed, and waits for its answer. */
  readonly earlier?: Draft
}

const PREFIX = 'respiro-draft:'
/** Older drafts are forgotten: nobody misses them, and the storage is small. */
export const DRAFT_DAYS_MAX = 60
const DAY_MS = 86_400_000
/** Of those that wait behind each other the newest: each is a whole text, the storage is small. */
export const DRAFTS_MAX = 3

/** The part of localStorage the drafts need; absent when the browser refuses storage. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

/** `form` names the form, `events/new` or `events/ID`. */
export function draftKey(form: string): string {
  return PREFIX + form
}

/** False when the browser would not keep it: then leaving must ask. */
export function keepDraft(shelf: Shelf | null, form: string, draft: Draft): boolean {
  try {
    shelf?.setItem(draftKey(form), JSON.stringify(draft))
    return shelf !== null
  } catch {
    return false
  }
}

/** What is typed while another text waits for an answer must not take its place. */
export function beside(draft: Draft, earlier: Draft | null): Draft {
  return earlier === null ? draft : { ...draft, earlier }
}

/** Nothing typed is left to keep; what waits for an answer is. */
export function leaveDraft(shelf: Shelf | null, form: string, waiting: Draft | null): void {
  if (waiting === null) forgetDraft(shelf, form)
  else keepDraft(shelf, form, waiting)
}

export function readDraft(shelf: Shelf | null, form: string, now: Date): Draft | null {
  try {
    const value: unknown = JSON.parse(shelf?.getItem(draftKey(form)) ?? 'null')
    if (!isDraft(value)) return null
    const found = recent(value, now, DRAFTS_MAX)
    if (found === null) forgetDraft(shelf, form)
    return found
  } catch {
    return null
  }
}

/** Without what is too old, and no more than so many. */
function recent({ earlier, ...draft }: Draft, now: Date, most: number): Draft | null {
  const age = now.getTime() - Date.parse(draft.savedAt)
  if (most === 0 || !(age < DRAFT_DAYS_MAX * DAY_MS)) return null
  return beside(draft, earlier === undefined ? null : recent(earlier, now, most - 1))
}

export function forgetDraft(shelf: Shelf | null, form: string): void {
  try {
    shelf?.removeItem(draftKey(form))
  } catch {
    // A browser that refuses storage has kept nothing to forget.
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
  const isWhole = hasFields && 'savedAt' in value && typeof value.savedAt === 'string'
  return isWhole && (!('earlier' in value) || isDraft(value.earlier))
}

/** The browser's own shelf, or null where it refuses. */
export function browserShelf(): Shelf | null {
  try {
    return window.localStorage
  } catch {
    return null
  }
}
