// Backup of all data as one file: the time of the last one, download and restore.

import { Download, FolderInput } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { unknownReason } from '../../../kinds/lazy-constants.gen'
import { momentText } from '../../../lib/panel-date-format'
import { call, reasonOf } from '../../api/client'
import { sizeText } from '../../api/file-check'
import { useItems } from '../../api/items-store'
import { kindLabels } from '../../api/kind-labels'
import { type Kind, kindSpecs } from '../../api/schema'
import { type CarriedOver, type SiteStatus, useSiteStatus } from '../../api/site-status'
import { useSession } from '../../auth/session-store'
import { Alert } from '../../auth/sign-in-form'
import { isAccidentalDoubleClick } from '../../ui/accidental-double-click'
import { Badge } from '../../ui/badge'
import { Button, ButtonLink } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Card, PageLayout } from '../../ui/page-layout'
import styles from '../../ui/page-layout.module.css'
import { CdnCard, MirrorCard, OffsiteBackupCard } from './offsite-backup-card'
import { carriedOverLines, RestoreReportCard } from './restore-report-card'

const DOWNLOAD = '/api/admin/backup'

function startDownload(href: string): void {
  const link = document.createElement('a')
  link.href = href
  link.download = ''
  link.click()
}

export function BackupArea() {
  const status = useSiteStatus((store) => store.status)
  const load = useSiteStatus((store) => store.load)
  const [problem, setProblem] = useState<string | null>(null)
  useEffect(() => void load(), [load])
  const download = async () => {
    setProblem(null)
    try {
      // A browser's download cannot show the confirmation dialog.
      await call('GET', '/api/auth/confirm')
      startDownload(DOWNLOAD)
    } catch (error) {
      setProblem(reasonOf(error) ?? words.failed)
    }
  }
  return (
    <PageLayout
      title="Backup"
      text="Tutto il sito, foto comprese, sta in un solo file. Tienine una copia anche fuori dal server."
    >
      {status === null ? null : (
        <>
          {status.restored === null ? null : <RestoreReportCard restored={status.restored} />}
          <StateCard status={status} />
          <OffsiteBackupCard copies={status.copies} />
          <MirrorCard mirror={status.mirror} />
          <CdnCard cache={status.cdn} />
        </>
      )}
      <Card title="Scarica una copia">
        <p className={styles.soft}>
          La copia è fatta e controllata mentre il sito resta in funzione. Contiene anche gli
          accessi: conservala in un posto sicuro.
        </p>
        <div className={styles.buttons}>
          <ButtonLink
            href={DOWNLOAD}
            icon={Download}
            download
            onClick={(event) => {
              event.preventDefault()
              if (!isAccidentalDoubleClick(event)) void download()
            }}
          >
            Scarica la copia
          </ButtonLink>
        </div>
        {problem === null ? null : <Alert text={problem} />}
      </Card>
      <RestoreCard />
    </PageLayout>
  )
}

const STORAGE = {
  full: 'Il disco del server è pieno: il sito resta visibile e puoi eliminare, ma non aggiungere. Libera spazio o avvisa chi gestisce il server.',
  readOnly:
    'Il disco del server non accetta modifiche: il sito resta visibile, ma per ora non si può cambiare. Avvisa chi gestisce il server.',
} as const

function StateCard({ status }: { status: SiteStatus }) {
  const { backup, publish } = status
  return (
    <Card title="Come sta il sito">
      <dl className={styles.facts}>
        <div>
          <dt>Dati</dt>
          <dd>{sizeText(status.data.bytes)}</dd>
        </div>
        <div>
          <dt>Foto</dt>
          <dd>
            {status.data.pictures} · {sizeText(status.data.pictureBytes)}
          </dd>
        </div>
        <div>
          <dt>Versione</dt>
          <dd>{status.version}</dd>
        </div>
      </dl>
      {status.storage === 'ok' ? null : <Alert text={STORAGE[status.storage]} />}
      {publish.ok ? null : (
        <Alert
          text={`Alcune pagine non sono ancora aggiornate: ${publish.error ?? unknownReason}. Il sito riprova da solo ogni minuto.`}
        />
      )}
      {backup === null ? (
        <p>
          <Badge>Nessun backup automatico</Badge> Chi gestisce il server può attivarlo.
        </p>
      ) : (
        <p>
          <Badge tone={backup.ok ? 'good' : 'bad'}>
            {backup.ok ? 'Ultimo backup verificato' : 'Ultimo backup non riuscito'}
          </Badge>{' '}
          {momentText(backup.at)}: {backup.detail}
        </p>
      )}
    </Card>
  )
}

