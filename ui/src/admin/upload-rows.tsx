// One row per file: picture, name, size, state, and the reason when it did not go.
import { Check, CircleAlert, ImageUp, PenLine, RotateCcw, X } from 'lucide'
import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { classNames } from '../lib/class-names'
import { Icon } from '../primitives/icon'
import type { RowTexts } from './add-pictures'
import styles from './add-pictures.module.css'
import { PictureTexts } from './fields/picture-texts'
import { TextField } from './fields/text-field'
import { sizeText } from './file-check'
import { Button, IconButton } from './parts/button'
import { Progress } from './parts/progress'
import { type Kind, kindSpecs, type Values } from './schema'
import { countOf, type Queue, type Row, type RowState, usable } from './upload-queue'
import type { Uploader } from './uploader'
import { fieldWording } from './wording'
import { words } from './words'

type UploadRowsProps = {
  kind: Kind
  queue: Queue
  uploader: Uploader
  many: boolean
  texts: RowTexts
  onTexts: (key: string, values: Values) => void
}

export function UploadRows({ kind, queue, uploader, many, texts, onTexts }: UploadRowsProps) {
  if (queue.rows.length === 0) return null
  return (
    <div>
      <p className={styles.summary} aria-live="polite">
        {summaryOf(queue)}
      </p>
      <ul className={styles.files}>
        {queue.rows.map((row) => (
          <FileRow
            key={row.key}
            row={row}
            uploader={uploader}
            details={
              many && row.state !== 'skipped' ? (
                <OwnTexts
                  kind={kind}
                  row={row}
                  values={texts[row.key] ?? {}}
                  onChange={(values) => onTexts(row.key, values)}
                />
              ) : null
            }
          />
        ))}
      </ul>
    </div>
  )
}

function summaryOf(queue: Queue): string {
  const total = usable(queue).length
  const stored = countOf(queue, 'stored', 'saving', 'done')
  if (queue.halted) return `Caricamento interrotto: ${stored} su ${total} caricate.`
  if (stored === total) return `Immagini selezionate: ${total}`
  return `Caricamento di ${Math.min(stored + 1, total)} su ${total}...`
}

type FileRowProps = { row: Row; uploader: Uploader; details: ComponentChild }

function FileRow({ row, uploader, details }: FileRowProps) {
  const [open, setOpen] = useState(false)
  const refused = row.state === 'failed' || row.state === 'skipped'
  return (
    <li className={refused ? `${styles.file} ${styles.refused}` : styles.file}>
      <Thumbnail file={uploader.fileOf(row.key)} />
      <div className={styles.name}>
        <b>{row.filename}</b> <small>{sizeText(row.bytes)}</small>
        {row.state === 'sending' ? <Progress percent={row.percent} label={row.filename} /> : null}
        {row.reason === null ? null : (
          <span className={styles.why}>
            <Icon of={CircleAlert} size={17} />
            {row.reason}
          </span>
        )}
      </div>
      {row.state === 'failed' ? (
        <Button tone="outline" small icon={RotateCcw} onClick={() => uploader.resume()}>
          {words.retry}
        </Button>
      ) : (
        <StateText row={row} />
      )}
      <div className={styles.buttons}>
        {details === null ? null : (
          <IconButton
            label={`Testi di ${row.filename}`}
            icon={PenLine}
            pressed={open}
            onClick={() => setOpen(!open)}
          />
        )}
        <IconButton
          label={`Rimuovi: ${row.filename}`}
          icon={X}
          disabled={row.state === 'saving' || row.state === 'done'}
          onClick={() => uploader.remove(row.key)}
        />
      </div>
      {open && details !== null ? <div className={styles.details}>{details}</div> : null}
    </li>
  )
}

const STATE_TEXTS: Readonly<Record<RowState, string>> = {
  waiting: 'In attesa',
  sending: '',
  stored: 'Caricata',
  saving: 'Salvataggio...',
  done: 'Aggiunta',
  failed: '',
  unsent: 'Non inviata',
  skipped: 'Saltata',
}

function StateText({ row }: { row: Row }) {
  const good = row.state === 'stored' || row.state === 'done'
  const text = row.state === 'sending' ? `${row.percent}%` : STATE_TEXTS[row.state]
  const skipped = row.state === 'skipped'
  const names = classNames(styles.state, good && styles.good, skipped && styles.badState)
  return (
    <span className={names}>
      {good ? <Icon of={Check} size={17} /> : null}
      {text}
    </span>
  )
}

/** The file as it lies on this device: shown before it is sent. */
function Thumbnail({ file }: { file: File | null }) {
  const [address, setAddress] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (file === null) return undefined
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  if (address === null || broken) {
    return (
      <span className={styles.noPicture}>
        <Icon size={20} of={ImageUp} />
      </span>
    )
  }
  return <img src={address} alt="" onError={() => setBroken(true)} />
}

type OwnTextsProps = {
  kind: Kind
  row: Row
  values: Values
  onChange: (values: Values) => void
}

function OwnTexts({ kind, row, values, onChange }: OwnTextsProps) {
  const { fields } = kindSpecs[kind]
  const names = ['title', 'description'].filter((name) => name in fields)
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  return (
    <>
      {names.map((name) => (
        <TextField
          key={name}
          id={`${row.key}-${name}`}
          label={fieldWording(kind, name).label}
          placeholder={fieldWording(kind, name).placeholder}
          value={text(name)}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <PictureTexts id={row.key} values={values} max={300} onChange={onChange} />
    </>
  )
}
