// The people who may open the panel: invitations, what each may do, removal.
import { Copy, UserPlus } from 'lucide'
import { useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { dayText, momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { useLoad } from '../../api/use-load'
import type { Role } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { formProblem, useSubmit } from '../../hooks/use-submit'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { Confirm } from '../../ui/confirm-dialog'
import { Dialog } from '../../ui/dialog'
import { ChoiceField } from '../../ui/fields/choice-field'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Card, WhenLoaded } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone } from '../../ui/toast-store'

type Person = {
  readonly id: string
  readonly email: string
  readonly role: Role
  readonly createdAt: string
  readonly invitedUntil: string | null
  readonly secondFactor: boolean
  readonly passkeys: number
  readonly lastSeenAt: string | null
  readonly current: boolean
}

type People = { readonly people: readonly Person[]; readonly mails: boolean }

const ROLES: Readonly<Record<Role, string>> = {
  editor: 'Può modificare',
  owner: 'Può tutto',
}
const CHOICES = [
  { value: 'editor', label: ROLES.editor },
  { value: 'owner', label: ROLES.owner },
] as const
const EXPLANATION =
  'Chi può modificare cambia testi, pagine, immagini e contenuti. Newsletter, impostazioni, copie del sito e persone restano a chi può tutto.'

type Open =
  | { what: 'invite' }
  | { what: 'role'; person: Person }
  | { what: 'remove'; person: Person }

export function PeopleCard() {
  const data = useLoad<People>('/api/admin/accounts')
  const [open, setOpen] = useState<Open | null>(null)
  const close = () => setOpen(null)
  const change = async (run: () => Promise<unknown>, done: string) => {
    if (await attempt(words.toasts.update, run)) toastDone(done)
    close()
    await data.reload()
  }
  const remove = ({ id, invitedUntil }: Person) =>
    change(
      () => call('DELETE', `/api/admin/accounts/${id}`),
      invitedUntil === null ? 'Non entra più' : 'Invito ritirato',
    )
  return (
    <Card title="Chi può entrare">
      <p>
        Ogni persona ha la sua password, le sue passkey e il suo codice di verifica. {EXPLANATION}
      </p>
      <WhenLoaded data={data}>
        {({ people }) => (
          <ul className={styles.rows}>
            {people.map((person) => (
              <PersonRow key={person.id} person={person} onOpen={setOpen} />
            ))}
          </ul>
        )}
      </WhenLoaded>
      <div className={styles.buttons}>
        <Button tone="outline" icon={UserPlus} onClick={() => setOpen({ what: 'invite' })}>
          Invita una persona
        </Button>
      </div>
      {open?.what === 'invite' ? (
        <InviteDialog
          mails={data.value?.mails === true}
          onClose={close}
          onDone={() => void data.reload()}
        />
      ) : null}
      {open?.what === 'role' ? (
        <RoleQuestion
          person={open.person}
          onConfirm={(role) =>
            change(
              () => call('PUT', `/api/admin/accounts/${open.person.id}`, { role }),
              'Permessi aggiornati',
            )
          }
          onClose={close}
        />
      ) : null}
      {open?.what === 'remove' ? (
        <Confirm
          question={
            open.person.invitedUntil === null
              ? `Togliere ${open.person.email}?`
              : `Ritirare l’invito a ${open.person.email}?`
          }
          confirm={open.person.invitedUntil === null ? 'Togli' : 'Ritira'}
          onConfirm={() => remove(open.person)}
          onClose={close}
        >
          {open.person.invitedUntil === null
            ? 'Esce subito da tutti i dispositivi, e le sue bozze mai pubblicate si perdono. Quello che ha pubblicato resta.'
            : 'Il link che ha ricevuto smette di valere.'}
        </Confirm>
      ) : null}
    </Card>
  )
}

function PersonRow({ person, onOpen }: { person: Person; onOpen: (open: Open) => void }) {
  const { email, role, current, invitedUntil } = person
  return (
    <li>
      <div className={styles.grow}>
        <b>{email}</b>
        <small>{factsOf(person)}</small>
      </div>
      <Badge tone={invitedUntil === null ? 'good' : 'look'}>{ROLES[role]}</Badge>
      {current ? (
        <Badge isPlain>Sei tu</Badge>
      ) : (
        <>
          {invitedUntil === null ? (
            <Button
              tone="outline"
              small
              label={`Cambia permessi: ${email}`}
              onClick={() => onOpen({ what: 'role', person })}
            >
              Cambia permessi
            </Button>
          ) : null}
          <Button
            tone="outline"
            small
            label={`${invitedUntil === null ? 'Togli' : 'Ritira l’invito'}: ${email}`}
            onClick={() => onOpen({ what: 'remove', person })}
          >
            {invitedUntil === null ? 'Togli' : 'Ritira l’invito'}
          </Button>
        </>
      )}
    </li>
  )
}

