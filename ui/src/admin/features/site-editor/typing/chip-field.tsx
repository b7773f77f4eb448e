// A text with chips in it: the words around them are typed, a chip is taken out as one character.
import { useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import type { TypingSpan } from '../../../hooks/debounce'
import { ariaOf, type ControlProps, FieldShell } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import type { FieldValue } from '../api/content-api'
import styles from '../form/form.module.css'
import { wording } from '../messages'
import { equal } from '../model/field-path'
import { type ChipContext, fromDom, settingsIn, shownText, toDomNodes } from '../model/rich-value'
import { useHeldLetters } from './held-letters'

type ChipFieldProps = ControlProps & {
  word: FieldValue
  known: ChipContext
  onWord: (word: FieldValue, typed: string, letters: TypingSpan) => void
  onLetter: (word: FieldValue) => void
  onUnpaused: (word: FieldValue) => void
}

export function ChipField({ known, ...control }: ChipFieldProps) {
  const [word, type] = useHeldLetters(control)
  const box = useRef<HTMLDivElement>(null)
  const drawn = useRef<{ readonly word: FieldValue; readonly known: ChipContext } | null>(null)
  // With each drawing: letters are not drawn while they are held, so that a step back over them brings the very
  // words of the drawing before.
  useLayoutEffect(() => {
    if (box.current === null) return
    const { word: former, known: knownThen } = drawn.current ?? {}
    // Between her letters what chips stand for waits.
    const stands = knownThen === known || box.current === document.activeElement
    if (equal(former, word) && stands) return
    drawn.current = { word, known }
    box.current.replaceChildren(...toDomNodes(document, word, known))
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
          const next = fromDom(event.currentTarget, word)
          drawn.current = { word: next, known: drawn.current?.known ?? known }
          type(next, '')
        }}
      />
    </FieldShell>
  )
}
