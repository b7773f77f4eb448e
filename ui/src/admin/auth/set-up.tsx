// Creates the first account with the one-time link from the server's log.
import { ArrowRight, LogIn } from 'lucide'
import { useState } from 'preact/hooks'
import { limits } from '../../kinds/kinds.gen'
import { Icon } from '../../primitives/icon'
import { isStatus } from '../api/client'
import { failureText, formProblem, useSubmit } from '../hooks/use-submit'
import { Button, ButtonLink } from '../ui/button'
import { TextField } from '../ui/fields/text-field'
import { AuthLayout } from './auth-layout'
import { authMessages } from './messages'
import { PasswordField } from './password-field'
import { useSession } from './session-store'
import styles from './sign-in.module.css'
import { Alert } from './sign-in-form'

const PASSWORD_HINT = `Almeno ${limits.passwordCharactersMin} caratteri. Una frase breve che ricordi è meglio di una parola complicata.`
const USED_LINK =
  'Questo link non vale più: è già stato usato, oppure il server è ripartito. Chiedi a chi gestisce il server l’ultimo link, quello nuovo.'

export function SetUp() {
  const createAccount = useSession((store) => store.createAccount)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const { busy, error, problems, form } = useSubmit(() => createAccount(email.trim(), password))
  const refusal = formProblem(error, refusalText)

  return (
    <AuthLayout
      title="Crea il tuo accesso"
      text="È il primo avvio: scegli l’e-mail e la password con cui gestirai il sito."
    >
      <form className={styles.form} {...form}>
        {refusal === null ? null : <Alert text={refusal} />}
        <TextField
          id="email"
          label={authMessages.email}
          type="email"
          autoComplete="username"
          placeholder="nome@esempio.it"
          value={email}
          problem={problems.email}
          onChange={setEmail}
        />
        <PasswordField
          id="password"
          label={authMessages.password}
          value={password}
          help={PASSWORD_HINT}
          problem={problems.password}
          isNew
          onChange={setPassword}
        />
        <Button
          submit
          busy={busy}
          disabled={!email.includes('@') || password.length < limits.passwordCharactersMin}
        >
          Continua
          <Icon size={20} of={ArrowRight} />
        </Button>
      </form>
    </AuthLayout>
  )
}

/** Shown for a used link, in place of a form that the server would refuse. */
export function SetUpUsed() {
  const { title, text, action, help } = authMessages.setUpUsed
  return (
    <AuthLayout title={title} text={text}>
      <ButtonLink href="/admin" icon={LogIn}>
        {action}
      </ButtonLink>
      <p className={styles.calm}>{help}</p>
    </AuthLayout>
  )
}

function refusalText(error: unknown): string {
  const gone = [401, 403, 404, 409, 410].some((status) => isStatus(error, status))
  // Adds to the server's message where to find a new link.
  return gone ? USED_LINK : failureText(error)
}
