// Stores drafts on the server at each pause in typing. localStorage is the write-ahead of the forms
// that are open; a draft that the server has is not left in it.
import { create } from 'zustand'
import { useSession } from '../auth/session-store'
import { DRAFT_PREFIX, type DraftStorage, draftsOfAccount, getLocalStorage } from './draft-storage'

/** Why the server has not stored a draft; the write-ahead keeps it. */
export type Refusal = 'offline' | 'signedOut' | 'tooLarge' | 'full' | 'tooMany'

/** A draft of this account on the server. */
export type ListedDraft = {
  readonly place: string
  /** RFC 3339 */
  readonly begunAt: string
  readonly savedAt: string
  readonly device: string
  readonly isThisDevice: boolean
  readonly restoredAt: string | null
  /** When the server publishes it. */
  readonly publishAt: string | null
}

/** What another account is editing. */
export type OtherDraft = {
  readonly subject: string
  readonly account: string
  readonly begunAt: string
  readonly savedAt: string
}

type Listing = {
  readonly drafts: readonly ListedDraft[]
  readonly others: readonly OtherDraft[]
}

type SyncStore = Listing & { readonly refusal: Refusal | null }

export const useDraftSync = create<SyncStore>(() => ({ drafts: [], others: [], refusal: null }))

/** The requests, which a test replaces. */
export type DraftServer = {
  readonly put: (place: string, body: string, keepalive: boolean) => Promise<Response>
  readonly remove: (place: string, tag: string | null) => Promise<Response>
  readonly list: () => Promise<Response>
  readonly read: (place: string) => Promise<Response>
}

/** A draft is sent after this pause in typing. */
const PAUSE_MS = 1_000
/** And at least this often while typing goes on. */
const MAX_WAIT_MS = 3_000
/** The server takes one draft of a session in two seconds. */
const SPACING_MS = 2_200
const RETRY_MS = 15_000
/** Browsers limit the body of a request that outlives its page to 64 KiB. */
const KEEPALIVE_BYTES_MAX = 60_000
/** Another tab may still write a draft that is younger. */
const LEFTOVER_AGE_MS = 10 * 60_000

type FoundDraft = { readonly text: string; readonly tag: string | null; readonly savedAt: string }

/** `events/new@mark` is stored at `events:new@mark`: a slash would end the segment of the path. */
export function placeOf(key: string): string {
  return key.slice(DRAFT_PREFIX.length).replaceAll('/', ':')
}

function keyOf(place: string): string {
  return DRAFT_PREFIX + place.replaceAll(':', '/')
}

/** A form, `events/new`; ending with a slash, all forms below it. */
function isOf(key: string, form: string): boolean {
  const whole = DRAFT_PREFIX + form
  return form.endsWith('/') ? key.startsWith(whole) : key === whole || key.startsWith(`${whole}@`)
}

export type DraftSync = ReturnType<typeof createDraftSync>

/**
 * Returns a storage for drafts: those of `local` and those that `refresh` found on the server. What
 * is written to it or removed from it is written and removed on the server too. The server refuses what it gets in the
 * session of another account than `account`.
 */
