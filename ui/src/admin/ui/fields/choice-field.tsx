// Select field.

import { ariaOf, type ControlProps, FieldShell } from './field-shell'
import styles from './fields.module.css'

export type Choice = { readonly value: string; readonly label: string }

export function ChoiceField(props: ControlProps & { choices: readonly Choice[] }) {
  const { id, value, onChange, choices } = props
  return (
    <FieldShell control={props}>
      <select
        id={id}
        name={id}
        className={styles.input}
        value={value}
        {...ariaOf(props)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.label}
          </option>
        ))}
      </select>
    </FieldShell>
  )
}
