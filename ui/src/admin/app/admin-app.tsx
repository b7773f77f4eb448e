// Root of the admin app: shows set-up, sign-in or the panel, depending on the session.
import { useEffect, useState } from 'preact/hooks'
import { AuthLayout } from '../auth/auth-layout'
import { ConfirmIdentity } from '../auth/confirm-identity'
import { authMessages } from '../auth/messages'
import { linkTokenOf, useSession } from '../auth/session-store'
import { SetUp, SetUpUsed } from '../auth/set-up'
import styles from '../auth/sign-in.module.css'
import { Alert, SignInForm } from '../auth/sign-in-form'
import { useHeadingAfter } from '../hooks/focus-recovery'
import { Button } from '../ui/button'
import { Dialog } from '../ui/dialog'
import { lazy } from '../ui/lazy'
import { words } from '../ui/messages'
import { ToastOutlet } from '../ui/toaster'
import { AdminShell } from './shell'

const AccountLink = lazy(() =>
  import('../auth/account-link').then(({ AccountLink }) => AccountLink),
)
const ForgottenPassword = lazy(() =>
  import('../auth/forgotten-password').then(({ ForgottenPassword }) => ForgottenPassword),
)

export function AdminApp() {
  const check = useSession((store) => store.check)
  const isConfirming = useSession((store) => store.isConfirming)
  useEffect(() => {
    void check()
    // A link of an e-mail that opens in the tab of the panel loads no page.
    const follow = () => {
      if (linkTokenOf(location.hash) !== null) void check()
    }
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [check])
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
  useHeadingAfter(phase === 'signedOut')
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
    case 'link':
      return <AccountLink />
    case 'signedOut':
      return <SignIn />
    case 'signedIn':
      return <AdminShell />
  }
}

function SignIn() {
  const notice = useSession((store) => store.notice)
  const [forgotten, setForgotten] = useState<string | null>(null)
  if (forgotten !== null) {
    return <ForgottenPassword email={forgotten} onBack={() => setForgotten(null)} />
  }
  return (
    <AuthLayout title={authMessages.title} text={authMessages.text}>
      {notice === null ? null : (
        <p className={styles.notice} role="status">
          {notice}
        </p>
      )}
      <SignInForm onForgotten={setForgotten} />
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
