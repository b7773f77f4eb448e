// Sign-in form: e-mail, password and, if the server asks for it, the second factor's code.
import { CircleAlert, Clock, KeyRound } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { Icon } from '../../primitives/icon'
import { isProblem, isStatus, reasonOf } from '../api/client'
import { Button } from '../ui/button'
import { TextField } from '../ui/fields/text-field'
import { words } from '../ui/messages'
import { authMessages } from './messages'
import { isPasskeySupported, PasskeyCancelled } from './passkey'
import { PasswordField } from './password-field'
import { needsSecondFactor, useSession } from './session-store'
import styles from './sign-in.module.css'

const NO_PASSKEY = 'Il dispositivo non ha fornito una passkey. Riprova o usa la password.'

type Refusal = { text: string; patient: boolean }

type SignInFormProps = {
  /** The account, when an expired session is renewed or a password was set. */
  email?: string
  password?: string
  /** The server has asked for the code already. */
  needsCode?: boolean
  /** Opens the way to a new password for the typed address. */
  onForgotten?: (email: string) => void
}

export function SignInForm(props: SignInFormProps) {
  const { email: known = '', needsCode = false, onForgotten } = props
  const signIn = useSession((store) => store.signIn)
  const signInWithPasskey = useSession((store) => store.signInWithPasskey)
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState(props.password ?? '')
  const [code, setCode] = useState('')
  const [asksCode, setAsksCode] = useState(needsCode)
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | null>(null)
  /** The password was wrong, rather than the code or the passkey. */
  const [isForgotten, setIsForgotten] = useState(false)
  // Enter leaves the focus in the password field, which took the digits of the code.
  useEffect(() => {
    if (asksCode) document.getElementById('code')?.focus()
  }, [asksCode])

  const submit = async () => {
    setBusy(true)
    setRefusal(null)
    try {
      await signIn(email.trim(), password, code.trim())
    } catch (error) {
      const first = needsSecondFactor(error) && !asksCode
      setAsksCode(asksCode || needsSecondFactor(error))
      setIsForgotten(!asksCode && isProblem(error, 'refused'))
      setRefusal(first ? null : refusalText(error))
      setBusy(false)
    }
  }

  const withPasskey = async () => {
    setRefusal(null)
    setIsForgotten(false)
    try {
      await signInWithPasskey()
    } catch (error) {
      setRefusal(refusalText(error))
    }
  }

  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (!busy) void submit()
      }}
    >
      {refusal === null ? null : (
        <Alert {...refusal}>
          {isForgotten && onForgotten !== undefined ? (
            <>
              {' '}
              Se non la ricordi,{' '}
              <button type="button" onClick={() => onForgotten(email.trim())}>
                scegline una nuova
              </button>
              .
            </>
          ) : null}
        </Alert>
      )}
      <TextField
        id="email"
        label={authMessages.email}
        type="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
      />
      <PasswordField
        id="password"
        label={authMessages.password}
        value={password}
        isFirst={known !== ''}
        onChange={setPassword}
      />
      {asksCode ? (
        <TextField
          id="code"
          label={authMessages.code}
          help={authMessages.codeHint}
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
        />
      ) : null}
      <Button submit busy={busy} disabled={email.trim() === '' || password === ''}>
        {busy ? authMessages.submitting : words.signIn}
      </Button>
      {isPasskeySupported() ? (
        <Button tone="outline" icon={KeyRound} disabled={busy} onClick={() => void withPasskey()}>
          Accedi con una passkey
        </Button>
      ) : null}
      {onForgotten === undefined ? null : (
        <Button tone="quiet" disabled={busy} onClick={() => onForgotten(email.trim())}>
          {authMessages.forgotten}
        </Button>
      )}
    </form>
  )
}

type AlertProps = { text: string; patient?: boolean; children?: ComponentChildren }

export function Alert({ text, patient = false, children = null }: AlertProps) {
  return (
    <p className={patient ? `${styles.alert} ${styles.wait}` : styles.alert} role="alert">
      <Icon size={20} of={patient ? Clock : CircleAlert} />
      <span>
        {text}
        {children}
      </span>
    </p>
  )
}

export function refusalText(error: unknown): Refusal {
  if (error instanceof PasskeyCancelled) return { text: NO_PASSKEY, patient: false }
  if (isStatus(error, 429)) return { text: authMessages.tooMany, patient: true }
  const text = isStatus(error, 401) ? authMessages.wrong : words.failed
  return { text: reasonOf(error) ?? text, patient: false }
}
