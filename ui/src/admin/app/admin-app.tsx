// Root of the admin app: shows set-up, sign-in or the panel, depending on the session.
import { useEffect } from 'preact/hooks'
import { AuthLayout } from '../auth/auth-layout'
import { ConfirmIdentity } from '../auth/confirm-identity'
import { authMessages } from '../auth/messages'
import { useSession } from '../auth/session-store'
import { SetUp, SetUpUsed } from '../auth/set-up'
import styles from '../auth/sign-in.module.css'
import { Alert, SignInForm } from '../auth/sign-in-form'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { words } from '../ui/messages'
import { ToastOutlet } from '../ui/toaster'
import { AdminShell } from './shell'

export function AdminApp() {
  const check = useSession((store) => store.check)
  const isConfirming = useSession((store) => store.isConfirming)
  useEffect(() => void check(), [check])
  return (
    <>
      <Screen />
      <ExpiredSheet />
      {isConfirming ? <ConfirmIdentity /> : null}
      <ToastOutlet layer={null} />
    </>
  )
}

function Screen() {
  const phase = useSession((store) => store.phase)
  const check = useSession((store) => store.check)
  switch (phase) {
    case 'checking':
      return (
        <p className={styles.checking} role="status">
          {words.loading}
        </p>
      )
    case 'unreachable':
      return (
        <AuthLayout title={words.loadError.title} text={words.network}>
          <Button onClick={() => void check()}>{words.retry}</Button>
        </AuthLayout>
      )
    case 'setUp':
      return <SetUp />
    case 'setUpUsed':
      return <SetUpUsed />
    case 'signedOut':
      return <SignIn />
    case 'signedIn':
      return <AdminShell />
  }
}

function SignIn() {
  const notice = useSession((store) => store.notice)
  return (
    <AuthLayout title={authMessages.title} text={authMessages.text}>
      {notice === null ? null : (
        <p className={styles.notice} role="status">
          {notice}
        </p>
      )}
      <SignInForm />
    </AuthLayout>
  )
}

/** Sign-in dialog over the current screen; after signing in, the failed request is sent again. */
function ExpiredSheet() {
  const expired = useSession((store) => store.expired)
  const email = useSession((store) => store.session?.email ?? '')
  const saves = useSession((store) => store.saves)
  const giveUp = useSession((store) => store.giveUp)
  if (!expired) return null
  return (
    <Dialog title="Accedi di nuovo" onClose={giveUp} size="small">
      <Alert text={authMessages.expired} patient />
      <p className={styles.calm}>
        {saves
          ? 'Quello che hai scritto è ancora qui e verrà salvato subito dopo.'
          : 'Quello che hai scritto è ancora qui.'}
      </p>
      <SignInForm email={email} />
    </Dialog>
  )
}
