// Dialog that confirms the session with the password or a passkey before a sensitive request is
// repeated.
import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'
import { formProblem, useSubmit } from '../hooks/use-submit'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { words } from '../ui/messages'
import { confirmWithPasskey, confirmWithPassword, isPasskeySupported } from './passkey'
import { PasswordField } from './password-field'
import { useSession } from './session-store'
import styles from './sign-in.module.css'
import { Alert, refusalText } from './sign-in-form'

export function ConfirmIdentity() {
  const endConfirmation = useSession((store) => store.endConfirmation)
  const [password, setPassword] = useState('')
  const [passkeyProblem, setPasskeyProblem] = useState<string | null>(null)
  const { busy, error, problems, form } = useSubmit(async () => {
    setPasskeyProblem(null)
    await confirmWithPassword(password)
    endConfirmation(true)
  })
  const withPasskey = async () => {
    setPasskeyProblem(null)
    try {
      await confirmWithPasskey()
      endConfirmation(true)
    } catch (failure) {
      setPasskeyProblem(refusalText(failure).text)
    }
  }
  const problem = passkeyProblem ?? formProblem(error, (failure) => refusalText(failure).text)
  const footer = (
    <>
      <Button tone="outline" onClick={() => endConfirmation(false)}>
        {words.cancel}
      </Button>
      <Button submit form="confirm-identity" busy={busy} disabled={password === ''}>
        Conferma
      </Button>
    </>
  )
  return (
    <Dialog
      title="Conferma che sei tu"
      onClose={() => endConfirmation(false)}
      size="small"
      footer={footer}
    >
      <p className={styles.calm}>
        È un’operazione delicata: scrivi di nuovo la tua password. Per dieci minuti non te la
        chiederemo più.
      </p>
      {problem === null ? null : <Alert text={problem} />}
      <form id="confirm-identity" className={styles.form} {...form}>
        <PasswordField
          id="confirm-password"
          label="La tua password"
          value={password}
          problem={problems.password}
          isFirst
          onChange={setPassword}
        />
        {isPasskeySupported() ? (
          <Button tone="outline" icon={KeyRound} disabled={busy} onClick={() => void withPasskey()}>
            Usa una passkey
          </Button>
        ) : null}
      </form>
    </Dialog>
  )
}
