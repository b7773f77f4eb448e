// The screen of a one-time link from an e-mail: a new password, another address, an invitation. The
// token is sent by a button only: mail scanners open links.
import { ArrowRight, CircleCheck, LogIn } from 'lucide'
import { useCallback, useEffect, useState } from 'preact/hooks'
import { limits } from '../../kinds/kinds.gen'
import { Icon } from '../../primitives/icon'
import { call, isProblem } from '../api/client'
import { formProblem, useSubmit } from '../hooks/use-submit'
import { Button, ButtonLink } from '../ui/button'
import { words } from '../ui/messages'
import { AuthLayout } from './auth-layout'
import { ForgottenPassword } from './forgotten-password'
import { authMessages } from './messages'
import { PasswordField } from './password-field'
import { needsSecondFactor, type Role, useSession } from './session-store'
import styles from './sign-in.module.css'
import { Alert, refusalText, SignInForm } from './sign-in-form'

type Link = {
  readonly grant: 'new-password' | 'new-email' | 'invitation'
  readonly email: string
  readonly newEmail?: string
  readonly role?: Role
}

type State = Link | 'loading' | 'ended' | 'unreachable'

const PASSWORD_HELP = `Almeno ${limits.passwordCharactersMin} caratteri: una frase breve va benissimo.`

export function AccountLink() {
  const token = useSession((store) => store.linkToken) ?? ''
  const [state, setState] = useState<State>('loading')
  const load = useCallback(async () => {
    setState('loading')
    try {
      setState(await call<Link>('POST', '/api/auth/link', { token }))
    } catch (error) {
      setState(isProblem(error, 'link-ended') ? 'ended' : 'unreachable')
    }
  }, [token])
  useEffect(() => void load(), [load])
  if (state === 'loading') {
    return (
      <p className={styles.checking} role="status">
        {words.loading}
      </p>
    )
  }
  if (state === 'unreachable') {
    return (
      <AuthLayout title={words.loadError.title} text={words.network} isStep>
        <Button onClick={() => void load()}>{words.retry}</Button>
      </AuthLayout>
    )
  }
  if (state === 'ended') return <Ended />
  const onEnded = () => setState('ended')
  switch (state.grant) {
    case 'new-password':
      return <NewPassword token={token} link={state} onEnded={onEnded} />
    case 'new-email':
      return <NewEmail token={token} link={state} onEnded={onEnded} />
    case 'invitation':
      return <Invitation token={token} link={state} onEnded={onEnded} />
  }
}

function Ended() {
  const leave = useSession((store) => store.leaveLink)
  const [again, setAgain] = useState(false)
  if (again) return <ForgottenPassword email="" onBack={() => void leave(null)} />
  return (
    <AuthLayout
      title="Questo link non vale più"
      text="Vale per poco tempo e una volta sola. Fartene mandare un altro richiede un attimo."
      isStep
    >
      <Button onClick={() => setAgain(true)}>Mandami un altro link</Button>
      <Button tone="outline" icon={LogIn} onClick={() => void leave(null)}>
        Vai all’accesso
      </Button>
      <p className={styles.calm}>
        Era un invito, o la conferma di un indirizzo? Allora chiedine un altro dal pannello, o a chi
        te l’ha mandato.
      </p>
    </AuthLayout>
  )
}

type LinkProps = { token: string; link: Link; onEnded: () => void }

/** Runs `send`; a link that ended meanwhile shows its screen. */
async function orEnded(send: () => Promise<void>, onEnded: () => void): Promise<void> {
  try {
    await send()
  } catch (error) {
    if (!isProblem(error, 'link-ended')) throw error
    onEnded()
  }
}

