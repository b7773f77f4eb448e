// Copies outside the server: where they go, how far they are, why they do not.
import { Badge } from '../parts/badge'
import { Alert } from '../sign-in-form'
import { momentText } from '../when'
import { Card } from './area'
import styles from './areas.module.css'
import type { CopiesState } from './status'

const words = {
  title: 'Copie altrove',
  text: 'Una copia cifrata del sito, fuori da questo server. Se il server si rompe, il sito torna da lì.',
  offBadge: 'Non attive',
  onBadge: 'Al passo',
  lateBadge: 'In ritardo',
  failedBadge: 'Non riuscite',
  offText: 'Oggi le copie sono solo su questo server. Chi lo gestisce può attivare quelle altrove.',
  placeLabel: 'Dove',
  lastLabel: 'Ultima copia intera',
  lastLine: (when: string) => `${when}, verificata`,
  changesLabel: 'Ultime modifiche al sicuro',
  keptLabel: 'Conservate',
  keptLine: '7 giorni, 4 settimane, 12 mesi',
  failedText: (reason: string) =>
    `L’ultima copia non è riuscita: ${reason}. Il sito riprova da solo.`,
  unknownText: 'motivo sconosciuto',
} as const

function badgeOf({ ok, isLate }: CopiesState) {
  if (!ok) return <Badge tone="bad">{words.failedBadge}</Badge>
  return isLate ? (
    <Badge tone="bad">{words.lateBadge}</Badge>
  ) : (
    <Badge tone="good">{words.onBadge}</Badge>
  )
}

export function CopiesCard({ copies }: { copies: CopiesState | null }) {
  if (copies === null) {
    return (
      <Card title={words.title}>
        <p>
          <Badge>{words.offBadge}</Badge> {words.offText}
        </p>
      </Card>
    )
  }
  return (
    <Card title={words.title}>
      <p className={styles.soft}>{words.text}</p>
      <p>{badgeOf(copies)}</p>
      {copies.ok ? null : <Alert text={words.failedText(copies.reason ?? words.unknownText)} />}
      <dl className={styles.facts}>
        <div>
          <dt>{words.placeLabel}</dt>
          <dd>{copies.place}</dd>
        </div>
        {copies.wholeAt === null ? null : (
          <div>
            <dt>{words.lastLabel}</dt>
            <dd>{words.lastLine(momentText(copies.wholeAt))}</dd>
          </div>
        )}
        {copies.changesAt === null ? null : (
          <div>
            <dt>{words.changesLabel}</dt>
            <dd>{momentText(copies.changesAt)}</dd>
          </div>
        )}
        <div>
          <dt>{words.keptLabel}</dt>
          <dd>{words.keptLine}</dd>
        </div>
      </dl>
    </Card>
  )
}
