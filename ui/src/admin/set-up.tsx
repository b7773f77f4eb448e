// The first account, by the one-time link of the server's log.
import { ArrowRight } from 'lucide'
import { useState } from 'preact/hooks'
import { Icon } from '../primitives/icon'
import { fieldErrorsOf, isStatus, reasonOf } from './api'
import { Doorway } from './doorway'
import { TextField } from './fields/text-field'
import { Button } from './parts/button'
import { PASSWORD_CHARACTERS_MIN, PasswordField } from './password-field'
import { useSession } from './session-store'
import styles from './sign-in.module.css'
import { Alert } from './sign-in-form'
import { words } from './words'

const PASSWORD_HINT = `Almeno ${PASSWORD_CHARACTERS_MIN} caratteri. Una frase breve che ricordi è meglio di una parola complicata.`
const USED_LINK =
  'Questo link non vale più: è già stato usato, oppure il server è ripartito. Usa l’ultimo link scritto nel log del server.'

export function SetUp() {
  const createAccount = useSession((store) => store.createAccount)
  const [email, setEmail] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({})

  const submit = async () => {
    setBusy(true)
    setRefusal(null)
    setProblems({})
    try {
      await createAccount(email.trim(), password)
    } catch (error) {
      const fields = fieldErrorsOf(error)
      setProblems(fields)
      if (Object.keys(fields).length === 0) setRefusal(refusalText(error))
      setBusy(false)
    }
  }

  return (
    <Doorway
      title="Crea il tuo accesso"
      text="È il primo avvio: scegli l’e-mail e la password con cui gestirai il sito."
    >
      <form
        className={styles.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        {refusal === null ? null : <Alert text={refusal} />}
        <TextField
          id="email"
          label={words.auth.email}
          type="email"
          autoComplete="username"
          placeholder="nome@esempio.it"
          value={email}
          problem={problems.email}
          onChange={setEmail}
        />
        <PasswordField
          id="password"
          label={words.auth.password}
          value={password}
          help={PASSWORD_HINT}
          problem={problems.password}
          isNew
          onChange={setPassword}
        />
        <Button
          submit
          busy={busy}
          disabled={!email.includes('@') || password.length < PASSWORD_CHARACTERS_MIN}
        >
          Continua
          <Icon size={20} of={ArrowRight} />
        </Button>
      </form>
    </Doorway>
  )
}

function refusalText(error: unknown): string {
  const gone = [401, 403, 404, 409, 410].some((status) => isStatus(error, status))
  return reasonOf(error) ?? (gone ? USED_LINK : words.auth.failed)
}
