// State of one form: values, validation messages, and the draft that survives a closed tab.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { newCreationKey } from '../api/client'
import { imagePathsIn, withReuploadedPaths } from '../api/reupload'
import type { Value, Values } from '../api/schema'
import { evictFiles } from '../api/upload-cache'
import { mergeFields } from '../conflicts/merge-fields'
import {
  changedFields,
  type Draft,
  discardStoredDraft,
  type Fields,
  isDraftStored,
  loadDrafts,
  newDraftKey,
  persistDraft,
  removeDraft,
  type StoredDraft,
  undoDiscard,
} from './draft-storage'
import { getDraftStorage, refreshDrafts } from './draft-sync'

/** The values a draft began from, the `updatedAt` of the item then, and the key of its creation. */
type InitialState = {
  readonly ground: Values
  readonly basedOn: string | null
  readonly creationKey: string
}

export type Form = {
  readonly name: string
  /** Base values: the item as loaded, or as it was when the restored draft began. */
  readonly ground: Values
  readonly values: Values
  readonly set: (fields: Values) => void
  /** Names of the fields that differ from the saved item. */
  readonly changed: readonly string[]
  readonly dirty: boolean
  /** False when the browser stores no draft: leaving the form loses the text. */
  readonly kept: boolean
  /** Time of the last draft save of this visit; null when there is none. */
  readonly keptAt: Date | null
  readonly problems: Readonly<Record<string, string>>
  readonly setProblems: (problems: Readonly<Record<string, string>>) => void
  /** Draft of an earlier visit, until it is restored or discarded. */
  readonly offered: Draft | null
  /** The item was saved elsewhere after that draft; restoring it would undo the newer save. */
  readonly outdated: boolean
  /** Sent with the request that creates the item, so that trying again creates no second one. */
  readonly creationKey: () => string
  readonly takeBack: () => void
  readonly throwAway: () => void
  /**
   * Call after a save. A form that stays open continues from the stored values, which the server
   * may have normalised (telephone numbers in groups), and keeps input typed during the request.
   */
  readonly saved: (now?: { readonly sent: Values; readonly stored: Values }) => void
}

export function useForm(name: string, initial: Values, basedOn: string | null): Form {
  const [start, setStart] = useState(initial)
  const [ground, setGround] = useState(initial)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const latest = useRef(initial)
  // Stored with the draft, so that an undecided conflict is shown again at the next visit.
  const [firstKey] = useState(newCreationKey)
  const begun = useRef<InitialState>({ ground: initial, basedOn, creationKey: firstKey })
  const { key, kept, keptAt, persist, remove } = useStoredDraft(name, latest, begun)
  const changed = changedFields(start, values)
  const dirty = changed.length > 0
  const set = useCallback(
    (fields: Values) => {
      const next = { ...latest.current, ...fields }
      latest.current = next
      setValues(next)
      setProblems((all) => without(all, Object.keys(fields)))
      return persist(start)
    },
    [persist, start],
  )

  useLeaveGuard(dirty && !kept)
  useKeptAgain(key, keptAt !== null, () => persist(start))

  const begin = (from: InitialState) => {
    begun.current = from
    setGround(from.ground)
  }
  const recovery = useRecoverableDrafts({ name, key, start, ground, latest, begun, begin, set })
  const saved: Form['saved'] = (now) => {
    void evictFiles(imagePathsIn(latest.current))
    if (now === undefined) {
      remove()
      return
    }
    const typed = latest.current
    const untouched = Object.entries(now.stored).filter(([key]) => typed[key] === now.sent[key])
    latest.current = { ...typed, ...Object.fromEntries(untouched) }
    setStart(now.stored)
    begin({ ground: now.stored, basedOn, creationKey: newCreationKey() })
    setValues(latest.current)
    persist(now.stored)
  }
  const { offered } = recovery
  const outdated = offered !== null && offered.basedOn !== basedOn
  const typing = { name, ground, values, set, changed, dirty, kept, keptAt }
  const creationKey = () => begun.current.creationKey
  return { ...typing, problems, setProblems, creationKey, ...recovery, outdated, saved }
}

type Latest<T> = { readonly current: T }

function draftOf(latest: Latest<Values>, begun: Latest<InitialState>): Draft {
  return { fields: latest.current, savedAt: now(), ...begun.current }
}

/** The draft of this visit in localStorage. */
function useStoredDraft(name: string, latest: Latest<Values>, begun: Latest<InitialState>) {
  const [key] = useState(() => newDraftKey(name))
  const [kept, setKept] = useState(true)
  const [keptAt, setKeptAt] = useState<Date | null>(null)
  /** Persists the values when they differ from `start`, else removes the draft. */
  const persist = useCallback(
    (start: Values) => {
      const isNothing = changedFields(start, latest.current).length === 0
      const draft = draftOf(latest, begun)
      if (isNothing) removeDraft(getDraftStorage(), key)
      const isKept = isNothing || persistDraft(getDraftStorage(), key, draft)
      setKept(isKept)
      setKeptAt(isKept && !isNothing ? new Date() : null)
      return isKept
    },
    [key],
  )
  const remove = () => {
    removeDraft(getDraftStorage(), key)
    setKeptAt(null)
  }
  return { key, kept, keptAt, persist, remove }
}

type RecoveryParts = Pick<Form, 'ground'> & {
  name: string
  /** Of the draft of this visit. */
  key: string
  start: Values
  latest: Latest<Values>
  begun: Latest<InitialState>
  begin: (from: InitialState) => void
  /** False when the browser stores no draft. */
  set: (fields: Values) => boolean
}

