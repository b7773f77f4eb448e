// A place that is found again once the entries around it were moved, or somebody took its own out.

import type { FieldValue, ObjectValue } from '../api/content-api'
import { idOf } from './draft-diff'
import { equal, formatPath, isList, parsePath, stepInto } from './field-path'

/** Where the place of `value` is in what stands later; null once it is gone. */
export function trackFieldPath(
  value: ObjectValue,
  path: string,
): (now: ObjectValue) => string | null {
  return (now) => {
    let [was, is]: readonly [FieldValue | undefined, FieldValue | undefined] = [value, now]
    const found: (string | number)[] = []
    for (const step of parsePath(path)) {
      const to: string | number | null = typeof step === 'number' ? indexNow(was, is, step) : step
      if (to === null) return null
      found.push(to)
      ;[was, is] = [stepInto(was, step), stepInto(is, to)]
    }
    return formatPath(found)
  }
}

/** A new entry has no id yet: it is known by its words or, while they are typed, by where it stands. */
function indexNow(
  was: FieldValue | undefined,
  is: FieldValue | undefined,
  index: number,
): number | null {
  if (!isList(was) || !isList(is)) return null
  const entry = was[index] ?? null
  const id = idOf(entry)
  const found = is.findIndex((one) => (id === null ? equal(one, entry) : idOf(one) === id))
  if (found >= 0) return found
  const there = is[index]
  return id === null && there !== undefined && idOf(there) === null ? index : null
}
