// Finds a field again after the entries around it have been moved, added or removed.

import type { FieldValue, ObjectValue } from '../api/content-api'
import { idOf } from './draft-diff'
import { equal, formatPath, isList, parsePath, stepInto } from './field-path'

/** Returns a function that maps a later value to the field's path there, or null once it is gone. */
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

/** A new entry has no id yet: it is matched by its content or, while that is being typed, by its index. */
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