/** Drafts of earlier visits and other tabs, newest first; one is offered at a time. */
function useRecoverableDrafts(parts: RecoveryParts) {
  const { name, key, start, ground, latest, begun, begin, set } = parts
  // Not offered again when the list of the server arrives later: another tab stores what it has open again.
  const answered = useRef(new Set([key]))
  const [offers, setOffers] = useState(() => offersOf(name, start, answered.current))
  const open = useOpen()
  const current = useRef(start)
  current.current = start
  useEffect(() => {
    void refreshDrafts(name).then(() => {
      if (open.current) setOffers(offersOf(name, current.current, answered.current))
    })
  }, [name, key])
  const [first, ...rest] = offers
  const worth = (all: readonly StoredDraft[]) => all.filter(({ draft }) => differs(draft, start))
  const throwAway = () => {
    if (first === undefined) return
    answered.current.add(first.key)
    discardStoredDraft(getDraftStorage(), first)
    setOffers(worth(rest))
  }
  const takeBack = () => {
    if (first === undefined) return
    const { draft } = first
    answered.current.add(first.key)
    const before = knownFields(draft.ground ?? start, start)
    const { values: both, clashes } = mergeFields(before, knownFields(draft.fields, start), start)
    const typed = draftOf(latest, begun)
    // Fields that both sides changed keep their old base, so that saving shows the conflict.
    const asked = Object.fromEntries(clashes.map(({ name }) => [name, before[name] ?? null]))
    begin({
      ground: { ...ground, ...asked },
      basedOn: clashes.length > 0 ? draft.basedOn : begun.current.basedOn,
      creationKey: draft.creationKey ?? begun.current.creationKey,
    })
    const { values: taken, isLost } = over(start, both, latest.current)
    const lost = isLost ? setAside(name, typed) : []
    setOffers([...lost, ...worth(rest)])
    const isMoved = discardStoredDraft(getDraftStorage(), first)
    if (!set(taken) && isMoved) undoDiscard(getDraftStorage(), first)
    void withReuploadedPaths(taken).then((fresh) => {
      const untouched = Object.entries(fresh).filter(([key]) => latest.current[key] === taken[key])
      if (open.current && untouched.length > 0) set(Object.fromEntries(untouched))
    })
  }
  return { offered: first?.draft ?? null, takeBack, throwAway }
}

/** False after unmount: late responses must not write into the form. */
function useOpen() {
  const open = useRef(true)
  useEffect(
    () => () => {
      open.current = false
    },
    [],
  )
  return open
}

/** Makes the browser ask before the page unloads; only for input that no draft holds. */
export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [active])
}

/**
 * Persists the draft again when another tab has restored or discarded it while this form is open.
 */
function useKeptAgain(key: string, active: boolean, keep: () => void): void {
  const latest = useRef(keep)
  latest.current = keep
  // A layout effect: the first keystroke must be safe even if the page closes in the next frame.
  useLayoutEffect(() => {
    if (!active) return undefined
    const again = () => {
      if (!isDraftStored(getDraftStorage(), key)) latest.current()
    }
    // On leaving, persist unconditionally: a storage event of another tab may not arrive any more.
    const leave = () => latest.current()
    // Fires for writes of other tabs only.
    window.addEventListener('storage', again)
    window.addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', again)
    return () => {
      window.removeEventListener('storage', again)
      window.removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', again)
    }
  }, [key, active])
}

/** Drafts but `others` that differ from the saved item; those that do not are discarded. */
function offersOf(
  name: string,
  initial: Values,
  others: ReadonlySet<string>,
): readonly StoredDraft[] {
  return loadDrafts(getDraftStorage(), name).filter(
    (kept) =>
      !others.has(kept.key) &&
      (differs(kept.draft, initial) || !discardStoredDraft(getDraftStorage(), kept)),
  )
}

function differs(draft: Draft, start: Values): boolean {
  return changedFields(start, knownFields(draft.fields, start)).length > 0
}

/** Stores the current input as a draft of its own when a restored draft replaces it. */
function setAside(name: string, draft: Draft): readonly StoredDraft[] {
  const key = newDraftKey(name)
  persistDraft(getDraftStorage(), key, draft)
  return [{ draft, key, text: JSON.stringify(draft) }]
}

/**
 * Puts a restored draft over newer input. `isLost` when both changed a field: the input then
 * becomes a draft of its own.
 */
function over(start: Values, back: Values, typed: Values): { values: Values; isLost: boolean } {
  const taken = changedFields(start, back)
  const since = changedFields(start, typed)
  const alone = since.filter((name) => !taken.includes(name))
  const values = { ...back, ...Object.fromEntries(alone.map((key) => [key, typed[key] ?? null])) }
  return { values, isLost: changedFields(values, typed).some((name) => since.includes(name)) }
}

/** Ignores fields that the form no longer has and values of other types. */
function knownFields(fields: Fields, start: Values): Values {
  const pairs = Object.keys(start).map((name): readonly [string, Value] => {
    const value = fields[name]
    const plain =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    return [name, plain ? value : (start[name] ?? null)]
  })
  return Object.fromEntries(pairs)
}

function without(
  problems: Readonly<Record<string, string>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(problems).filter(([name]) => !names.includes(name)))
}

function now(): string {
  return new Date().toISOString()
}
