// Multi-line text field that grows with its content.

import { ariaOf, type ControlProps, emptyWith, FieldShell } from './field-shell'
import styles from './fields.module.css'

type LinesFieldProps = ControlProps & {
  max: number
  onPaste?: ((event: ClipboardEvent) => void) | undefined
}

export function TextareaField(props: LinesFieldProps) {
  const { id, value, onChange, placeholder, max, onPaste } = props
  return (
    <FieldShell control={props}>
      <textarea
        id={id}
        name={id}
        className={`${styles.input} ${sizeOf(max)}`}
        value={value}
        lang="it"
        spellcheck
        {...emptyWith(placeholder)}
        {...ariaOf(props)}
        onInput={(event) => onChange(event.currentTarget.value)}
        {...(onPaste === undefined ? {} : { onPaste })}
      />
    </FieldShell>
  )
}

/** Initial size class for a typical text of this limit. */
function sizeOf(max: number): string {
  if (max > 5_000) return styles.tall ?? ''
  return max > 1_000 ? (styles.long ?? '') : ''
}
