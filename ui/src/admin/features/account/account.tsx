// The account: password, signed-in devices, second factor.
import { LogOut } from 'lucide'
import { useState } from 'preact/hooks'
import { limits } from '../../../kinds/kinds.gen'
import { momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { PasswordField } from '../../auth/password-field'
import { useIsOwner, useSession } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { formProblem, useSubmit } from '../../hooks/use-submit'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Card, PageLayout, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'
// biome-ignore lint/style/noRestrictedImports: the account holds the switches of the notices
import { NoticeSettingsCard } from '../notices/notice-settings-card'
import { PasskeysCard } from './passkeys'
import { PeopleCard } from './people'
import { SecondFactorCard } from './second-factor'
import { deviceText } from './user-agent'

export function AccountArea() {
  const email = useSession((store) => store.session?.email ?? '')
  const isOwner = useIsOwner()
  return (
    <PageLayout title="Account" text={`Il tuo accesso è ${email}.`}>
      <PasswordCard />
      <EmailCard email={email} />
      <PasskeysCard />
      <SecondFactorCard />
      <SessionsCard />
      {isOwner ? <PeopleCard /> : null}
      {isOwner ? <NoticeSettingsCard /> : null}
    </PageLayout>
  )
}

function PasswordCard() {
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const { busy, error, problems, form } = useSubmit(async () => {
    await call('PUT', '/api/auth/password', { currentPassword: current, newPassword: next })
    toastDone('Password aggiornata')
    setCurrent('')
    setNext('')
  })
  const problem = formProblem(error)
  return (
    <Card title="Cambia password">
      <form className={styles.stack} {...form}>
        {problem === null ? null : <Alert text={problem} />}
        <PasswordField
          id="current-password"
          label="Password attuale"
          value={current}
          problem={problems.currentPassword}
          onChange={setCurrent}
        />
        <PasswordField
          id="new-password"
          label="Nuova password"
          value={next}
          help={`Almeno ${limits.passwordCharactersMin} caratteri. Sugli altri dispositivi dovrai accedere di nuovo.`}
          problem={problems.newPassword}
          isNew
          onChange={setNext}
        />
        <Button
          submit
          busy={busy}
          disabled={current === '' || next.length < limits.passwordCharactersMin}
        >
          {words.save}
        </Button>
      </form>
    </Card>
  )
}

function EmailCard({ email }: { email: string }) {
  const [next, setNext] = useState('')
  const [asked, setAsked] = useState<string | null>(null)
  const { busy, error, problems, form } = useSubmit(async () => {
    await call('PUT', '/api/auth/email', { email: next.trim() })
    setAsked(next.trim())
    setNext('')
  })
  const problem = formProblem(error)
  return (
    <Card title="E-mail con cui entri">
      <p>
        Adesso è {email}. Per cambiarla confermi da tutti e due gli indirizzi: così nessuno può
        farlo al posto tuo.
      </p>
      {asked === null ? null : (
        <p className={styles.soft} role="status">
          Abbiamo scritto a {email} e a {asked}: apri le due e-mail e conferma entro domani. Fino ad
          allora entri come adesso.
        </p>
      )}
      <form className={styles.stack} {...form}>
        {problem === null ? null : <Alert text={problem} />}
        <TextField
          id="new-email"
          label="Nuovo indirizzo"
          type="email"
          autoComplete="email"
          value={next}
          problem={problems.email}
          onChange={setNext}
        />
        <Button submit tone="outline" busy={busy} disabled={!next.includes('@')}>
          Cambia indirizzo
        </Button>
      </form>
    </Card>
  )
}

type OpenSession = {
  readonly id: string
  readonly createdAt: string
  readonly lastSeenAt: string
  readonly userAgent: string | null
  readonly current: boolean
}

function SessionsCard() {
  const data = useLoad<readonly OpenSession[]>('/api/admin/sessions')
  const end = async (path: string, done: string) => {
    const ended = await attempt(words.toasts.update, () => call('DELETE', path))
    if (ended) toastDone(done)
    await data.reload()
  }
  return (
    <Card title="Dove hai aperto il pannello">
      <WhenLoaded data={data}>
        {(sessions) => (
          <>
            <ul className={styles.rows}>
              {sessions.map((one) => (
                <li key={one.id}>
                  <div className={styles.grow}>
                    <b>{deviceText(one.userAgent ?? '')}</b>
                    {/* The server writes `lastSeenAt` once an hour at most. */}
                    <small>
                      Ultima attività: {one.current ? 'adesso' : momentText(one.lastSeenAt)}
                    </small>
                  </div>
                  {one.current ? (
                    <Badge tone="good">Questo dispositivo</Badge>
                  ) : (
                    <Button
                      tone="outline"
                      small
                      onClick={() => void end(`/api/admin/sessions/${one.id}`, 'Accesso chiuso')}
                    >
                      Esci da qui
                    </Button>
                  )}
                </li>
              ))}
            </ul>
            {sessions.length < 2 ? null : (
              <div className={styles.buttons}>
                <Button
                  tone="outline"
                  icon={LogOut}
                  onClick={() =>
                    void end('/api/admin/sessions', 'Accessi chiusi ovunque tranne qui')
                  }
                >
                  Esci da tutti gli altri
                </Button>
              </div>
            )}
          </>
        )}
      </WhenLoaded>
    </Card>
  )
}
