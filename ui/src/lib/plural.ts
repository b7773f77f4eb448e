// Chooses between singular and plural, for every count that a sentence contains.
import { fill } from './interpolate'

/**
 * Returns `one` for 1 and `other` for every number else, with `{n}` filled in; `none` replaces it
 * for 0. Italian has no further forms: 21 takes the plural.
 */
export function counted(n: number, one: string, other: string, none = other): string {
  return fill(n === 0 ? none : n === 1 ? one : other, { n })
}
