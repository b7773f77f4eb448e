// Cards for off-site copies (target, progress, failures), the mirror of the pages, and the CDN.

import { CloudUpload, RotateCcw } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { noPlace, unknownReason } from '../../../kinds/lazy-constants.gen'
import { ageText, momentText } from '../../../lib/panel-date-format'
import { call } from '../../api/client'
import { sizeText } from '../../api/file-check'
import { attempt } from '../../api/item-actions'
import {
  type CdnState,
  type MirrorState,
  type OffsiteBackupState,
  useSiteStatus,
} from '../../api/site-status'
import { Alert } from '../../auth/sign-in-form'
import { Badge } from '../../ui/badge'
import { Button } from '../../ui/button'
import { words as panelWords } from '../../ui/messages'
import { Card } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { toastDone, toastFailed } from '../../ui/toast-store'

const LOOK_MS = 1500

/** Polls the site status while an operation is running. */
function useLooks(isUnderWay: boolean): void {
  const load = useSiteStatus((store) => store.load)
  useEffect(() => {
    if (!isUnderWay) return
    const timer = setInterval(() => void load(true), LOOK_MS)
    return () => clearInterval(timer)
  }, [isUnderWay, load])
}

const words = {
  title: 'Copie altrove',
  text: 'Una copia cifrata del sito, fuori da questo server. Se il server si rompe, il sito torna da lì.',
  offBadge: 'Non attive',
  onBadge: 'Al passo',
  lateBadge: 'In ritardo',
  failedBadge: 'Non riuscite',
  offText: noPlace,
  placeLabel: 'Dove',
  lastLabel: 'Ultima copia intera',
  lastLine: (when: string, age: string) => `${when}, verificata (${age} fa)`,
  changesLabel: 'Ultime modifiche al sicuro',
  changesLine: (age: string) => `${age} fa`,
  sendingBadge: 'In corso',
  lateText: (age: string) =>
    `L’ultima copia intera è di ${age} fa. Inoltra questo avviso a chi gestisce il server.`,
  nowAction: 'Fai una copia adesso',
  doneToast: 'Copia fatta e verificata',
  failedToast: 'La copia non è riuscita',
  busyLine: (there: number, all: number) => `Copia in corso: ${there} di ${all} parti.`,
  sizeLabel: 'Spazio usato',
  keptLabel: 'Conservate',
  keptLine: '7 giorni, 4 settimane, 12 mesi',
  failedText: (reason: string) =>
    `L’ultima copia non è riuscita: ${reason}. Il sito riprova da solo.`,
  unknownText: unknownReason,
} as const

const mirrorWords = {
  title: 'Sito di riserva',
  text: 'Una copia delle pagine pubblicate, che resta leggibile anche se il server si ferma.',
  syncedLine: (when: string) => `Uguale al sito: ${when}`,
  lateLine: (age: string, reason: string) => `Indietro di ${age}: ${reason}.`,
  emptyLine: 'Non ancora pubblicata.',
} as const

const cacheWords = {
  title: 'Copia veloce (CDN)',
  onLine: 'Le novità si vedono entro pochi secondi.',
  staleLine: (reason: string) =>
    `L’ultimo aggiornamento non è arrivato alla copia veloce: ${reason}.`,
  purgeAction: 'Aggiorna adesso',
  purgedToast: 'La copia veloce si sta aggiornando',
} as const

function badgeOf({ ok, isLate, isSending }: OffsiteBackupState) {
  if (isSending) return <Badge>{words.sendingBadge}</Badge>
  if (!ok) return <Badge tone="bad">{words.failedBadge}</Badge>
  return isLate ? (
    <Badge tone="bad">{words.lateBadge}</Badge>
  ) : (
    <Badge tone="good">{words.onBadge}</Badge>
  )
}

