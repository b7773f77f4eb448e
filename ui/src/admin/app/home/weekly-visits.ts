// The present week of the visit statistics, beside the one before.

type Part = { readonly from: string; readonly visitors: number }

export type Week = {
  readonly days: readonly {
    readonly day: string
    /** Null after today. */
    readonly count: number | null
    readonly before: number
    readonly isToday: boolean
  }[]
  /** Visitors since Monday. */
  readonly sum: number
  /** Difference of the whole days since Monday to the same days before; null on a Monday. */
  readonly change: number | null
}

const DAY_MS = 86_400_000

/** `parts` are the days of the report, `today` is a day in Rome, `2026-11-27`. */
export function weekOf(parts: readonly Part[], today: string): Week {
  const counts = new Map(parts.map(({ from, visitors }) => [from, visitors]))
  const now = Date.parse(`${today}T00:00:00Z`)
  const passed = (new Date(now).getUTCDay() + 6) % 7
  const dayAt = (offset: number) => new Date(now + offset * DAY_MS).toISOString().slice(0, 10)
  const days = Array.from({ length: 7 }, (_, index) => {
    const day = dayAt(index - passed)
    return {
      day,
      count: index > passed ? null : (counts.get(day) ?? 0),
      before: counts.get(dayAt(index - passed - 7)) ?? 0,
      isToday: index === passed,
    }
  })
  const whole = days.slice(0, passed)
  const change = whole.reduce((sum, { count, before }) => sum + (count ?? 0) - before, 0)
  return {
    days,
    sum: days.reduce((sum, { count }) => sum + (count ?? 0), 0),
    change: passed === 0 ? null : change,
  }
}
