// Rich text in the form: the same editor as on the page. Its place is there before the editor is:
// what was chosen on the page is found, opened and focused.
import { useEffect, useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import type { TypingSpan } from '../../../hooks/debounce'
import { ariaOf, type ControlProps, FieldShell } from '../../../ui/fields/field-shell'
import fields from '../../../ui/fields/fields.module.css'
import { RichTextLoadError } from '../../../ui/fields/rich-text-load-error'
import type { FieldValue } from '../api/content-api'
import styles from '../form/form.module.css'
import { wording } from '../messages'
import { type ChipContext, settingsIn, shownText } from '../model/rich-value'
import type { LiveWords } from './rich-view'

type RichWordFieldProps = ControlProps & {
  word: FieldValue
  known: ChipContext
  onWord: (word: FieldValue, typed: string, letters: TypingSpan) => void
  /** The page shows it. */
  onLetter: (word: FieldValue) => void
  onUnpaused: (word: FieldValue) => void
}

export function RichWordField(props: RichWordFieldProps) {
  const { word, known, ...control } = props
  const box = useRef<HTMLDivElement>(null)
  const live = useRef<LiveWords | 'loading' | null>(null)
  const [failed, setFailed] = useState(false)
  const names = settingsIn(word).map((name) => known.settingLabels[name] ?? name)
  const help = [...new Set(names)].map((name) => fill(wording.field.setting, { name })).join(' · ')
  const shell = { ...control, value: shownText(word, known), ...(help === '' ? {} : { help }) }
  const latest = useRef(props)
  latest.current = props

  const start = () => {
    if (live.current !== null) return
    live.current = 'loading'
    setFailed(false)
    import('./rich-view').then(
      ({ liveWords }) => {
        const element = box.current
        if (element === null) return
        live.current = liveWords(element, {
          word: latest.current.word,
          known: latest.current.known,
          editable: true,
          onWord: (...typed) => latest.current.onWord(...typed),
          onUnpaused: (next) => {
            latest.current.onLetter(next)
            latest.current.onUnpaused(next)
          },
        })
        // It had the focus before it was one to type in.
        if (element === document.activeElement) live.current.focus('end')
      },
      () => {
        live.current = null
        setFailed(true)
      },
    )
  }
  const end = () => {
    if (live.current !== null && live.current !== 'loading') live.current.destroy()
  }
  useEffect(() => {
    const element = box.current
    if (element === null) return undefined
    // Of a long page few are looked at: the others wait in entries that are closed.
    const watch = new IntersectionObserver((seen) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) start()
    })
    watch.observe(element)
    return () => {
      watch.disconnect()
      end()
    }
  }, [])
  useEffect(() => {
    if (live.current !== null && live.current !== 'loading') live.current.set(word, known)
  }, [word, known])

  return (
    <FieldShell control={shell}>
      {/* biome-ignore lint/a11y/useSemanticElements: a text area holds no paragraphs */}
      <div
        ref={box}
        id={control.id}
        className={`${fields.input} ${styles.chips} ${styles.rich}`}
        role="textbox"
        aria-multiline="true"
        aria-label={control.label}
        tabIndex={0}
        {...ariaOf(shell)}
        onFocus={start}
      />
      {failed ? <RichTextLoadError onRetry={start} /> : null}
    </FieldShell>
  )
}
