// Two-factor authentication: time-based codes of an authenticator app, and recovery codes for a lost phone.
import { useState } from 'preact/hooks'
import { call, reasonOf } from '../../api/client'
import { confirmWithPassword } from '../../auth/passkey'
import { PasswordField } from '../../auth/password-field'
import { useSession } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { failureText, useSubmit } from '../../hooks/use-submit'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'

type Offer = { readonly secret: string; readonly otpauthUrl: string; readonly qrSvg: string }

type Open =
  | { what: 'start'; offer: Offer }
  | { what: 'codes'; codes: readonly string[] }
  | { what: 'off' }

export function SecondFactorCard() {
  const on = useSession((store) => store.session?.secondFactor === true)
  const patch = useSession((store) => store.patch)
  const [open, setOpen] = useState<Open | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const close = () => setOpen(null)

  const start = async () => {
    setProblem(null)
    try {
      const offer = await call<Offer>('POST', '/api/admin/second-factor/start')
      setOpen({ what: 'start', offer })
    } catch (error) {
      setProblem(reasonOf(error) ?? words.failed)
    }
  }
  return (
    <Card title="Verifica in due passaggi">
      <p>
        <Badge tone={on ? 'good' : 'quiet'}>{on ? 'Attiva' : 'Non attiva'}</Badge> Oltre alla
        password serve un codice del tuo telefono: chi ti ruba la password non entra.
      </p>
      {problem === null ? null : <Alert text={problem} />}
      <div className={styles.buttons}>
        {on ? (
          <Button tone="outline" onClick={() => setOpen({ what: 'off' })}>
            Disattiva
          </Button>
        ) : (
          <Button tone="outline" onClick={() => void start()}>
            Attiva
          </Button>
        )}
      </div>
      {open?.what === 'start' ? (
        <StartDialog
          offer={open.offer}
          onClose={close}
          onDone={(codes) => {
            patch({ secondFactor: true })
            setOpen({ what: 'codes', codes })
          }}
        />
      ) : null}
      {open?.what === 'codes' ? <CodesDialog codes={open.codes} onClose={close} /> : null}
      {open?.what === 'off' ? (
        <OffDialog
          onClose={close}
          onDone={() => {
            patch({ secondFactor: false })
            toastDone('Verifica in due passaggi disattivata')
            close()
          }}
        />
      ) : null}
    </Card>
  )
}

type StartProps = {
  offer: Offer
  onClose: () => void
  onDone: (codes: readonly string[]) => void
}

function StartDialog({ offer, onClose, onDone }: StartProps) {
  const [code, setCode] = useState('')
  const send = useSubmit(async () => {
    const path = '/api/admin/second-factor/confirm'
    const answer = await call<{ recoveryCodes: readonly string[] }>('POST', path, {
      code: code.trim(),
    })
    onDone(answer.recoveryCodes)
  })
  const footer = (
    <>
      <Button tone="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="second-factor" busy={send.busy} disabled={code.trim() === ''}>
        Conferma
      </Button>
    </>
  )
  return (
    <Dialog title="Attiva la verifica" onClose={onClose} size="small" footer={footer}>
      <p>
        Inquadra il codice con un’app come Aegis, Google Authenticator o il portachiavi del
        telefono.
      </p>
      <img
        className={styles.qr}
        src={`data:image/svg+xml,${encodeURIComponent(offer.qrSvg)}`}
        alt="Codice da inquadrare con l’app di verifica"
      />
      <p>
        Se l’app è su questo telefono,{' '}
        <a className={styles.link} href={offer.otpauthUrl}>
          aprila da qui
        </a>
        . Altrimenti scrivi nell’app questa chiave:{' '}
        <span className={styles.secret}>{grouped(offer.secret)}</span>
      </p>
      {send.error === null ? null : <Alert text={failureText(send.error)} />}
      <form id="second-factor" {...send.form}>
        <TextField
          id="totp"
          label="Le sei cifre che mostra l’app"
          value={code}
          numeric
          autoComplete="one-time-code"
          onChange={setCode}
        />
      </form>
    </Dialog>
  )
}

/** Groups the secret by four characters, which is easier to type; apps ignore the spaces. */
function grouped(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ')
}

function CodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <Dialog
      title="Codici di recupero"
      onClose={onClose}
      size="small"
      footer={<Button onClick={onClose}>Li ho conservati</Button>}
    >
      <p>
        Se perdi il telefono, ognuno di questi codici vale una volta al posto delle sei cifre.
        Scrivili o stampali adesso: non li vedrai più.
      </p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
    </Dialog>
  )
}

function OffDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [password, setPassword] = useState('')
  const send = useSubmit(async () => {
    // The same password confirms the session, so that no second dialog asks for it.
    await confirmWithPassword(password)
    await call('DELETE', '/api/admin/second-factor', { password })
    onDone()
  })
  const footer = (
    <>
      <Button tone="outline" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="second-factor" tone="danger" busy={send.busy} disabled={password === ''}>
        Disattiva
      </Button>
    </>
  )
  return (
    <Dialog title="Disattiva la verifica" onClose={onClose} size="small" footer={footer}>
      {send.error === null ? null : <Alert text={failureText(send.error)} />}
      <form id="second-factor" {...send.form}>
        <PasswordField
          id="second-factor-password"
          label="La tua password"
          value={password}
          onChange={setPassword}
        />
      </form>
    </Dialog>
  )
}
