// Passkeys of the account, which replace password and code.
import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { dayText, momentText } from '../../../lib/panel-date-format'
import hidden from '../../../primitives/hidden.module.css'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import { isPasskeySupported, PasskeyCancelled, registerPasskey } from '../../auth/passkey'
import { PasswordField } from '../../auth/password-field'
import { Alert } from '../../auth/sign-in-form'
import { failureText, formProblem, useSubmit } from '../../hooks/use-submit'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'
import { deviceText } from './user-agent'

type Passkey = {
  readonly id: string
  readonly name: string
  readonly createdAt: string
  readonly lastUsedAt: string | null
}

type Open = { what: 'add' } | { what: 'remove'; passkey: Passkey }

export function PasskeysCard() {
  const data = useLoad<readonly Passkey[]>('/api/admin/passkeys')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const works = isPasskeySupported()

  const remove = async (passkey: Passkey) => {
    const path = `/api/admin/passkeys/${passkey.id}`
    if (await attempt(words.toasts.update, () => call('DELETE', path))) {
      toastDone('Passkey rimossa')
    }
    close()
    await data.reload()
  }
  return (
    <Card title="Passkey">
      <p>
        Con una passkey entri con l’impronta, il volto o il PIN del tuo dispositivo, senza scrivere
        la password.
      </p>
      <WhenLoaded data={data}>
        {(passkeys) =>
          passkeys.length === 0 ? null : (
            <ul className={styles.rows}>
              {passkeys.map((passkey) => (
                <li key={passkey.id}>
                  <div className={styles.grow}>
                    <b>{passkey.name}</b>
                    <small>{usedText(passkey)}</small>
                  </div>
                  <Button tone="outline" small onClick={() => setOpen({ what: 'remove', passkey })}>
                    <span aria-hidden="true">Rimuovi</span>
                    <span className={hidden.hidden}>Rimuovi: {passkey.name}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {works ? (
        <div className={styles.buttons}>
          <Button tone="outline" icon={KeyRound} onClick={() => setOpen({ what: 'add' })}>
            Aggiungi una passkey
          </Button>
        </div>
      ) : (
        <p>
          Qui non si possono aggiungere: serve l’indirizzo definitivo del sito, quello che comincia
          con https://, e un browser aggiornato.
        </p>
      )}
      {open?.what === 'add' ? (
        <AddDialog
          onClose={close}
          onDone={() => {
            toastDone('Passkey aggiunta')
            close()
            void data.reload()
          }}
        />
      ) : null}
      {open?.what === 'remove' ? (
        <Confirm
          question={`Rimuovere la passkey «${open.passkey.name}»?`}
          confirm="Rimuovi"
          onConfirm={() => remove(open.passkey)}
          onClose={close}
        >
          Non aprirà più il pannello. Cancellala anche dal dispositivo che la conserva.
        </Confirm>
      ) : null}
    </Card>
  )
}

function usedText({ createdAt, lastUsedAt }: Passkey): string {
  const added = `Aggiunta ${withArticle('il', dayText(createdAt))}`
  return lastUsedAt === null
    ? `${added}, mai usata`
    : `${added}, ultimo accesso ${momentText(lastUsedAt)}`
}

function AddDialog({ onClose, onDone }: { onClose: () => void; onDone: () => void }) {
  const [password, setPassword] = useState('')
  const [name, setName] = useState(() => deviceText(navigator.userAgent))
  const { busy, error, problems, form } = useSubmit(async () => {
    await registerPasskey(password, name.trim())
    onDone()
  })
  const problem = formProblem(error, passkeyText)
  const footer = (
    <>
      <Button tone="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="passkey" busy={busy} disabled={password === '' || name.trim() === ''}>
        Continua
      </Button>
    </>
  )
  return (
    <Dialog title="Aggiungi una passkey" onClose={onClose} size="small" footer={footer}>
      {problem === null ? null : <Alert text={problem} />}
      <form id="passkey" className={styles.stack} {...form}>
        <TextField
          id="passkey-name"
          label="Nome della passkey"
          help="Per riconoscerla nell’elenco."
          value={name}
          problem={problems.name}
          onChange={setName}
        />
        <PasswordField
          id="passkey-password"
          label="La tua password"
          value={password}
          problem={problems.password}
          onChange={setPassword}
        />
      </form>
    </Dialog>
  )
}

function passkeyText(error: unknown): string {
  if (error instanceof PasskeyCancelled) return 'Il dispositivo non ha creato la passkey. Riprova.'
  if (error instanceof DOMException && error.name === 'InvalidStateError') {
    return 'Questo dispositivo ha già una passkey per il pannello.'
  }
  return failureText(error)
}
