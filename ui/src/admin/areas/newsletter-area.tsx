// Who asked for the newsletter, in which state, and the list as a file.
import { Download, Trash2 } from 'lucide'
import { useState } from 'preact/hooks'
import { call } from '../api'
import { attempt } from '../item-actions'
import { Badge } from '../parts/badge'
import { ButtonLink, IconButton } from '../parts/button'
import { Confirm } from '../parts/confirm'
import { toastDone } from '../toast-store'
import { useLoad } from '../use-load'
import { dayText } from '../when'
import { deleteLabel, words } from '../words'
import { AreaFrame, WhenLoaded } from './area'
import styles from './areas.module.css'

type Subscriber = {
  readonly email: string
  readonly state: 'pending' | 'collected' | 'confirmed' | 'unsubscribed'
  readonly createdAt: string
  readonly confirmedAt: string | null
}

const STATES: Readonly<
  Record<Subscriber['state'], { label: string; tone: 'quiet' | 'good' | 'bad' }>
> = {
  confirmed: { label: 'Confermata', tone: 'good' },
  collected: { label: 'Raccolta', tone: 'quiet' },
  pending: { label: 'Da confermare', tone: 'quiet' },
  unsubscribed: { label: 'Cancellata', tone: 'bad' },
}

const COLLECTED_HINT =
  'Il sito non può mandare posta: nessuno ha ancora confermato. Non scrivere a questi indirizzi finché non confermano.'

export function NewsletterArea() {
  const data = useLoad<readonly Subscriber[]>('/api/admin/newsletter')
  const [removing, setRemoving] = useState<string | null>(null)
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
      text="Gli indirizzi lasciati nella pagina Blog. Scrivi solo a chi ha confermato."
      actions={
        <ButtonLink href="/api/admin/newsletter.csv" icon={Download} download>
          Scarica l’elenco (CSV)
        </ButtonLink>
      }
    >
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
              <Table list={list} onRemove={setRemoving} />
            </>
          )
        }
      </WhenLoaded>
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
}: {
  list: readonly Subscriber[]
  onRemove: (email: string) => void
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