type Inside = {
  readonly token: string
  readonly counts: Readonly<Record<string, number>>
  readonly pictures: number
  readonly accounts: number
  readonly createdAt?: string | null
  readonly bytes?: number
  readonly carriedOver: CarriedOver | null
}

function RestoreCard() {
  const input = useRef<HTMLInputElement>(null)
  const [busy, setBusy] = useState(false)
  const [inside, setInside] = useState<Inside | null>(null)
  const [problem, setProblem] = useState<string | null>(null)

  const inspect = async (file: File) => {
    setBusy(true)
    setProblem(null)
    try {
      setInside(await call<Inside>('POST', '/api/admin/restore/inspect', file))
    } catch (error) {
      setProblem(reasonOf(error) ?? 'Il file non si può leggere.')
    }
    setBusy(false)
  }
  return (
    <Card title="Ripristina una copia">
      <p className={styles.soft}>
        Scegli un file di backup: prima di sostituire qualcosa vedi che cosa contiene. I dati di
        adesso non si perdono: restano sul server, e chi lo gestisce li può rimettere.
      </p>
      <div className={styles.buttons}>
        <Button
          tone="outline"
          icon={FolderInput}
          busy={busy}
          onClick={() => input.current?.click()}
        >
          Scegli il file
        </Button>
        <input
          ref={input}
          className={styles.file}
          type="file"
          aria-label="File di backup"
          tabIndex={-1}
          onChange={(event) => {
            const file = event.currentTarget.files?.[0]
            event.currentTarget.value = ''
            if (file !== undefined) void inspect(file)
          }}
        />
      </div>
      {busy ? <p role="status">Controllo del file in corso...</p> : null}
      {problem === null ? null : <Alert text={problem} />}
      {inside === null ? null : <RestoreDialog inside={inside} onClose={() => setInside(null)} />}
    </Card>
  )
}

/** In the order of the table of kinds. */
const KINDS = Object.keys(kindSpecs).filter((kind): kind is Kind => kind in kindSpecs)

const CONFIRM_WORD = 'SOSTITUISCI'

function RestoreDialog({ inside, onClose }: { inside: Inside; onClose: () => void }) {
  const signOut = useSession((store) => store.signOut)
  const [typed, setTyped] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const replace = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await call('POST', '/api/admin/restore', { token: inside.token })
      useItems.getState().forgetAll()
      await signOut('Il sito è tornato a quella copia. Entra con l’e-mail e la password di allora.')
    } catch (error) {
      setProblem(reasonOf(error) ?? words.toasts.update)
      setBusy(false)
    }
  }
  const footer = (
    <>
      <Button tone="outline" onClick={onClose} isSafe>
        {words.cancel}
      </Button>
      <Button
        tone="danger"
        icon={FolderInput}
        busy={busy}
        disabled={typed.trim().toUpperCase() !== CONFIRM_WORD}
        onClick={() => void replace()}
      >
        Sostituisci tutto
      </Button>
    </>
  )
  return (
    <Dialog title="Che cosa contiene la copia" onClose={onClose} size="small" footer={footer}>
      <dl className={styles.facts}>
        <Fact name="Fatta il" value={momentText(inside.createdAt ?? '')} isWide />
        <Fact name="Dati" value={inside.bytes === undefined ? '' : sizeText(inside.bytes)} />
        {KINDS.map((kind) => (
          <Fact key={kind} name={kindLabels[kind].label} value={String(inside.counts[kind] ?? 0)} />
        ))}
        <div>
          <dt>Foto</dt>
          <dd>{inside.pictures}</dd>
        </div>
        <div>
          <dt>Accessi</dt>
          <dd>{inside.accounts}</dd>
        </div>
      </dl>
      {carriedOverLines(inside.carriedOver, 'questa copia').map((line) => (
        <p key={line}>{line}</p>
      ))}
      {problem === null ? null : <Alert text={problem} />}
      <TextField
        id="confirm-word"
        label={`Per continuare scrivi ${CONFIRM_WORD}`}
        value={typed}
        onChange={setTyped}
      />
    </Dialog>
  )
}

function Fact(props: { name: string; value: string; isWide?: boolean }) {
  const { name, value, isWide = false } = props
  if (value === '') return null
  return (
    <div {...(isWide ? { className: styles.wide } : {})}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  )
}
