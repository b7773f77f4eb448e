// Debounces the input of a plain text field: each flush re-renders the whole panel. The page follows each change.
import { useEffect, useRef, useState } from 'preact/hooks'
import { debounceWithMaxWait, type TypingSpan } from '../../../hooks/debounce'
import {
  FLUSH_DELAY_MS,
  PERSIST_DELAY_MS,
  persistDrafts,
  registerPending,
  unregisterPending,
} from '../model/pages-store'
import { SENTENCE_END } from '../model/undo-history'

type TextField = {
  readonly value: string
  readonly onFlush: (text: string, span: TypingSpan) => void
  /** Called with each change. */
  readonly onInput: (text: string) => void
  /** Called in shorter pauses, to store the text on the device until `onFlush` follows. */
  readonly onPending: (text: string) => void
}

/** Returns what the field shows, and the function that takes its input. */
export function useDebouncedText(field: TextField): readonly [string, (text: string) => void] {
  const latest = useRef(field)
  latest.current = field
  const pending = useRef<string | null>(null)
  const [shown, show] = useState<string | null>(null)
  const [pauses] = useState(() => {
    const own = debounceWithMaxWait(
      (span) => {
        unregisterPending(own.flush)
        const text = pending.current
        pending.current = null
        show(null)
        if (text !== null && text !== latest.current.value) latest.current.onFlush(text, span)
        persistDrafts()
      },
      FLUSH_DELAY_MS,
      {
        keep: () => {
          if (pending.current !== null) latest.current.onPending(pending.current)
        },
        pauseMs: PERSIST_DELAY_MS,
      },
    )
    return own
  })
  // The sheet may be closed before the pause.
  useEffect(
    () => () => {
      if (pending.current !== null) pauses.flush()
    },
    [pauses],
  )
  const onInput = (text: string) => {
    pending.current = text
    show(text)
    latest.current.onInput(text)
    registerPending(pauses.flush)
    pauses.schedule()
    if (SENTENCE_END.test(text)) pauses.flush()
  }
  return [shown ?? field.value, onInput]
}
