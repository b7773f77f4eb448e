// What is typed is worked on in its pauses, not with each letter.

/** Who types without a pause is not left unkept. */
const MAX_WAIT_MS = 3_000

type Debounced = {
  /** After each letter. */
  readonly schedule: () => void
  /** Where the work cannot wait. */
  readonly flush: () => void
  /** There is nothing left to do. */
  readonly cancel: () => void
}

/** When the first and the last of the letters that are worked on were typed. */
export type TypingSpan = { readonly from: number; readonly to: number }

/** What cannot wait that long: in a shorter pause, and now and then where there is none. */
type EarlyCall = { readonly keep: () => void; readonly pauseMs: number }

/** Without `keeping` all of the work is done now and then where there is no pause. */
export function debounceWithMaxWait(
  act: (letters: TypingSpan) => void,
  pauseMs: number,
  keeping?: EarlyCall,
): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first: number | null = null
  let last = 0
  /** Since when there is something to keep. */
  let since: number | null = null
  const end = () => {
    clearTimeout(timer)
    timer = undefined
    first = null
    since = null
  }
  const now = () => {
    const at = performance.now()
    const letters = first === null ? { from: at, to: at } : { from: first, to: last }
    end()
    act(letters)
  }
  const keptAt = (from: number) =>
    Math.min(last + (keeping?.pauseMs ?? pauseMs), from + MAX_WAIT_MS)
  const wait = (from: number) => {
    const next = since === null ? last + pauseMs : keptAt(since)
    clearTimeout(timer)
    timer = setTimeout(look, Math.max(0, next - from))
  }
  // Timers are not set anew with each letter: that alone cost a tenth of it.
  const look = () => {
    const at = performance.now()
    if (at >= last + pauseMs) return now()
    if (since !== null && at >= keptAt(since)) {
      if (keeping === undefined) return now()
      since = null
      keeping.keep()
    }
    wait(at)
  }
  const soon = () => {
    last = performance.now()
    first ??= last
    if (since !== null) return
    since = last
    wait(last)
  }
  return { schedule: soon, flush: now, cancel: end }
}
