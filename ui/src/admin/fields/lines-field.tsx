// Several lines of text; it grows with what is typed.

import styles from './fields.module.css'
import { ariaOf, type ControlProps, Shell } from './shell'

export function LinesField(props: ControlProps & { max: number }) {
  const { id, value, onChange, placeholder = '', max } = props
  return (
    <Shell control={props}>
      <textarea
        id={id}
        name={id}
        className={`${styles.input} ${sizeOf(max)}`}
        value={value}
        placeholder={placeholder}
        {...ariaOf(props)}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </Shell>
  )
}

/** A box as large as what is usually written in it. */
function sizeOf(max: number): string {
  if (max > 5_000) return styles.tall ?? ''
  return max > 1_000 ? (styles.long ?? '') : ''
}
