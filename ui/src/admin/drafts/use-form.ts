// The state of one form: what was typed, what is wrong with it, and the draft that survives a closed tab.
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { imagePathsIn, withReuploadedPaths } from '../api/reupload'
import type { Value, Values } from '../api/schema'
import { evictFiles } from '../api/upload-cache'
import { mergeFields } from '../conflicts/merge-fields'
import {
  changedFields,
  type Draft,
  discardStoredDraft,
  type Fields,
  getLocalStorage,
  isDraftStored,
  loadDrafts,
  newDraftKey,
  persistDraft,
  removeDraft,
  type StoredDraft,
  undoDiscard,
} from './draft-storage'

/** What the text was typed over, and which state of the item that was. */
type Begun = { readonly ground: Values; readonly basedOn: string | null }

export type Form = {
  /** What was typed over: the item as it was read, or as it was when a draft was begun. */
  readonly ground: Values
  readonly values: Values
  readonly set: (fields: Values) => void
  /** The names of the fields that differ from what is saved. */
  readonly changed: readonly string[]
  readonly dirty: boolean
  /** False when this browser would not keep the text: then leaving loses it. */
  readonly kept: boolean
  /** When this browser last kept the text; null while it holds nothing of this visit. */
  readonly keptAt: Date | null
  readonly problems: Readonly<Record<string, string>>
  readonly setProblems: (problems: Readonly<Record<string, string>>) => void
  /** Text found from an earlier visit, until it is taken back or thrown away. */
  readonly offered: Draft | null
  /** The item was saved elsewhere after the offered text was typed: taking it back would undo that. */
  readonly outdated: boolean
  readonly takeBack: () => void
  readonly throwAway: () => void
  /**
   * The text is on the server now. A form that stays open goes on from what stands there, which may
   * be written differently (a telephone number in groups), and keeps what was typed meanwhile.
   */
  readonly saved: (now?: { readonly sent: Values; readonly stored: Values }) => void
}

export function useForm(name: string, initial: Values, basedOn: string | null): Form {
  const [start, setStart] = useState(initial)
  const [ground, setGround] = useState(initial)
  const [values, setValues] = useState(initial)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})
  const [kept, setKept] = useState(true)
  const [keptAt, setKeptAt] = useState<Date | null>(null)
  const [key] = useState(() => newDraftKey(name))
  const [offers, setOffers] = useState(() => offersOf(name, initial))
  const latest = useRef(initial)
  // Kept with the text: a clash that was not decided yet is asked about at the next visit too.
  const begun = useRef<Begun>({ ground: initial, basedOn })
  const open = useOpen()
  const changed = changedFields(start, values)
  const dirty = changed.length > 0

  /** What was typed over `start`, where anything was. */
  const keep = useCallback(
    (start: Values) => {
      const isNothing = changedFields(start, latest.current).length === 0
      const draft = { fields: latest.current, savedAt: now(), ...begun.current }
      if (isNothing) removeDraft(getLocalStorage(), key)
      const isKept = isNothing || persistDraft(getLocalStorage(), key, draft)
      setKept(isKept)
      setKeptAt(isKept && !isNothing ? new Date() : null)
      return isKept
    },
    [key],
  )
  const set = useCallback(
    (fields: Values) => {
      const next = { ...latest.current, ...fields }
      latest.current = next
      setValues(next)
      setProblems((all) => without(all, Object.keys(fields)))
      return keep(start)
    },
    [keep, start],
  )

  useLeaveGuard(dirty && !kept)
  useKeptAgain(key, keptAt !== null, () => keep(start))

  const begin = (from: Begun) => {
    begun.current = from
    setGround(from.ground)
  }
  const [first, ...rest] = offers
  const worth = (all: readonly StoredDraft[]) => all.filter(({ draft }) => differs(draft, start))
  const throwAway = () => {
    if (first !== undefined) discardStoredDraft(getLocalStorage(), first)
    setOffers(worth(rest))
  }
  const takeBack = () => {
    if (first === undefined) return
    const { draft } = first
    const before = knownFields(draft.ground ?? start, start)
    const { values: both, clashes } = mergeFields(before, knownFields(draft.fields, start), start)
    const typed = { fields: latest.current, savedAt: now(), ...begun.current }
    // Saving asks about what both sides changed since.
    const asked = Object.fromEntries(clashes.map(({ name }) => [name, before[name] ?? null]))
    begin({
      ground: { ...ground, ...asked },
      basedOn: clashes.length > 0 ? draft.basedOn : begun.current.basedOn,
    })
    const { values: taken, isLost } = over(start, both, latest.current)
    const lost = isLost ? setAside(name, typed) : []
    setOffers([...lost, ...worth(rest)])
    const isMoved = discardStoredDraft(getLocalStorage(), first)
    if (!set(taken) && isMoved) undoDiscard(getLocalStorage(), first)
    void withReuploadedPaths(taken).then((fresh) => {
      const untouched = Object.entries(fresh).filter(([key]) => latest.current[key] === taken[key])
      if (open.current && untouched.length > 0) set(Object.fromEntries(untouched))
    })
  }
  const saved: Form['saved'] = (now) => {
    void evictFiles(imagePathsIn(latest.current))
    if (now === undefined) {
      removeDraft(getLocalStorage(), key)
      setKeptAt(null)
      return
    }
    const typed = latest.current
    const untouched = Object.entries(now.stored).filter(([key]) => typed[key] === now.sent[key])
    latest.current = { ...typed, ...Object.fromEntries(untouched) }
    setStart(now.stored)
    begin({ ground: now.stored, basedOn })
    setValues(latest.current)
    keep(now.stored)
  }
  const offered = first?.draft ?? null
  const outdated = offered !== null && offered.basedOn !== basedOn
  const draft = { offered, outdated, takeBack, throwAway }
  const typing = { ground, values, set, changed, dirty, kept, keptAt }
  return { ...typing, problems, setProblems, ...draft, saved }
}

