// The text of an article: plain Markdown, with buttons for who does not know it.

import { Bold, Heading2, type IconNode, Italic, Link, List, ListOrdered, Quote } from 'lucide'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { applyMark, type Mark } from '../markdown-edit'
import { IconButton } from '../parts/button'
import fields from './fields.module.css'
import styles from './markdown.module.css'
import { ariaOf, type ControlProps, Shell } from './shell'

const MARKS: readonly { mark: Mark; label: string; icon: IconNode }[] = [
  { mark: 'heading', label: 'Titolo di sezione', icon: Heading2 },
  { mark: 'bold', label: 'Grassetto', icon: Bold },
  { mark: 'italic', label: 'Corsivo', icon: Italic },
  { mark: 'link', label: 'Link', icon: Link },
  { mark: 'list', label: 'Elenco', icon: List },
  { mark: 'numbers', label: 'Elenco numerato', icon: ListOrdered },
  { mark: 'quote', label: 'Citazione', icon: Quote },
]

export function MarkdownField(props: ControlProps & { max: number }) {
  const { id, value, onChange, placeholder = '' } = props
  const area = useRef<HTMLTextAreaElement>(null)
  const selection = useRef<{ start: number; end: number } | null>(null)

  // The new selection can be set only after the new text is in the field.
  useLayoutEffect(() => {
    if (selection.current === null) return
    const { start, end } = selection.current
    selection.current = null
    area.current?.focus()
    area.current?.setSelectionRange(start, end)
  }, [value])

  const press = (mark: Mark) => {
    const field = area.current
    if (field === null) return
    const { selectionStart: start, selectionEnd: end } = field
    const result = applyMark({ text: value, start, end }, mark)
    selection.current = { start: result.start, end: result.end }
    onChange(result.text)
  }

  return (
    <Shell control={props}>
      <div className={styles.box}>
        <div
          className={styles.bar}
          role="toolbar"
          aria-label="Formato del testo"
          aria-controls={id}
        >
          {MARKS.map(({ mark, label, icon }) => (
            <IconButton key={mark} label={label} icon={icon} onClick={() => press(mark)} />
          ))}
        </div>
        <textarea
          ref={area}
          id={id}
          name={id}
          className={`${fields.input} ${fields.tall} ${styles.text}`}
          value={value}
          placeholder={placeholder}
          {...ariaOf(props)}
          onInput={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (!event.ctrlKey && !event.metaKey) return
            const mark = { b: 'bold', i: 'italic', k: 'link' }[event.key.toLowerCase()]
            if (mark !== 'bold' && mark !== 'italic' && mark !== 'link') return
            event.preventDefault()
            press(mark)
          }}
        />
      </div>
    </Shell>
  )
}
