// Proof of consent: how an address joined the list, and what its owner saw and did.
import { Download } from 'lucide'
import { momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { words as panelWords } from '../../ui/messages'
import { toastDone } from '../../ui/toast-store'
import { newsletterMessages } from './messages'
import styles from './newsletter.module.css'
import type { Subscriber } from './newsletter-api'

const WAYS: Readonly<Record<Subscriber['way'], string>> = {
  form: 'Dal riquadro del sito, con conferma per e-mail.',
  formOnly: 'Dal riquadro del sito, senza conferma per e-mail.',
  import: 'Portato da un altro elenco, con la prova indicata allora.',
  unknown: 'Non registrato',
}
const UNKNOWN = 'Non registrato'
const { refusals } = newsletterMessages

type ConsentProps = {
  subscriber: Subscriber
  onClose: () => void
  onChanged: () => Promise<void>
}

/** The lines of the dialog as a text file. */
function proofOf(lines: readonly (readonly [string, string])[]): string {
  const text = lines.map(([label, value]) => `${label}: ${value}\r\n`).join('')
  return `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
}

export function ConsentRecordDialog({ subscriber, onClose, onChanged }: ConsentProps) {
  const { email, state, consentVersion } = subscriber
  const moment = (at: string | null) => (at === null ? UNKNOWN : momentText(at))
  const lines: readonly (readonly [string, string])[] = [
    ['Indirizzo', email],
    ['Come è arrivato', WAYS[subscriber.way]],
    ['Pagina', subscriber.page ?? UNKNOWN],
    ['Iscrizione chiesta', moment(subscriber.createdAt)],
    ['E-mail di conferma inviata', moment(subscriber.mailedAt)],
    ['Confermata', moment(subscriber.confirmedAt)],
    ['Cancellata', subscriber.unsubscribedAt === null ? '–' : moment(subscriber.unsubscribedAt)],
    [
      'Testo accettato',
      `${consentVersion === null ? '' : `Versione ${consentVersion}. `}${subscriber.consentText}`,
    ],
  ]
  const change = async (what: string, done: string) => {
    const path = `/api/admin/newsletter/${encodeURIComponent(email)}/${what}`
    const ok = await attempt(panelWords.toasts.update, () => call('POST', path))
    if (ok) toastDone(done)
    await onChanged()
    onClose()
  }
  return (
    <Dialog title="Prova del consenso" onClose={onClose}>
      <div className={styles.sheet}>
        <dl className={styles.results}>
          {lines.map(([label, value]) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd className={styles.plain}>{value}</dd>
            </div>
          ))}
        </dl>
        <p className={styles.soft}>Serve se qualcuno ti chiede come hai avuto il suo indirizzo.</p>
        <div className={styles.buttons}>
          <ButtonLink href={proofOf(lines)} icon={Download} download="prova-del-consenso.txt">
            {newsletterMessages.consentExport}
          </ButtonLink>
          {state === 'unsubscribed' ? null : (
            <Button
              tone="outline"
              onClick={() => void change('unsubscribe', 'Non riceverà più la newsletter')}
            >
              Segna come cancellata
            </Button>
          )}
          {state === 'unreachable' ? (
            <Button tone="outline" onClick={() => void change('restore', refusals.restored)}>
              {refusals.restore}
            </Button>
          ) : null}
        </div>
        {state === 'unsubscribed' ? null : (
          <p
            className={styles.soft}
          >{`Segna come cancellata: ${newsletterMessages.unsubscribeHint}`}</p>
        )}
      </div>
    </Dialog>
  )
}
