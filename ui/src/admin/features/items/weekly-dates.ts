// The dates on which an event happens again, one week after the other.

import { addDays, type Span } from './italian-dates'

/** Dates of one repetition: more, and a mistyped year would fill the list. */
export const REPETITIONS_MAX = 52

/** The dates of the event moved by one week, two weeks …, each while its first day is not after `until`. */
export function weeklyDates(spans: readonly Span[], until: string): readonly (readonly Span[])[] {
  const first = spans[0]?.first
  if (first === undefined) return []
  const weeks: Span[][] = []
  for (let week = 1; week <= REPETITIONS_MAX; week += 1) {
    if (addDays(first, week * 7) > until) break
    weeks.push(
      spans.map((span) => ({
        first: addDays(span.first, week * 7),
        last: addDays(span.last, week * 7),
      })),
    )
  }
  return weeks
}