/** False once the form is closed: what arrives later is written nowhere. */
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

/** The browser asks before the page goes away; only for what nothing else keeps. */
export function useLeaveGuard(active: boolean): void {
  useEffect(() => {
    if (!active) return undefined
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [active])
}

/** Another tab was offered what this one keeps, and answered: here it is in use yet. */
function useKeptAgain(key: string, active: boolean, keep: () => void): void {
  const latest = useRef(keep)
  latest.current = keep
  // Before the next frame: who leaves with it had typed the first letter in this one.
  useLayoutEffect(() => {
    if (!active) return undefined
    const again = () => {
      if (!isDraftStored(getLocalStorage(), key)) latest.current()
    }
    // Who leaves hears no more of what another tab took away: then it is kept whatever is there.
    const leave = () => latest.current()
    // It tells of what other tabs do.
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

/** What differs from what is saved; of the rest nothing can be lost. */
function offersOf(name: string, initial: Values): readonly StoredDraft[] {
  return loadDrafts(getLocalStorage(), name).filter(
    (kept) => differs(kept.draft, initial) || !discardStoredDraft(getLocalStorage(), kept),
  )
}

function differs(draft: Draft, start: Values): boolean {
  return changedFields(start, knownFields(draft.fields, start)).length > 0
}

/** A text that has made room for another is offered in its turn. */
function setAside(name: string, draft: Draft): readonly StoredDraft[] {
  const key = newDraftKey(name)
  persistDraft(getLocalStorage(), key, draft)
  return [{ draft, key, text: JSON.stringify(draft) }]
}

/**
 * What is taken back, over what was typed since: only a field that both changed is one of the two,
 * and then the other has to be offered in its turn.
 */
function over(start: Values, back: Values, typed: Values): { values: Values; isLost: boolean } {
  const taken = changedFields(start, back)
  const since = changedFields(start, typed)
  const alone = since.filter((name) => !taken.includes(name))
  const values = { ...back, ...Object.fromEntries(alone.map((key) => [key, typed[key] ?? null])) }
  return { values, isLost: changedFields(values, typed).some((name) => since.includes(name)) }
}

/** Only fields the form still has, and only values a form can hold. */
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