export function createDraftSync(local: DraftStorage, server: DraftServer, account: string) {
  /** Drafts written in this tab: their latest text by key. */
  const own = new Map<string, string>()
  const acknowledged = new Map<string, string>()
  const found = new Map<string, FoundDraft>()
  const pending = new Set<string>()
  /** Keys to remove on the server, each with the version to remove. */
  const removals = new Map<string, string | null>()
  let inFlight: string | null = null
  let nextAt = performance.now() + SPACING_MS
  let dirtySince: number | null = null
  let timer: ReturnType<typeof setTimeout> | undefined
  let running = false
  let isHiding = false

  const wake = (at: number) => {
    clearTimeout(timer)
    timer = setTimeout(() => void run(), Math.max(0, at - performance.now()))
  }

  const draftKeys = () => {
    const all = Array.from({ length: local.length }, (_, index) => local.key(index) ?? '')
    const stored = all.filter((key) => key.startsWith(DRAFT_PREFIX))
    return [...stored, ...[...found.keys()].filter((key) => !stored.includes(key))]
  }

  let listed: readonly string[] = []
  const storage: DraftStorage = {
    get length() {
      listed = draftKeys()
      return listed.length
    },
    key: (index) => listed[index] ?? null,
    getItem: (key) => local.getItem(key) ?? found.get(key)?.text ?? null,
    setItem: (key, text) => {
      if (isHiding && isSameText(acknowledged.get(key), text)) return
      forgetIfRemoved(key)
      requestPersistence()
      own.set(key, text)
      found.delete(key)
      removals.delete(key)
      pending.add(key)
      const now = performance.now()
      dirtySince ??= now
      wake(Math.max(nextAt, Math.min(now + PAUSE_MS, dirtySince + MAX_WAIT_MS)))
      // Last, because it fails when the browser's storage is full; the server takes it all the same.
      local.setItem(key, text)
    },
    removeItem: (key) => {
      local.removeItem(key)
      const wasOwn = own.delete(key)
      pending.delete(key)
      const isKnown = acknowledged.delete(key) || found.has(key) || inFlight === key
      if (isKnown || !wasOwn) {
        removals.set(key, found.get(key)?.tag ?? null)
        wake(performance.now())
      }
      found.delete(key)
    },
  }

  /** Another tab that removes a draft here removes it on the server, too, so its acknowledgement is void. */
  function forgetIfRemoved(key: string): void {
    if (local.getItem(key) === null) acknowledged.delete(key)
  }

  async function run(): Promise<void> {
    if (running || (document.hidden && useDraftSync.getState().refusal !== null)) return
    running = true
    try {
      while (await removeNext());
      while (await sendNext());
    } finally {
      running = false
    }
  }

  /** Returns whether there may be more to do now. */
  async function removeNext(): Promise<boolean> {
    const [next] = removals
    if (next === undefined) return false
    const [key, tag] = next
    removals.delete(key)
    // Another tab has it open and has stored it again.
    if (local.getItem(key) !== null) return true
    const response = await server.remove(placeOf(key), tag).catch(() => null)
    // 412: another device has gone on writing, and its draft stays.
    if (response?.ok || response?.status === 412) return true
    if (!pending.has(key)) removals.set(key, tag)
    wake(performance.now() + RETRY_MS)
    return false
  }

  async function sendNext(): Promise<boolean> {
    const [key] = pending
    if (key === undefined) {
      dirtySince = null
      return false
    }
    if (performance.now() < nextAt) {
      wake(nextAt)
      return false
    }
    return send(key, false)
  }

  async function send(key: string, keepalive: boolean): Promise<boolean> {
    pending.delete(key)
    const text = own.get(key) ?? local.getItem(key)
    const body = text === null ? null : bodyOf(text, account)
    if (text === null || body === null) return true
    if (keepalive && body.length > KEEPALIVE_BYTES_MAX) return false
    nextAt = performance.now() + SPACING_MS
    inFlight = key
    const response = await server.put(placeOf(key), body, keepalive).catch(() => null)
    inFlight = null
    if (response?.ok) {
      if (!removals.has(key)) settle(key, text, response.headers.get('ETag'))
      useDraftSync.setState({ refusal: null })
      return true
    }
    return refuse(key, response)
  }

  function settle(key: string, text: string, tag: string | null): void {
    acknowledged.set(key, text)
    if (own.has(key)) return
    // A draft of an earlier visit: the server has it now.
    const savedAt = savedAtOf(text)
    if (Date.now() - Date.parse(savedAt) < LEFTOVER_AGE_MS) return
    found.set(key, { text, tag, savedAt })
    if (local.getItem(key) === text) local.removeItem(key)
  }

  function refuse(key: string, response: Response | null): boolean {
    const status = response?.status ?? 0
    const isGone = removals.has(key)
    if (status === 429) {
      nextAt = performance.now() + Number(response?.headers.get('Retry-After') ?? 2) * 1_000
    } else {
      useDraftSync.setState({ refusal: refusalOf(status) })
      // It fits no better the next time; the next change of its text tries again.
      if (status === 413 || status === 422) return true
      nextAt = performance.now() + RETRY_MS
    }
    if (!isGone) pending.add(key)
    wake(nextAt)
    return false
  }

  /** Reads the list of drafts on the server; false when it does not answer. */
  async function refreshList(): Promise<boolean> {
    const response = await server.list().catch(() => null)
    if (response?.ok !== true) return false
    const { drafts, others } = (await response.json()) as Listing
    useDraftSync.setState({ drafts, others })
    return true
  }

  /** Loads the drafts of a form from the server into the storage. */
  async function refresh(form: string): Promise<void> {
    sendLeftovers()
    if (!(await refreshList())) return
    const { drafts } = useDraftSync.getState()
    const places = new Set(drafts.map(({ place }) => place))
    for (const key of found.keys()) {
      if (isOf(key, form) && !places.has(placeOf(key))) found.delete(key)
    }
    const wanted = drafts.filter(({ place, savedAt }) => {
      const key = keyOf(place)
      const isKnown = own.has(key) || removals.has(key) || local.getItem(key) !== null
      return isOf(key, form) && !isKnown && found.get(key)?.savedAt !== savedAt
    })
    await Promise.all(wanted.map(read))
  }

  async function read({ place, savedAt, ...listed }: ListedDraft): Promise<void> {
    const response = await server.read(place).catch(() => null)
    if (response?.ok !== true) return
    const { content } = (await response.json()) as { content: object }
    const from = listed.isThisDevice ? {} : { device: listed.device }
    const again = listed.restoredAt === null ? {} : { restoredAt: listed.restoredAt }
    const text = JSON.stringify({ ...content, ...from, ...again })
    const key = keyOf(place)
    if (own.has(key) || removals.has(key)) return
    found.set(key, { text, tag: strongTag(response.headers.get('ETag')), savedAt })
  }

  let hasSentLeftovers = false
  /** Drafts that an earlier visit, or an earlier release, left in localStorage. */
  function sendLeftovers(): void {
    if (hasSentLeftovers) return
    hasSentLeftovers = true
    const left = draftKeys().filter((key) => !own.has(key))
    for (const key of left) pending.add(key)
    if (left.length > 0) wake(nextAt)
  }

  /** Before the page is closed or frozen. */
  function hide(): void {
    isHiding = true
    const [key] = pending
    if (key !== undefined && !running && performance.now() >= nextAt) void send(key, true)
    for (const [key, text] of own) {
      forgetIfRemoved(key)
      if (isSameText(acknowledged.get(key), text)) local.removeItem(key)
    }
  }

  /** Sends without waiting for a pause: a phone may end a page in the background. */
  function flush(): void {
    if (pending.size > 0) wake(nextAt)
  }

  /** The page is visible or online again. */
  function resume(): void {
    isHiding = false
    if (pending.size + removals.size === 0) return
    if (useDraftSync.getState().refusal !== null) nextAt = performance.now()
    wake(nextAt)
  }

  return { storage, refresh, refreshList, sendLeftovers, flush, hide, resume }
}

