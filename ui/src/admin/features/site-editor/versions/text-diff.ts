// Word diff of two texts: what a restore brings back, and what it removes.
import { diffWordsWithSpace } from 'diff'

export type Piece = { readonly text: string; readonly kind: 'same' | 'added' | 'removed' }

/** Characters; longer texts are compared as a whole, because a thousand marks are unreadable. */
const LENGTH_MAX = 20_000

export function pieces(now: string, then: string): readonly Piece[] {
  if (now.length + then.length > LENGTH_MAX) return wholes(now, then)
  return runs(
    diffWordsWithSpace(now, then).map(({ value, added, removed }) => ({
      text: value,
      kind: added ? 'added' : removed ? 'removed' : 'same',
    })),
  )
}

/** Joins alternating removed and added words to one removed and one added piece. */
function runs(all: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = []
  let [gone, come] = ['', '']
  const end = () => {
    if (gone !== '') joined.push({ text: gone, kind: 'removed' })
    if (come !== '') joined.push({ text: come, kind: 'added' })
    gone = ''
    come = ''
  }
  for (const [index, { text, kind }] of all.entries()) {
    const isBetween = gone + come !== '' && index < all.length - 1
    const isJoined = kind === 'same' && isBetween && !holdsApart(text)
    if (kind === 'same' && !isJoined) {
      end()
      joined.push({ text, kind })
    }
    if (kind === 'removed' || isJoined) gone += text
    if (kind === 'added' || isJoined) come += text
  }
  end()
  return joined
}

const SHORT_WORD_MAX = 5
const WORDS = /[\p{L}\p{N}]+/gu

/**
 * Whether an unchanged text separates two changes. A blank, or a short word that two sentences share by
 * chance, does not; the end of a sentence or of a paragraph does.
 */
function holdsApart(text: string): boolean {
  const words = text.match(WORDS) ?? []
  if (words.length > 1 || /\n|[.!?…]\s/.test(text)) return true
  return words.some((word) => word.length > SHORT_WORD_MAX)
}

export function wholes(now: string, then: string): readonly Piece[] {
  if (now === then) return now === '' ? [] : [{ text: now, kind: 'same' }]
  const both: readonly Piece[] = [
    { text: now, kind: 'removed' },
    { text: then, kind: 'added' },
  ]
  return both.filter(({ text }) => text !== '')
}
