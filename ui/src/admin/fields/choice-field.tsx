// One of a few words, or none.

import styles from './fields.module.css'
import { ariaOf, type ControlProps, Shell } from './shell'

export function ChoiceField(props: ControlProps & { choices: readonly string[] }) {
  const { id, value, onChange, choices } = props
  return (
    <Shell control={props}>
      <select
        id={id}
        name={id}
        className={styles.input}
        value={value}
        {...ariaOf(props)}
        onChange={(event) => onChange(event.currentTarget.value)}
      >
        <option value="">Nessuna</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </select>
    </Shell>
  )
}
