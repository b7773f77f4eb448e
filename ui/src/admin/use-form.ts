// The state of one form: what was typed, what is wrong with it, and the draft that survives a closed tab.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import {
  beside,
  browserShelf,
  changedFields,
  type Draft,
  type Fields,
  keepDraft,
  leaveDraft,
  readDraft,
} from './drafts'
import { merge } from './merge'
import type { Value, Values } from './schema'

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
  const [offered, setOffered] = useState(() => offerOf(name, initial))
  const waiting = useRef(offered)
  const latest = useRef(initial)
  const changed = changedFields(start, values)
  const dirty = changed.length > 0

  const set = useCallback(
    (fields: Values) => {
      const next = { ...latest.current, ...fields }
      latest.current = next
      setValues(next)
      setProblems((all) => without(all, Object.keys(fields)))
      if (changedFields(start, next).length === 0) {
        leaveDraft(browserShelf(), name, waiting.current)
        setKeptAt(null)
        return
      }
      const draft = { fields: next, savedAt: now(), basedOn, ground: start }
      const isKept = keepDraft(browserShelf(), name, beside(draft, waiting.current))
      setKept(isKept)
      setKeptAt(isKept ? new Date() : null)
    },
    [name, basedOn, start],
  )

  useLeaveGuard(dirty && !kept)

  const offer = (draft: Draft | null) => {
    waiting.current = draft
    setOffered(draft)
  }
  const throwAway = () => {
    offer(worthOf(offered?.earlier, start))
    set({})
  }
  const takeBack = () => {
    if (offered === null) return
    const before = knownFields(offered.ground ?? start, start)
    const { values: both, clashes } = merge(before, knownFields(offered.fields, start), start)
    // Saving asks about what both sides changed since.
    setGround((former) => ({
      ...former,
      ...Object.fromEntries(clashes.map(({ name }) => [name, before[name] ?? null])),
    }))
    const typed = { fields: latest.current, savedAt: now(), basedOn, ground: start }
    const { values: taken, isLost } = over(start, both, latest.current)
    const next = worthOf(offered.earlier, start)
    offer(isLost ? beside(typed, next) : next)
    set(taken)
  }
  const saved: Form['saved'] = (now) => {
    leaveDraft(browserShelf(), name, waiting.current)
    setKeptAt(null)
    if (now === undefined) return
    const typed = latest.current
    const untouched = Object.entries(now.stored).filter(([key]) => typed[key] === now.sent[key])
    latest.current = { ...typed, ...Object.fromEntries(untouched) }
    setStart(now.stored)
    setGround(now.stored)
    setValues(latest.current)
  }
  const outdated = offered !== null && offered.basedOn !== basedOn
  const draft = { offered, outdated, takeBack, throwAway }
  const typing = { ground, values, set, changed, dirty, kept, keptAt }
  return { ...typing, problems, setProblems, ...draft, saved }
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

function offerOf(name: string, initial: Values): Draft | null {
  return worthOf(readDraft(browserShelf(), name, new Date()), initial)
}

/** The first that differs from what is saved. */
function worthOf(draft: Draft | null | undefined, start: Values): Draft | null {
  if (draft === null || draft === undefined) return null
  const differs = changedFields(start, knownFields(draft.fields, start)).length > 0
  return differs ? draft : worthOf(draft.earlier, start)
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
