// What is typed is worked on in its pauses, not with each letter.

/** Who types without a pause is not left unkept. */
const UNKEPT_MS = 3_000

type Pauses = {
  /** After each letter. */
  readonly soon: () => void
  /** Where the work cannot wait. */
  readonly now: () => void
  /** There is nothing left to do. */
  readonly end: () => void
}

/** `keep` is what cannot wait for a pause that does not come: where it is not given, all of it. */
export function inPauses(act: () => void, pauseMs: number, keep?: () => void): Pauses {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: number | null = null
  let last = 0
  const end = () => {
    clearTimeout(timer)
    timer = undefined
    since = null
  }
  const now = () => {
    end()
    act()
  }
  const wait = (from: number) => {
    const unkept = (since ?? from) + UNKEPT_MS
    timer = setTimeout(look, Math.max(0, Math.min(last + pauseMs, unkept) - from))
  }
  // Timers are not set anew with each letter: that alone cost a tenth of it.
  const look = () => {
    const at = performance.now()
    if (at >= last + pauseMs) return now()
    if (since !== null && at >= since + UNKEPT_MS) {
      if (keep === undefined) return now()
      since = at
      keep()
    }
    wait(at)
  }
  const soon = () => {
    last = performance.now()
    since ??= last
    if (timer === undefined) wait(last)
  }
  return { soon, now, end }
}
