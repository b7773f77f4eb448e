// Report after a restore: what differs from the state before, and what the admin has to check.
import { useState } from 'preact/hooks'
import { withArticle } from '../../../lib/date-article'
import { momentText } from '../../../lib/panel-date-format'
import { counted } from '../../../lib/plural'
import { call } from '../../api/client'
import { attempt } from '../../api/item-actions'
import { type CarriedOver, type RestoreReport, useSiteStatus } from '../../api/site-status'
import { Button } from '../../ui/button'
import { words as panelWords } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'

const words = {
  text: (when: string) =>
    `È quello della copia ${when}. Ciò che hai cambiato dopo non c’è: guardalo e rifallo.`,
  checklistTitle: 'Da guardare adesso',
  unsubscribedText:
    'Chi si è cancellato dalla newsletter dopo quella copia risulta ancora iscritto: cancellalo prima di scrivere.',
  withdrawnText:
    'Se dopo quella copia qualcuno ha ritirato una testimonianza o una foto, toglila di nuovo.',
  photoText: 'Se dopo quella copia qualcuno ti ha chiesto di togliere una foto, toglila di nuovo.',
  queueText:
    'Una newsletter era in invio o in programma: è ferma. Prima di scrivere di nuovo guarda chi l’ha già ricevuta.',
  doneAction: 'Ho guardato',
} as const

/** Sentences about the decisions that a restore keeps. `copy` names the backup: «questa copia». */
export function carriedOverLines(carried: CarriedOver | null, copy: string): readonly string[] {
  if (carried === null) return []
  const { unsubscribed, erased, withdrawn } = carried
  const lines = [
    counted(
      unsubscribed,
      `Una persona si è cancellata dopo ${copy}: resta cancellata.`,
      `{n} persone si sono cancellate dopo ${copy}: restano cancellate.`,
      '',
    ),
    counted(
      erased,
      `Un indirizzo è stato eliminato dopo ${copy}: resta eliminato.`,
      `{n} indirizzi sono stati eliminati dopo ${copy}: restano eliminati.`,
      '',
    ),
    counted(
      withdrawn,
      `Una testimonianza è stata ritirata dopo ${copy}: resta ritirata.`,
      `{n} testimonianze sono state ritirate dopo ${copy}: restano ritirate.`,
      '',
    ),
  ]
  return lines.filter((line) => line !== '')
}

export function RestoreReportCard({ restored }: { restored: RestoreReport }) {
  const load = useSiteStatus((store) => store.load)
  const [busy, setBusy] = useState(false)
  const done = async () => {
    setBusy(true)
    const path = '/api/admin/restored'
    const isDone = await attempt(panelWords.toasts.update, () => call('DELETE', path))
    await load()
    setBusy(false)
    // The focused button disappears with its card: the focus goes to the heading of the area.
    if (isDone) document.querySelector<HTMLElement>('h1')?.focus()
  }
  const carried = restored.carriedOver
  const checks: string[] =
    carried === null ? [words.unsubscribedText, words.withdrawnText] : [words.photoText]
  if (restored.endedSendings > 0) checks.push(words.queueText)
  return (
    <Card title={panelWords.restored}>
      <p>{words.text(withArticle('del', momentText(restored.copiedAt)))}</p>
      {carriedOverLines(carried, 'quella copia').map((line) => (
        <p key={line}>{line}</p>
      ))}
      <h3>{words.checklistTitle}</h3>
      <ul>
        {checks.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <div className={styles.buttons}>
        <Button tone="outline" busy={busy} onClick={() => void done()}>
          {words.doneAction}
        </Button>
      </div>
    </Card>
  )
}
