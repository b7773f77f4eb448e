// Switch that takes effect at once, and checkbox.
import { useId } from 'preact/hooks'
import hidden from '../../../primitives/hidden.module.css'
import styles from './fields.module.css'

type SwitchProps = {
  label: string
  checked: boolean
  onChange: (checked: boolean) => void
  /** Shows the label to screen readers only. */
  bare?: boolean
  disabled?: boolean
  help?: string | undefined
}

export function Switch(props: SwitchProps) {
  const { label, checked, onChange, bare = false, disabled = false, help } = props
  const hint = useId()
  const control = (
    <label className={styles.switch}>
      <input
        type="checkbox"
        // biome-ignore lint/a11y/useAriaPropsForRole: `checked` is the state; ARIA in HTML forbids aria-checked beside it
        role="switch"
        checked={checked}
        disabled={disabled}
        {...(help === undefined ? {} : { 'aria-describedby': hint })}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={bare ? hidden.hidden : ''}>{label}</span>
    </label>
  )
  if (help === undefined) return control
  // Wrap the switch and its hint: a form with two columns would put the hint into the next cell.
  return (
    <div>
      {control}
      <p className={styles.hint} id={hint}>
        {help}
      </p>
    </div>
  )
}

export function Check({ label, checked, onChange, disabled = false }: SwitchProps) {
  return (
    <label className={styles.check}>
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span>{label}</span>
    </label>
  )
}
