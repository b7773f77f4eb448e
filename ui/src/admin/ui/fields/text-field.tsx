// Single-line text field: names, URLs, e-mail addresses, telephone numbers.

import { ariaOf, type ControlProps, emptyWith, FieldShell } from './field-shell'
import styles from './fields.module.css'

/** Objects, because the type of an input's attributes depends on `type`. */
const TYPES = {
  text: { type: 'text' },
  url: { type: 'url', autoCapitalize: 'none', autoCorrect: 'off' },
  email: { type: 'email', autoCapitalize: 'none', autoCorrect: 'off' },
  tel: { type: 'tel' },
  'datetime-local': { type: 'datetime-local' },
  date: { type: 'date' },
  time: { type: 'time' },
} as const

type TextFieldProps = ControlProps & {
  type?: keyof typeof TYPES
  autoComplete?: string
  numeric?: boolean
  /** Whether the value is an amount, an address or the like, which has no spelling. */
  isCode?: boolean
  /** Keyboard of a phone. */
  inputMode?: 'url' | 'email'
  onFocus?: () => void
  onBlur?: () => void
}

export function TextField(props: TextFieldProps) {
  const { id, value, onChange, placeholder, type = 'text', numeric = false } = props
  const isText = type === 'text' && !numeric && props.isCode !== true
  return (
    <FieldShell control={props}>
      <div className={styles.line}>
        <input
          id={id}
          name={id}
          className={styles.input}
          data-empty={value === ''}
          {...TYPES[type]}
          value={value}
          {...emptyWith(placeholder)}
          autoComplete={props.autoComplete ?? 'off'}
          {...(numeric ? { inputMode: 'numeric' as const } : {})}
          {...(props.inputMode === undefined ? {} : { inputMode: props.inputMode })}
          {...(isText ? { lang: 'it', spellcheck: true } : { spellcheck: false })}
          {...(props.isCode === true ? { autoCapitalize: 'none', autoCorrect: 'off' } : {})}
          {...ariaOf(props)}
          onInput={(event) => onChange(event.currentTarget.value)}
          {...(props.onFocus === undefined ? {} : { onFocus: props.onFocus })}
          {...(props.onBlur === undefined ? {} : { onBlur: props.onBlur })}
        />
        {props.end}
      </div>
    </FieldShell>
  )
}
