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

export function inPauses(act: () => void, pauseMs: number): Pauses {
  let timer: ReturnType<typeof setTimeout> | undefined
  let since: number | null = null
  const end = () => {
    clearTimeout(timer)
    since = null
  }
  const now = () => {
    end()
    act()
  }
  const soon = () => {
    const at = performance.now()
    since ??= at
    clearTimeout(timer)
    timer = setTimeout(now, Math.min(pauseMs, Math.max(0, since + UNKEPT_MS - at)))
  }
  return { soon, now, end }
}
