// One row per file: thumbnail, name, size, state, and the reason of a failure.
import { Check, CircleAlert, ImageUp, PenLine, RotateCcw, X } from 'lucide'
import type { ComponentChild } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { classNames } from '../../../lib/class-names'
import { Icon } from '../../../primitives/icon'
import { sizeText } from '../../api/file-check'
import { type FieldSpec, type Kind, kindSpecs, problemOf, type Values } from '../../api/schema'
import { Button, IconButton } from '../../ui/button'
import { cropsOf } from '../../ui/fields/crop-frames'
import { FocalPointPanel } from '../../ui/fields/focal-point-panel'
import { PictureTexts } from '../../ui/fields/picture-texts'
import { TextField } from '../../ui/fields/text-field'
import { words } from '../../ui/messages'
import { Progress } from '../../ui/progress'
// biome-ignore lint/style/noRestrictedImports: a batch shows the texts of the item form
import { fieldWording } from '../items/form-messages'
import styles from './add-pictures.module.css'
import type { FileFields, FileProblems } from './batch-draft-images'
import { countOf, type Queue, type Row, type RowState, usable } from './upload-queue'
import type { Uploader } from './uploader'

type UploadRowsProps = {
  kind: Kind
  queue: Queue
  uploader: Uploader
  many: boolean
  texts: FileFields
  /** Validation messages of single files, after the first attempt to send. */
  problems: FileProblems
  onTexts: (key: string, values: Values) => void
}

export function UploadRows(props: UploadRowsProps) {
  const { kind, queue, uploader, many, texts, problems, onTexts } = props
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
            isWrong={Object.keys(problems[row.key] ?? {}).length > 0}
            cuts={
              <Cuts
                kind={kind}
                path={row.imagePath}
                values={texts[row.key] ?? {}}
                onChange={(values) => onTexts(row.key, values)}
              />
            }
            details={
              many && row.state !== 'skipped' ? (
                <OwnTexts
                  kind={kind}
                  row={row}
                  values={texts[row.key] ?? {}}
                  problems={problems[row.key] ?? {}}
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

type FileRowProps = {
  row: Row
  uploader: Uploader
  /** The texts of the file are invalid: the row is expanded. */
  isWrong: boolean
  cuts: ComponentChild
  details: ComponentChild
}

function FileRow({ row, uploader, isWrong, cuts, details }: FileRowProps) {
  const [opened, setOpen] = useState(false)
  const open = opened || isWrong
  const refused = row.state === 'failed' || row.state === 'skipped'
  return (
    <li className={refused ? `${styles.file} ${styles.refused}` : styles.file}>
      <Thumbnail file={uploader.fileOf(row.key)} stored={row.imagePath} />
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
      {cuts}
    </li>
  )
}

type CutsProps = {
  kind: Kind
  path: string | null
  values: Values
  onChange: (values: Values) => void
}

function Cuts({ kind, path, values, onChange }: CutsProps) {
  if (path === null) return null
  const number = (name: string) => (typeof values[name] === 'number' ? values[name] : 50)
  return (
    <div className={styles.cuts}>
      <FocalPointPanel
        src={path}
        crops={(size) => cropsOf(kind, size)}
        onlyWhereNeeded
        point={{
          x: number('imageFocusX'),
          y: number('imageFocusY'),
          onChange: (imageFocusX, imageFocusY) => onChange({ imageFocusX, imageFocusY }),
        }}
      />
    </div>
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

const FILE_ICON_PATH = '/api/file-icon'

/** Shows the local file before it is uploaded. */
function Thumbnail({ file, stored }: { file: File | null; stored: string | null }) {
  const [address, setAddress] = useState<string | null>(null)
  const [broken, setBroken] = useState(false)
  useEffect(() => {
    if (file === null) return undefined
    const made = URL.createObjectURL(file)
    setAddress(made)
    return () => URL.revokeObjectURL(made)
  }, [file])
  // A file that this browser cannot decode gets a file icon.
  if (broken) return <img src={FILE_ICON_PATH} alt="" className={styles.fileIcon} />
  if (file === null && stored !== null) return <img src={stored} alt="" />
  if (address !== null) return <img src={address} alt="" onError={() => setBroken(true)} />
  return (
    <span className={styles.noPicture}>
      <Icon size={20} of={ImageUp} />
    </span>
  )
}

/** Fields that each picture of a batch can override: title, description and link. */
function ownFields(kind: Kind): readonly (readonly [string, FieldSpec])[] {
  return Object.entries(kindSpecs[kind].fields).filter(
    ([name, { type }]) => name === 'title' || name === 'description' || type === 'url',
  )
}

/** Validation messages of one picture, by field name. */
export function rowProblems(kind: Kind, values: Values): Readonly<Record<string, string>> {
  return problemsIn(ownFields(kind), values)
}

/** Validation messages of the texts that all pictures share, by field name. */
export function sharedProblems(kind: Kind, values: Values): Readonly<Record<string, string>> {
  return problemsIn(Object.entries(kindSpecs[kind].fields), values)
}

/** No field is required: a picture is enough. */
function problemsIn(
  fields: readonly (readonly [string, FieldSpec])[],
  values: Values,
): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  for (const [name, field] of fields) {
    const free = { ...field, required: false }
    const problem = problemOf(free, values[name] ?? null, words.problems)
    if (problem !== null) found[name] = problem
  }
  return found
}

type OwnTextsProps = {
  kind: Kind
  row: Row
  values: Values
  problems: Readonly<Record<string, string>>
  onChange: (values: Values) => void
}

function OwnTexts({ kind, row, values, problems, onChange }: OwnTextsProps) {
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '')
  return (
    <>
      {ownFields(kind).map(([name, field]) => (
        <TextField
          key={name}
          id={`${row.key}-${name}`}
          label={fieldWording(kind, name).label}
          placeholder={fieldWording(kind, name).placeholder}
          type={field.type === 'url' ? 'url' : 'text'}
          problem={problems[name]}
          value={text(name)}
          onChange={(value) => onChange({ [name]: value })}
        />
      ))}
      <PictureTexts
        id={row.key}
        values={values}
        max={300}
        uploaded={row.imagePath ?? undefined}
        onChange={onChange}
      />
    </>
  )
}
