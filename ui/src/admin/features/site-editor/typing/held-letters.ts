// A field of the form holds its letters, and hands them on in pauses: with each hand-over the whole
// panel is drawn. The page follows each letter, written into its own elements.
import { useEffect, useReducer, useRef, useState } from 'preact/hooks'
import { NEAR_SHARE } from '../../../../lib/text-length'
import { debounceWithMaxWait, type TypingSpan } from '../../../hooks/debounce'
import type { FieldValue } from '../api/content-api'
import { equal } from '../model/field-path'
import {
  FLUSH_DELAY_MS,
  PERSIST_DELAY_MS,
  persistDrafts,
  registerPending,
  unregisterPending,
} from '../model/pages-store'
import { SENTENCE_END } from '../model/undo-history'

type Holding = {
  readonly word: FieldValue
  /** The length that the field counts up to. */
  readonly max?: number | undefined
  readonly onWord: (word: FieldValue, typed: string, letters: TypingSpan) => void
  /** With each letter: the page shows it. */
  readonly onLetter: (word: FieldValue) => void
  /** To be kept: it is handed on in a longer pause. */
  readonly onUnpaused: (word: FieldValue) => void
}

type Held = { readonly word: FieldValue; readonly typed: string }

/** The number of letters, and that they are too many, are drawn in their pauses too. */
const DRAWN_MS = 250

/** What the field shows, and what takes each letter: `typed` is the text as it stands after it. */
export function useHeldLetters(
  holding: Holding,
): readonly [FieldValue, (word: FieldValue, typed: string) => void] {
  const latest = useRef(holding)
  latest.current = holding
  const held = useRef<Held | null>(null)
  const drawing = useLateDrawing(() =>
    isCounted(held.current?.word ?? latest.current.word, latest.current.max),
  )
  const hold = (next: Held | null) => {
    held.current = next
    if (next === null) drawing.flush()
    else drawing.soon()
  }
  const [pauses] = useState(() => {
    const own = debounceWithMaxWait(
      (letters) => {
        unregisterPending(own.flush)
        const last = held.current
        hold(null)
        if (last !== null && !equal(last.word, latest.current.word)) {
          latest.current.onWord(last.word, last.typed, letters)
        }
        persistDrafts()
      },
      FLUSH_DELAY_MS,
      {
        keep: () => {
          if (held.current !== null) latest.current.onUnpaused(held.current.word)
        },
        pauseMs: PERSIST_DELAY_MS,
      },
    )
    return own
  })
  // The sheet may be closed between a letter and its pause.
  useEffect(
    () => () => {
      if (held.current !== null) pauses.flush()
    },
    [pauses],
  )
  const onLetter = (word: FieldValue, typed: string) => {
    hold({ word, typed })
    latest.current.onLetter(word)
    registerPending(pauses.flush)
    pauses.schedule()
    if (SENTENCE_END.test(typed)) pauses.flush()
  }
  return [held.current === null ? holding.word : held.current.word, onLetter]
}

/**
 * The field shows its letters by itself. With each of them all around it was drawn too, to say the same
 * where it has nothing to say of their number.
 */
function useLateDrawing(says: () => boolean) {
  const [, draw] = useReducer<number, void>((turn) => turn + 1, 0)
  const latest = useRef(says)
  latest.current = says
  const [drawing] = useState(() => {
    let said = false
    const pauses = debounceWithMaxWait(() => {
      said = latest.current()
      draw()
    }, DRAWN_MS)
    const soon = () => {
      if (said || latest.current()) pauses.schedule()
    }
    return { ...pauses, soon }
  })
  useEffect(() => drawing.cancel, [drawing])
  return drawing
}

/** What is no plain text is counted as it is shown. */
function isCounted(word: FieldValue, max: number | undefined): boolean {
  return max !== undefined && (typeof word !== 'string' || word.length > max * NEAR_SHARE)
}
