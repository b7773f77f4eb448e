// Who asked for the newsletter, in which state, and the list as a file.
import { Download, FileCheck, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { call } from '../api'
import { attempt } from '../item-actions'
import { ConsentDialog } from '../newsletter/consent'
import { Messages } from '../newsletter/messages'
import { Badge } from '../parts/badge'
import { ButtonLink, IconButton } from '../parts/button'
import { Confirm } from '../parts/confirm'
import { toastDone } from '../toast-store'
import { useLoad } from '../use-load'
import { dayText } from '../when'
import { deleteLabel, words } from '../words'
import { AreaFrame, WhenLoaded } from './area'
import styles from './areas.module.css'

export type Subscriber = {
  readonly email: string
  readonly state: 'pending' | 'collected' | 'confirmed' | 'unsubscribed' | 'unreachable'
  readonly createdAt: string
  readonly confirmedAt: string | null
  readonly consentText: string
  readonly consentVersion: string | null
  readonly page: string | null
  readonly way: 'form' | 'formOnly' | 'import' | 'unknown'
  readonly mailedAt: string | null
  readonly unsubscribedAt: string | null
}

const STATES: Readonly<
  Record<Subscriber['state'], { label: string; tone: 'quiet' | 'good' | 'bad' }>
> = {
  confirmed: { label: 'Confermata', tone: 'good' },
  collected: { label: 'Raccolta', tone: 'quiet' },
  pending: { label: 'Da confermare', tone: 'quiet' },
  unsubscribed: { label: 'Cancellata', tone: 'bad' },
  unreachable: { label: 'Non raggiungibile', tone: 'bad' },
}

const COLLECTED_HINT =
  'Il sito non può mandare posta: nessuno ha ancora confermato. Non scrivere a questi indirizzi finché non confermano.'

export function NewsletterArea() {
  const data = useLoad<readonly Subscriber[]>('/api/admin/newsletter')
  const [removing, setRemoving] = useState<string | null>(null)
  const [proving, setProving] = useState<Subscriber | null>(null)
  const remove = async (email: string) => {
    const path = `/api/admin/newsletter/${encodeURIComponent(email)}`
    const done = await attempt(words.toasts.remove, () => call('DELETE', path))
    if (done) {
      toastDone('Indirizzo eliminato')
      await data.reload()
    }
    setRemoving(null)
  }
  return (
    <AreaFrame
      title="Newsletter"
      text="Scrivi a chi ha confermato l’iscrizione. I messaggi partono dalla casella del sito, senza altri servizi."
      actions={
        <ButtonLink href="/api/admin/newsletter.csv" icon={Download} download>
          Scarica l’elenco (CSV)
        </ButtonLink>
      }
    >
      <Messages />
      <WhenLoaded data={data}>
        {(list) =>
          list.length === 0 ? (
            <p className={styles.quiet}>
              Nessun indirizzo presente. Chi si iscrive dal Blog compare qui.
            </p>
          ) : (
            <>
              {list.some(({ state }) => state === 'collected') ? (
                <p className={styles.soft}>{COLLECTED_HINT}</p>
              ) : null}
              <Table list={list} onRemove={setRemoving} onProve={setProving} />
            </>
          )
        }
      </WhenLoaded>
      {proving === null ? null : (
        <ConsentDialog
          subscriber={proving}
          onClose={() => setProving(null)}
          onChanged={data.reload}
        />
      )}
      {removing === null ? null : (
        <Confirm
          question="Sei sicuro di voler eliminare questo indirizzo?"
          confirm={words.remove}
          busyLabel={words.deleting}
          onConfirm={() => remove(removing)}
          onClose={() => setRemoving(null)}
        >
          <p>
            <b>{removing}</b>
          </p>
          <p>Con l’indirizzo si perde anche la prova del consenso.</p>
        </Confirm>
      )}
    </AreaFrame>
  )
}

function Table({
  list,
  onRemove,
  onProve,
}: {
  list: readonly Subscriber[]
  onRemove: (email: string) => void
  onProve: (subscriber: Subscriber) => void
}) {
  return (
    <table className={styles.table}>
      <caption className={styles.caption}>{`Indirizzi: ${list.length}`}</caption>
      <thead>
        <tr>
          <th scope="col">E-mail</th>
          <th scope="col">Stato</th>
          <th scope="col">Iscrizione</th>
          <th scope="col">Azioni</th>
        </tr>
      </thead>
      <tbody>
        {list.map((one) => (
          <tr key={one.email}>
            <td>{one.email}</td>
            <td>
              <Badge tone={STATES[one.state].tone}>{STATES[one.state].label}</Badge>
            </td>
            <td>{dayText(one.createdAt)}</td>
            <td>
              <IconButton
                label={`Prova del consenso: ${one.email}`}
                icon={FileCheck}
                onClick={() => onProve(one)}
              />
              <IconButton
                label={deleteLabel(one.email)}
                icon={Trash2}
                danger
                onClick={() => onRemove(one.email)}
              />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
