// Password field with a show button and, for new passwords, a strength meter.
import { Eye, EyeOff } from 'lucide'
import { useState } from 'preact/hooks'
import { limits } from '../../kinds/kinds.gen'
import { IconButton } from '../ui/button'
import { ariaOf, type ControlProps, FieldShell } from '../ui/fields/field-shell'
import fields from '../ui/fields/fields.module.css'
import { authMessages } from './messages'
import styles from './sign-in.module.css'

type PasswordFieldProps = ControlProps & {
  isNew?: boolean
  /** Takes the focus when its dialog opens. */
  isFirst?: boolean
}

export function PasswordField(props: PasswordFieldProps) {
  const { id, value, onChange, isNew = false } = props
  const [shown, setShown] = useState(false)
  return (
    <FieldShell control={props}>
      <div className={styles.withButton}>
        <input
          id={id}
          name="password"
          className={fields.input}
          {...(shown ? { type: 'text' as const } : { type: 'password' as const })}
          value={value}
          autoComplete={isNew ? 'new-password' : 'current-password'}
          autoCapitalize="none"
          spellcheck={false}
          {...(props.isFirst === true ? { 'data-first-focus': '' } : {})}
          {...ariaOf(props)}
          onInput={(event) => onChange(event.currentTarget.value)}
        />
        <IconButton
          label={shown ? authMessages.hidePassword : authMessages.showPassword}
          icon={shown ? EyeOff : Eye}
          className={styles.eye}
          onClick={() => setShown(!shown)}
        />
      </div>
      {isNew ? <Meter password={value} /> : null}
    </FieldShell>
  )
}

const VERDICTS = [
  'Password troppo corta',
  'Password sufficiente',
  'Password buona',
  'Password ottima',
]

function Meter({ password }: { password: string }) {
  const strength = strengthOf(password)
  const verdict = VERDICTS[strength] ?? ''
  return (
    <div className={styles.meter} role="img" aria-label={verdict}>
      {VERDICTS.map((word, index) => (
        <i key={word} className={index <= strength && password !== '' ? styles.on : ''} />
      ))}
    </div>
  )
}

/** 0 is refused. Length counts most, then the variety of characters. */
export function strengthOf(password: string): number {
  if (password.length < limits.passwordCharactersMin) return 0
  const varied = new Set(password).size
  if (varied < 6) return 1
  return password.length >= 18 && varied >= 9 ? 3 : 2
}
