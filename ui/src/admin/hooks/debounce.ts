// Debounces work that follows keystrokes, with an upper bound for input without a pause.

/** Upper bound between two calls while keystrokes keep coming. */
const MAX_WAIT_MS = 3_000

type Debounced = {
  /** After each keystroke. */
  readonly schedule: () => void
  /** Calls at once, for example before the page is hidden. */
  readonly flush: () => void
  /** Drops the pending call. */
  readonly cancel: () => void
}

/** Times of the first and the last keystroke that a call covers, from `performance.now()`. */
export type TypingSpan = { readonly from: number; readonly to: number }

/**
 * A cheaper call, such as persisting a draft, after a shorter pause and at least every
 * `MAX_WAIT_MS`.
 */
type EarlyCall = { readonly keep: () => void; readonly pauseMs: number }

/** Without `early`, `act` itself runs every `MAX_WAIT_MS` while there is no pause. */
export function debounceWithMaxWait(
  act: (span: TypingSpan) => void,
  pauseMs: number,
  early?: EarlyCall,
): Debounced {
  let timer: ReturnType<typeof setTimeout> | undefined
  let first: number | null = null
  let last = 0
  /** Time of the first keystroke since the last call of either kind. */
  let since: number | null = null
  const cancel = () => {
    clearTimeout(timer)
    timer = undefined
    first = null
    since = null
  }
  const flush = () => {
    const at = performance.now()
    const span = first === null ? { from: at, to: at } : { from: first, to: last }
    cancel()
    act(span)
  }
  const earlyAt = (from: number) => Math.min(last + (early?.pauseMs ?? pauseMs), from + MAX_WAIT_MS)
  const wait = (from: number) => {
    const next = since === null ? last + pauseMs : earlyAt(since)
    clearTimeout(timer)
    timer = setTimeout(look, Math.max(0, next - from))
  }
  // One timer looks at `last`: a new timer for each keystroke cost a tenth of the keystroke's time.
  const look = () => {
    const at = performance.now()
    if (at >= last + pauseMs) return flush()
    if (since !== null && at >= earlyAt(since)) {
      if (early === undefined) return flush()
      since = null
      early.keep()
    }
    wait(at)
  }
  const schedule = () => {
    last = performance.now()
    first ??= last
    if (since !== null) return
    since = last
    wait(last)
  }
  return { schedule, flush, cancel }
}
