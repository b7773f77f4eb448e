// A text in the form that has formatting or chips, with the same editor as on the page.
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import type { TypingSpan } from '../../../hooks/debounce'
import type { TextKind } from '../../../rich-text/schema'
import { ariaOf, type ControlProps, FieldShell } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import type { FieldValue } from '../api/content-api'
import styles from '../form/form.module.css'
import { wording } from '../messages'
import { type ChipContext, settingsIn, shownText } from '../model/rich-value'
import { fieldCodec } from './field-codec'
import { editField, type FieldEditor } from './field-editor'

type TextEditorFieldProps = ControlProps & {
  kind: TextKind
  word: FieldValue
  known: ChipContext
  onWord: (word: FieldValue, typed: string | null, span?: TypingSpan) => void
  /** The page shows it. */
  onLetter: (word: FieldValue) => void
  onUnpaused: (word: FieldValue) => void
}

export function TextEditorField(props: TextEditorFieldProps) {
  const { kind, word, known, ...control } = props
  const box = useRef<HTMLDivElement>(null)
  const editor = useRef<FieldEditor | null>(null)
  const names = settingsIn(word).map((name) => known.settingLabels[name] ?? name)
  const help = [...new Set(names)].map((name) => fill(wording.field.setting, { name })).join(' · ')
  const shell = { ...control, value: shownText(word, known), ...(help === '' ? {} : { help }) }
  const latest = useRef(props)
  latest.current = props

  const start = () => {
    const element = box.current
    if (element === null || editor.current !== null) return
    const { word: value, known: context } = latest.current
    editor.current = editField(element, {
      codec: fieldCodec(kind, context),
      value,
      rendered: null,
      onValue: (...typed) => latest.current.onWord(...typed),
      onPending: (next) => {
        latest.current.onLetter(next)
        latest.current.onUnpaused(next)
      },
      // Markdown is not written with each keystroke: the page follows in short pauses.
      ...(kind === 'rich' ? {} : { onInput: (next) => latest.current.onLetter(next) }),
    })
    if (element === document.activeElement) editor.current.focus('end')
  }
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    // Most fields of a long page are in closed entries.
    const watch = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) start()
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      editor.current?.destroy()
    }
  }, [])
  // Before the next key: after an undo 'select all' selected the former text.
  useLayoutEffect(() => editor.current?.set(word, known), [word, known])

  return (
    <FieldShell control={shell}>
      {/* biome-ignore lint/a11y/useSemanticElements: a text area holds no paragraphs */}
      <div
        ref={box}
        id={control.id}
        className={`${fields.input} ${styles.chips} ${styles.rich}`}
        // Before its editor is created: phones open the keyboard for a tap on an editable element only.
        contentEditable
        role="textbox"
        {...(kind === 'line' ? {} : { 'aria-multiline': 'true' as const })}
        aria-label={control.label}
        tabIndex={0}
        {...ariaOf(shell)}
        onFocus={start}
      />
    </FieldShell>
  )
}
