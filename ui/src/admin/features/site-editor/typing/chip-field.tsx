// A text with chips in it: the words around them are typed, a chip is taken out as one character.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import type { TypingSpan } from '../../../hooks/debounce'
import { ariaOf, type ControlProps, FieldShell } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import type { Word } from '../api/content-api'
import styles from '../form/form.module.css'
import { wording } from '../messages'
import { equal } from '../model/field-path'
import { type Known, nodesOf, settingsIn, shownText, wordOf } from '../model/rich-value'
import { useHeldLetters } from './held-letters'

type ChipFieldProps = ControlProps & {
  word: Word
  known: Known
  onWord: (word: Word, typed: string, letters: TypingSpan) => void
  onLetter: (word: Word) => void
  onUnpaused: (word: Word) => void
}

export function ChipField({ known, ...control }: ChipFieldProps) {
  const [word, type] = useHeldLetters(control)
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ readonly word: Word; readonly known: Known } | null>(null)
  // With each drawing: letters are not drawn while they are held, so that a step back over them brings the very
  // words of the drawing before.
  useLayoutEffect(() => {
    if (box.current === null) return
    const { word: former, known: knownThen } = drawn.current ?? {}
    // Between her letters what chips stand for waits.
    const stands = knownThen === known || box.current === document.activeElement
    if (equal(former, word) && stands) return
    drawn.current = { word, known }
    box.current.replaceChildren(...nodesOf(document, word, known))
  })
  const names = settingsIn(word).map((name) => known.settingLabels[name] ?? name)
  const help = names.map((name) => fill(wording.field.setting, { name })).join(' · ')
  const shell = { ...control, value: shownText(word, known), ...(help === '' ? {} : { help }) }
  return (
    <FieldShell control={shell}>
      {/* biome-ignore lint/a11y/useSemanticElements: a text area holds no chips */}
      <div
        ref={box}
        id={control.id}
        className={`${fields.input} ${styles.chips}`}
        contentEditable="plaintext-only"
        role="textbox"
        aria-multiline="true"
        aria-label={control.label}
        tabIndex={0}
        {...ariaOf(shell)}
        onInput={(event) => {
          const next = wordOf(event.currentTarget, word)
          drawn.current = { word: next, known: drawn.current?.known ?? known }
          type(next, '')
        }}
      />
    </FieldShell>
  )
}
