// Offers the draft of an earlier visit or another device: restore or discard, never applied without asking.
import { History } from 'lucide'
import { withArticle } from '../../lib/date-article'
import { momentText } from '../../lib/panel-date-format'
import { Icon } from '../../primitives/icon'
import { useHeadingAfter } from '../hooks/focus-recovery'
import { Button } from '../ui/button'
import styles from '../ui/item-form.module.css'
import { DraftRefusal, DraftsElsewhere } from './draft-notices'
import type { Draft } from './draft-storage'
import type { Form } from './use-form'

export function DraftRecovery({ form }: { form: Form }) {
  const own = form.name.replaceAll('/', ':')
  return (
    <>
      {form.dirty ? <DraftRefusal /> : null}
      {/* Two forms of new items are two items. */}
      {own.endsWith(':new') ? null : <DraftsElsewhere isSame={(subject) => subject === own} />}
      <DraftOffer form={form} />
    </>
  )
}

function DraftOffer({ form }: { form: Form }) {
  const { offered } = form
  useHeadingAfter(offered !== null)
  if (offered === null) return null
  return (
    <div className={styles.offer} role="status">
      <Icon size={20} of={History} />
      <p>
        C’è del testo che non hai salvato, {withArticle('del', momentText(offered.savedAt))}
        {originText(offered)}. {form.outdated ? 'Da allora qui è cambiato qualcosa. ' : ''}Lo vuoi
        riprendere?
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

/** Where a draft comes from that was not typed in this browser. */
export function originText({ device, restoredAt }: Pick<Draft, 'device' | 'restoredAt'>): string {
  const parts = [
    device === undefined ? '' : `da ${device}`,
    restoredAt === undefined ? '' : 'dal backup ripristinato',
  ].filter((part) => part !== '')
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}