function factsOf(person: Person): string {
  const { current, invitedUntil, lastSeenAt, secondFactor, passkeys } = person
  if (invitedUntil !== null)
    return `Invito non ancora accettato, vale fino ${withArticle('al', dayText(invitedUntil))}`
  // The server writes `lastSeenAt` once an hour at most.
  const when = current ? 'adesso' : lastSeenAt && momentText(lastSeenAt)
  const seen = when === null ? 'Non è dentro adesso' : `Ultima attività: ${when}`
  const safe = secondFactor || passkeys > 0 ? '' : ', senza codice di verifica né passkey'
  return `${seen}${safe}`
}

function RoleQuestion(props: {
  person: Person
  onConfirm: (role: Role) => Promise<unknown>
  onClose: () => void
}) {
  const { email, role } = props.person
  const next = role === 'owner' ? 'editor' : 'owner'
  return (
    <Confirm
      question={next === 'owner' ? `${email} potrà tutto?` : `${email} potrà soltanto modificare?`}
      confirm={ROLES[next]}
      tone="primary"
      icon={UserPlus}
      onConfirm={() => props.onConfirm(next)}
      onClose={props.onClose}
    >
      {EXPLANATION}
    </Confirm>
  )
}

type InviteDialogProps = { mails: boolean; onClose: () => void; onDone: () => void }

function InviteDialog({ mails, onClose, onDone }: InviteDialogProps) {
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<string>('editor')
  const [url, setUrl] = useState<string | null>(null)
  const { busy, error, problems, form } = useSubmit(async () => {
    const body = { email: email.trim(), role }
    setUrl((await call<{ url: string }>('POST', '/api/admin/accounts', body)).url)
    onDone()
  })
  const problem = formProblem(error)
  if (url !== null) {
    return <InvitedDialog email={email.trim()} url={url} mails={mails} onClose={onClose} />
  }
  const footer = (
    <>
      <Button tone="quiet" onClick={onClose}>
        {words.cancel}
      </Button>
      <Button submit form="invite" busy={busy} disabled={!email.includes('@')}>
        Crea l’invito
      </Button>
    </>
  )
  return (
    <Dialog title="Invita una persona" onClose={onClose} size="small" footer={footer}>
      {problem === null ? null : <Alert text={problem} />}
      <form id="invite" className={styles.stack} {...form}>
        <TextField
          id="invite-email"
          label="La sua e-mail"
          type="email"
          value={email}
          problem={problems.email}
          onChange={setEmail}
        />
        <ChoiceField
          id="invite-role"
          label="Che cosa può fare"
          help={EXPLANATION}
          value={role}
          choices={CHOICES}
          onChange={setRole}
        />
      </form>
    </Dialog>
  )
}

type InvitedDialogProps = { email: string; url: string; mails: boolean; onClose: () => void }

function InvitedDialog({ email, url, mails, onClose }: InvitedDialogProps) {
  const copy = async () => {
    const copied = await attempt('Copialo a mano', () => navigator.clipboard.writeText(url))
    if (copied) toastDone('Link copiato')
  }
  return (
    <Dialog
      title="Invito pronto"
      onClose={onClose}
      size="small"
      footer={<Button onClick={onClose}>{words.close}</Button>}
    >
      <div className={styles.stack}>
        <p>
          {mails
            ? `Abbiamo scritto a ${email}. Se l’e-mail non arriva, puoi dare tu questo link:`
            : `Dai questo link a ${email}, di persona o con un messaggio:`}
        </p>
        <p className={styles.grow}>
          <code>{url}</code>
        </p>
        <p className={styles.soft}>Vale sette giorni e una volta sola. Chi lo ha può entrare.</p>
        <Button tone="outline" icon={Copy} onClick={() => void copy()}>
          Copia il link
        </Button>
      </div>
    </Dialog>
  )
}
