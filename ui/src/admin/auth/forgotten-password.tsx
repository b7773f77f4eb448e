// A forgotten password: a link by e-mail, or the person who runs the server.
import { ArrowLeft, MailCheck } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { timeText } from '../../lib/panel-date-format'
import { Icon } from '../../primitives/icon'
import { call } from '../api/client'
import { formProblem, useSubmit } from '../hooks/use-submit'
import { Button } from '../ui/button'
import { TextField } from '../ui/fields/text-field'
import { WhenLoaded } from '../ui/page-layout'
import { AuthLayout } from './auth-layout'
import styles from './forgotten-password.module.css'
import { type Contact, ContactCard, useWaysToGetHelp } from './host-contact'
import { authMessages } from './messages'
import form from './sign-in.module.css'
import { Alert, refusalText } from './sign-in-form'

type ForgottenPasswordProps = { email: string; onBack: () => void }

const LINK_MILLISECONDS = 30 * 60_000
const AGAIN_SECONDS = 60

export function ForgottenPassword({ email, onBack }: ForgottenPasswordProps) {
  const ways = useWaysToGetHelp()
  const [sentTo, setSentTo] = useState<{ email: string; at: Date } | null>(null)
  const back = (
    <Button tone="quiet" icon={ArrowLeft} onClick={onBack}>
      Torna all’accesso
    </Button>
  )
  const send = async (to: string) => {
    await call('POST', '/api/auth/forgotten', { email: to })
    setSentTo({ email: to, at: new Date() })
  }
  if (ways.value === null) {
    return (
      <AuthLayout title={authMessages.forgotten} text="" after={back} isStep>
        <WhenLoaded data={ways}>{() => null}</WhenLoaded>
      </AuthLayout>
    )
  }
  const { byEmail, contact } = ways.value
  if (!byEmail) return <WithoutMail contact={contact} back={back} />
  if (sentTo === null) return <Ask typed={email} send={send} back={back} />
  return <Sent {...sentTo} contact={contact} send={send} back={back} />
}

type AskProps = { typed: string; send: (email: string) => Promise<void>; back: ComponentChildren }

function Ask({ typed, send, back }: AskProps) {
  const [email, setEmail] = useState(typed)
  const { busy, error, problems, form: submit } = useSubmit(() => send(email.trim()))
  const refusal = formProblem(error, (failure) => refusalText(failure).text)
  return (
    <AuthLayout
      title="Scegline una nuova"
      text="Ti arriva un’e-mail con un link che vale mezz’ora."
      after={back}
      isStep
    >
      <form className={form.form} {...submit}>
        {refusal === null ? null : <Alert text={refusal} />}
        <TextField
          id="email"
          label="La tua e-mail"
          type="email"
          autoComplete="username"
          value={email}
          problem={problems.email}
          onChange={setEmail}
        />
        <Button submit busy={busy} disabled={!email.includes('@')}>
          Mandami il link
        </Button>
      </form>
    </AuthLayout>
  )
}

type SentProps = {
  email: string
  at: Date
  contact: Contact | null
  send: (email: string) => Promise<void>
  back: ComponentChildren
}

function Sent({ email, at, contact, send, back }: SentProps) {
  const { busy, error, form: submit } = useSubmit(() => send(email))
  const seconds = useSecondsLeft(at)
  const refusal = formProblem(error, (failure) => refusalText(failure).text)
  const end = timeText(new Date(at.getTime() + LINK_MILLISECONDS))
  return (
    <AuthLayout
      title="Guarda la posta"
      text={`Se ${email} è l’indirizzo di chi gestisce il sito, fra un minuto arriva un’e-mail. Il link vale fino alle ${end}.`}
      after={back}
      isStep
    >
      <span className={styles.mark} aria-hidden="true">
        <Icon of={MailCheck} size={28} />
      </span>
      <form className={styles.help} {...submit}>
        {refusal === null ? null : <Alert text={refusal} patient />}
        <p>Non arriva? Guarda nella posta indesiderata.</p>
        {seconds > 0 ? (
          <p>Puoi chiederne un’altra fra {seconds} secondi.</p>
        ) : (
          <Button submit tone="outline" busy={busy}>
            Mandane un’altra
          </Button>
        )}
        {contact === null ? null : (
          <>
            <p>Altrimenti chiama chi ti segue il sito.</p>
            <ContactCard contact={contact} />
          </>
        )}
      </form>
    </AuthLayout>
  )
}

/** Seconds until another e-mail may be asked for. */
function useSecondsLeft(since: Date): number {
  const secondsLeft = () =>
    Math.max(0, AGAIN_SECONDS - Math.floor((Date.now() - since.getTime()) / 1000))
  const [seconds, setSeconds] = useState(secondsLeft)
  useEffect(() => {
    setSeconds(secondsLeft())
    const timer = setInterval(() => setSeconds(secondsLeft()), 1000)
    return () => clearInterval(timer)
  }, [since])
  return seconds
}

function WithoutMail({ contact, back }: { contact: Contact | null; back: ComponentChildren }) {
  return (
    <AuthLayout
      title={authMessages.forgotten}
      text="Questo sito non manda e-mail, ma si rientra lo stesso."
      after={back}
      isStep
    >
      <div className={styles.help}>
        <p>
          Se su un telefono o un computer avevi attivato una passkey, torna all’accesso da lì ed
          entra con l’impronta o il viso.
        </p>
        <p>
          Altrimenti chiama chi {contact === null ? 'ti ha preparato' : 'ti segue'} il sito: ti dà
          una password provvisoria in due minuti.
        </p>
        {contact === null ? null : <ContactCard contact={contact} />}
      </div>
    </AuthLayout>
  )
}
