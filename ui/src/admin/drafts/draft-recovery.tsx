// Offers the draft of an earlier visit: restore or discard, never applied without asking.
import { History } from 'lucide'
import { momentText } from '../../lib/panel-date-format'
import { Icon } from '../../primitives/icon'
import { useHeadingAfter } from '../hooks/focus-recovery'
import { Button } from '../ui/button'
import styles from '../ui/item-form.module.css'
import type { Form } from './use-form'

export function DraftRecovery({ form }: { form: Form }) {
  const { offered } = form
  useHeadingAfter(offered !== null)
  if (offered === null) return null
  return (
    <div className={styles.offer} role="status">
      <Icon size={20} of={History} />
      <p>
        C’è del testo che non hai salvato, del {momentText(offered.savedAt)}.{' '}
        {form.outdated ? 'Da allora qui è cambiato qualcosa. ' : ''}Lo vuoi riprendere?
      </p>
      <Button tone="outline" small onClick={form.takeBack}>
        Riprendi
      </Button>
      <Button tone="quiet" small onClick={form.throwAway}>
        Scarta
      </Button>
    </div>
  )
}
