// A field of the form holds its letters, and hands them on in pauses: with each hand-over the whole
// panel is drawn. The page follows each letter, written into its own elements.
import { useEffect, useRef, useState } from 'preact/hooks'
import { inPauses, type Letters } from '../in-pauses'
import type { Word } from './contract'
import { SENTENCE_END } from './history'
import { AHEAD_MS, HAND_MS, handed, keepNow, toHand } from './pages-store'
import { equal } from './value'

type Holding = {
  readonly word: Word
  readonly onWord: (word: Word, typed: string, letters: Letters) => void
  /** With each letter: the page shows it. */
  readonly onLetter: (word: Word) => void
  /** To be kept: it is handed on in a longer pause. */
  readonly onUnpaused: (word: Word) => void
}

type Held = { readonly word: Word; readonly typed: string }

/** What the field shows, and what takes each letter: `typed` is the text as it stands after it. */
export function useHeldLetters(
  holding: Holding,
): readonly [Word, (word: Word, typed: string) => void] {
  const latest = useRef(holding)
  latest.current = holding
  const held = useRef<Held | null>(null)
  const [, drawAgain] = useState<Held | null>(null)
  const hold = (next: Held | null) => {
    held.current = next
    drawAgain(next)
  }
  const [pauses] = useState(() => {
    const own = inPauses(
      (letters) => {
        handed(own.now)
        const last = held.current
        hold(null)
        if (last !== null && !equal(last.word, latest.current.word)) {
          latest.current.onWord(last.word, last.typed, letters)
        }
        keepNow()
      },
      HAND_MS,
      {
        keep: () => {
          if (held.current !== null) latest.current.onUnpaused(held.current.word)
        },
        pauseMs: AHEAD_MS,
      },
    )
    return own
  })
  // The sheet may be closed between a letter and its pause.
  useEffect(
    () => () => {
      if (held.current !== null) pauses.now()
    },
    [pauses],
  )
  const onLetter = (word: Word, typed: string) => {
    hold({ word, typed })
    latest.current.onLetter(word)
    toHand(pauses.now)
    pauses.soon()
    if (SENTENCE_END.test(typed)) pauses.now()
  }
  return [held.current === null ? holding.word : held.current.word, onLetter]
}