export function OffsiteBackupCard({ copies }: { copies: OffsiteBackupState | null }) {
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
      <p>
        {badgeOf(copies)}
        {copies.parts && ` ${words.busyLine(copies.parts.there, copies.parts.all)}`}
      </p>
      {copies.ok && copies.isLate && copies.wholeAt !== null ? (
        <Alert text={words.lateText(ageText(copies.wholeAt))} />
      ) : null}
      {copies.ok ? null : <Alert text={words.failedText(copies.reason ?? words.unknownText)} />}
      <dl className={styles.facts}>
        <div>
          <dt>{words.placeLabel}</dt>
          <dd>{copies.place}</dd>
        </div>
        {copies.wholeAt === null ? null : (
          <div>
            <dt>{words.lastLabel}</dt>
            <dd>{words.lastLine(momentText(copies.wholeAt), ageText(copies.wholeAt))}</dd>
          </div>
        )}
        {copies.changesAt === null ? null : (
          <div>
            <dt>{words.changesLabel}</dt>
            <dd>{words.changesLine(ageText(copies.changesAt))}</dd>
          </div>
        )}
        {copies.bytes === null ? null : (
          <div>
            <dt>{words.sizeLabel}</dt>
            <dd>{sizeText(copies.bytes)}</dd>
          </div>
        )}
        <div>
          <dt>{words.keptLabel}</dt>
          <dd>{words.keptLine}</dd>
        </div>
      </dl>
      <CopyNow copies={copies} />
    </Card>
  )
}

/** Requests a copy, then shows a toast once it has succeeded or failed. */
function CopyNow({ copies }: { copies: OffsiteBackupState }) {
  const load = useSiteStatus((store) => store.load)
  const [asked, setAsked] = useState(false)
  const followed = useRef(false)
  const { isSending } = copies
  useLooks(isSending)
  useEffect(() => {
    if (isSending) followed.current = asked
    if (isSending || !followed.current) return
    followed.current = false
    setAsked(false)
    if (copies.ok) toastDone(words.doneToast)
    else toastFailed(words.failedToast, copies.reason)
  }, [isSending, asked, copies])
  const ask = async () => {
    setAsked(true)
    const taken = await attempt(words.failedToast, () => call('POST', '/api/admin/copies'))
    if (!taken) setAsked(false)
    await load()
  }
  return (
    <div className={styles.buttons}>
      <Button tone="outline" icon={CloudUpload} busy={isSending} onClick={() => void ask()}>
        {words.nowAction}
      </Button>
    </div>
  )
}

/** The mirror of the published pages in a bucket; nothing without one. */
export function MirrorCard({ mirror }: { mirror: MirrorState | null }) {
  if (mirror === null) return null
  const { ok, syncedAt, reason } = mirror
  return (
    <Card title={mirrorWords.title}>
      <p className={styles.soft}>{mirrorWords.text}</p>
      {syncedAt === null && ok ? <p>{mirrorWords.emptyLine}</p> : null}
      {syncedAt !== null && ok ? <p>{mirrorWords.syncedLine(momentText(syncedAt))}</p> : null}
      {ok ? null : (
        <Alert
          text={
            syncedAt === null
              ? words.failedText(reason ?? words.unknownText)
              : mirrorWords.lateLine(ageText(syncedAt), reason ?? words.unknownText)
          }
        />
      )}
      <dl className={styles.facts}>
        <div>
          <dt>{words.placeLabel}</dt>
          <dd>{mirror.place}</dd>
        </div>
      </dl>
    </Card>
  )
}

/** The cache or CDN in front of the site that is notified of each publish; nothing without one. */
export function CdnCard({ cache }: { cache: CdnState | null }) {
  const load = useSiteStatus((store) => store.load)
  const isTelling = cache?.isTelling ?? false
  useLooks(isTelling)
  if (cache === null) return null
  const ask = async () => {
    const taken = await attempt(panelWords.toasts.update, () => call('POST', '/api/admin/cdn'))
    if (taken) toastDone(cacheWords.purgedToast)
    await load()
  }
  return (
    <Card title={cacheWords.title}>
      {cache.reason === null ? (
        <p>{cacheWords.onLine}</p>
      ) : (
        <Alert text={cacheWords.staleLine(cache.reason)} />
      )}
      <div className={styles.buttons}>
        <Button tone="outline" icon={RotateCcw} busy={isTelling} onClick={() => void ask()}>
          {cacheWords.purgeAction}
        </Button>
      </div>
    </Card>
  )
}