function isSameText(one: string | undefined, other: string): boolean {
  const withoutTime = (text: string) => text.replace(/"savedAt":"[^"]*"/, '')
  return one !== undefined && withoutTime(one) === withoutTime(other)
}

function strongTag(tag: string | null): string | null {
  return tag?.replace(/^W\//, '') ?? null
}

/** Null for a text that is no draft. Equal drafts have equal revisions: sent twice, stored once. */
function bodyOf(text: string, account: string): string | null {
  try {
    const content: unknown = JSON.parse(text)
    if (typeof content !== 'object' || content === null || Array.isArray(content)) return null
    return JSON.stringify({ revision: hashOf(text), content, account })
  } catch {
    return null
  }
}

function savedAtOf(text: string): string {
  return (JSON.parse(text) as { savedAt?: string }).savedAt ?? ''
}

/** 64 bits of FNV-1a in two halves: it need not resist attacks. */
function hashOf(text: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 0x01000193)
    low = Math.imul(low ^ (code + index), 0x01000193)
  }
  return (high >>> 0).toString(36) + (low >>> 0).toString(36)
}

function refusalOf(status: number): Refusal {
  if (status === 401) return 'signedOut'
  if (status === 413 || status === 422) return 'tooLarge'
  if (status === 409) return 'tooMany'
  return status === 507 ? 'full' : 'offline'
}

const PATH = '/api/admin/drafts'
const OPTIONS: RequestInit = { credentials: 'include', cache: 'no-store' }

/** `fetch` itself: a 401 in the background opens no sign-in dialog over what is being typed. */
const SERVER: DraftServer = {
  put: (place, body, keepalive) =>
    fetch(`${PATH}/${place}`, {
      ...OPTIONS,
      method: 'PUT',
      body,
      keepalive,
      headers: { 'Content-Type': 'application/json' },
    }),
  remove: (place, tag) =>
    fetch(`${PATH}/${place}`, {
      ...OPTIONS,
      method: 'DELETE',
      headers: tag === null ? {} : { 'If-Match': tag },
    }),
  list: () => fetch(PATH, OPTIONS),
  read: (place) => fetch(`${PATH}/${place}`, OPTIONS),
}

let isPersistenceRequested = false

/**
 * Asks the browser not to delete the write-ahead when it needs room. Only once something is typed: Firefox shows a
 * question, which came at each visit.
 */
function requestPersistence(): void {
  if (isPersistenceRequested) return
  isPersistenceRequested = true
  void navigator.storage?.persist?.().catch(() => undefined)
}

let sync: DraftSync | null = null

/** Null when the browser refuses storage, and before the sign-in. A page has one account: another one reloads it. */
function draftSync(): DraftSync | null {
  const local = sync === null ? getLocalStorage() : null
  const account = useSession.getState().session?.email
  if (local === null || account === undefined) return sync
  sync = createDraftSync(draftsOfAccount(local, account), SERVER, account)
  const { flush, hide, resume } = sync
  window.addEventListener('pagehide', hide)
  window.addEventListener('pageshow', resume)
  window.addEventListener('online', resume)
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) flush()
    else resume()
  })
  return sync
}

/** Drafts in localStorage and on the server; null when the browser refuses storage. */
export function getDraftStorage(): DraftStorage | null {
  return draftSync()?.storage ?? null
}

/** Sends what an earlier visit left in the browser: it may be finished on another device. */
export function startDraftSync(): void {
  draftSync()?.sendLeftovers()
}

/** Loads the drafts of a form that other visits and devices have stored on the server. */
export async function refreshDrafts(form: string): Promise<void> {
  await draftSync()?.refresh(form)
}

export async function refreshDraftList(): Promise<void> {
  await draftSync()?.refreshList()
}
