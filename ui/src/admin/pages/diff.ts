// Two texts word by word: what would come back, and what would go away.
import { diffWordsWithSpace } from 'diff'

export type Piece = { readonly text: string; readonly kind: 'same' | 'added' | 'removed' }

/** Longer texts are compared as wholes: nobody reads a thousand marks. */
const LENGTH_MAX = 20_000

export function pieces(now: string, then: string): readonly Piece[] {
  if (now.length + then.length > LENGTH_MAX) return wholes(now, then)
  return diffWordsWithSpace(now, then).map(({ value, added, removed }) => ({
    text: value,
    kind: added ? 'added' : removed ? 'removed' : 'same',
  }))
}

export function wholes(now: string, then: string): readonly Piece[] {
  if (now === then) return now === '' ? [] : [{ text: now, kind: 'same' }]
  const both: readonly Piece[] = [
    { text: now, kind: 'removed' },
    { text: then, kind: 'added' },
  ]
  return both.filter(({ text }) => text !== '')
}