function NewPassword({ token, link, onEnded }: LinkProps) {
  const signIn = useSession((store) => store.signIn)
  const leave = useSession((store) => store.leaveLink)
  const [password, setPassword] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const { email } = link
  const save = async () => {
    await call('POST', '/api/auth/reset', { token, password })
    history.replaceState(null, '', location.pathname)
    try {
      await signIn(email, password, '')
    } catch (error) {
      if (needsSecondFactor(error)) setNeedsCode(true)
      else await leave('La nuova password è salvata. Adesso accedi.')
    }
  }
  if (needsCode) {
    return (
      <AuthLayout
        title="Un’ultima cosa"
        text="La nuova password è salvata. Scrivi il codice che vedi adesso nell’app sul telefono."
        isStep
      >
        <SignInForm email={email} password={password} needsCode />
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="La tua nuova password"
      text={`Per ${email}. Gli altri dispositivi usciranno.`}
      isStep
    >
      <PasswordForm
        email={email}
        password={password}
        setPassword={setPassword}
        label="Nuova password"
        button="Salva ed entra"
        send={() => orEnded(save, onEnded)}
      />
    </AuthLayout>
  )
}

function Invitation({ token, link, onEnded }: LinkProps) {
  const enter = useSession((store) => store.enter)
  const [password, setPassword] = useState('')
  const { email } = link
  const join = async () => {
    await call('POST', '/api/auth/join', { token, password })
    history.replaceState(null, '', location.pathname)
    await enter()
  }
  const may =
    link.role === 'owner'
      ? 'Nel pannello potrai fare tutto.'
      : 'Nel pannello potrai modificare testi, pagine, immagini e contenuti.'
  return (
    <AuthLayout
      title="Ti hanno invitato"
      text={`Scegli la password con cui entrerai, insieme a ${email}. ${may}`}
      isStep
    >
      <PasswordForm
        email={email}
        password={password}
        setPassword={setPassword}
        label={authMessages.password}
        button="Entra"
        send={() => orEnded(join, onEnded)}
      />
    </AuthLayout>
  )
}

type PasswordFormProps = {
  email: string
  password: string
  setPassword: (password: string) => void
  label: string
  button: string
  send: () => Promise<void>
}

function PasswordForm(props: PasswordFormProps) {
  const { busy, error, problems, form } = useSubmit(props.send)
  const problem = formProblem(error, (failure) => refusalText(failure).text)
  return (
    <form className={styles.form} {...form}>
      {problem === null ? null : <Alert text={problem} />}
      {/* Password managers store the new password under this name. */}
      <input type="hidden" name="username" autoComplete="username" value={props.email} />
      <PasswordField
        id="new-password"
        label={props.label}
        value={props.password}
        help={PASSWORD_HELP}
        problem={problems.password}
        isNew
        onChange={props.setPassword}
      />
      <Button submit busy={busy} disabled={props.password.length < limits.passwordCharactersMin}>
        {props.button}
        <Icon size={20} of={ArrowRight} />
      </Button>
    </form>
  )
}

function NewEmail({ token, link, onEnded }: LinkProps) {
  const [isChanged, setIsChanged] = useState<boolean | null>(null)
  const { email, newEmail = '' } = link
  const confirm = async () => {
    const path = '/api/auth/email/confirm'
    setIsChanged((await call<{ changed: boolean }>('POST', path, { token })).changed)
  }
  const { busy, error, form } = useSubmit(() => orEnded(confirm, onEnded))
  const problem = formProblem(error, (failure) => refusalText(failure).text)
  if (isChanged !== null) {
    return (
      <AuthLayout
        title={isChanged ? 'Indirizzo cambiato' : 'Manca una conferma'}
        text={
          isChanged
            ? `Da adesso entri con ${newEmail}.`
            : 'Apri anche l’e-mail che è arrivata all’altro indirizzo, e conferma da lì. Il cambio avviene allora.'
        }
        isStep
      >
        {/* Loads the page: drafts in memory are those of the former address. */}
        <ButtonLink href="/admin" icon={CircleCheck}>
          Vai al pannello
        </ButtonLink>
      </AuthLayout>
    )
  }
  return (
    <AuthLayout
      title="Cambi l’indirizzo con cui entri?"
      text={`Da ${email} a ${newEmail}. Serve la conferma da tutti e due gli indirizzi.`}
      isStep
    >
      <form className={styles.form} {...form}>
        {problem === null ? null : <Alert text={problem} />}
        <Button submit busy={busy}>
          Conferma
        </Button>
      </form>
    </AuthLayout>
  )
}
