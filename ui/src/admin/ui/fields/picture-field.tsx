// Image field: choose, drop or paste; uploads at once with progress, shows why a file is refused.

import { Crop as CropIcon, Images, ImageUp, Trash2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import { limits } from '../../../kinds/kinds.gen'
import { isStatus, reasonOf, uploadFile } from '../../api/client'
import { checkedFile, PICTURE_TYPES, sizeText } from '../../api/file-check'
import type { Picture } from '../../api/schema'
import { chooseStoredPicture, cropPicture } from '../../hooks/picture-dialogs'
import { useFileDrop } from '../../hooks/use-file-drop'
import { Button } from '../button'
import { words } from '../messages'
import { Progress } from '../progress'
import { toastFailed } from '../toast-store'
import { type Crop, ratiosOf, type Size } from './crop-frames'
import { Problem, problemId } from './field-shell'
import styles from './picture-field.module.css'
import { pictureMessages } from './picture-messages'

type PictureFieldProps = {
  id: string
  label: string
  /** Path of the image, empty for none. */
  path: string
  /** Data of the saved image; the field may show another one meanwhile. */
  saved?: Picture | null | undefined
  help?: string | undefined
  problem?: string | undefined
  required: boolean
  /**
   * `filename` is empty unless the picture was uploaded just now. `alt` is the alternative text that a chosen picture has
   * elsewhere, empty for an upload; null for the same picture, cropped or turned, which keeps its text.
   */
  onChange: (path: string, filename: string, alt: string | null) => void
  /** `failure` is the error of a failed upload. */
  onBusy: (busy: boolean, failure?: unknown) => void
  /** Cuts of a picture of this size, offered as proportions. */
  crops?: (size: Size) => readonly Crop[]
  /** Receives files that are dropped anywhere on the page. */
  takesDrops?: boolean
  /** The value lives outside of the field: an upload may end after unmount. */
  outlives?: boolean
}

export function PictureField(props: PictureFieldProps) {
  const { id, label, path, help, required, onChange } = props
  const input = useRef<HTMLInputElement>(null)
  const upload = usePictureUpload(props)
  const problem = upload.problem ?? props.problem
  const chooseStored = async () => {
    const chosen = await chooseStoredPicture()
    if (chosen === null) return
    upload.cancel()
    onChange(chosen.url, '', chosen.alt ?? '')
  }
  const crop = async () => {
    const made = await cropPicture(path, (size) => ratiosOf(props.crops?.(size) ?? []))
    if (made !== null) onChange(made, '', null)
  }
  useFileDrop(props.takesDrops === true, ([file]) => void (file && upload.start(file)))

  return (
    <fieldset className={styles.picture}>
      <legend className={styles.label}>{label}</legend>
      {help === undefined ? null : <p className={styles.help}>{help}</p>}
      <div className={upload.shown === '' ? styles.none : styles.some}>
        {upload.shown === '' ? null : (
          <img src={upload.shown} alt="Immagine attuale" onError={upload.onError} />
        )}
        {props.saved?.url === path ? <p className={styles.help}>{sizesText(props.saved)}</p> : null}
        {upload.percent === null ? null : (
          <Progress percent={upload.percent} label={`${label}: caricamento`} />
        )}
        <div className={styles.actions}>
          <Button
            tone="outline"
            small
            icon={ImageUp}
            busy={upload.percent !== null}
            onClick={() => input.current?.click()}
          >
            {path === '' ? pictureMessages.add : pictureMessages.replace}
          </Button>
          <Button tone="outline" small icon={Images} onClick={() => void chooseStored()}>
            {pictureMessages.choose}
          </Button>
          {path === '' || upload.percent !== null ? null : (
            <Button tone="outline" small icon={CropIcon} onClick={() => void crop()}>
              {pictureMessages.crop}
            </Button>
          )}
          {path === '' || required ? null : (
            <Button tone="quiet" small icon={Trash2} onClick={() => onChange('', '', '')}>
              {pictureMessages.remove}
            </Button>
          )}
        </div>
      </div>
      <input
        ref={input}
        id={id}
        className={styles.input}
        type="file"
        accept={PICTURE_TYPES}
        aria-label={label}
        tabIndex={-1}
        onChange={(event) => {
          const file = event.currentTarget.files?.[0]
          event.currentTarget.value = ''
          if (file !== undefined) upload.start(file)
        }}
      />
      {upload.notice === null ? null : (
        <p className={styles.help} role="status">
          {upload.notice}
        </p>
      )}
      {problem === undefined ? null : (
        <div role="alert">
          <Problem id={problemId(id)} text={problem} />
        </div>
      )}
    </fieldset>
  )
}

function usePictureUpload(props: PictureFieldProps) {
  // An entry may be moved during its upload.
  const latest = useRef(props)
  latest.current = props
  const isGone = useRef(false)
  const [percent, setPercent] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  /** About the image at a path; another image has none. */
  const [notice, setNotice] = useState({ path: '', text: '' })
  const running = useRef<AbortController | null>(null)
  const local = useLocalPicture(props.path)
  useEffect(
    () => () => {
      isGone.current = true
      if (latest.current.outlives !== true) running.current?.abort()
    },
    [],
  )

  const start = async (chosen: File) => {
    local.show(chosen)
    const { file, refusal } = await checkedFile(chosen)
    setProblem(refusal ?? undefined)
    if (refusal !== null) {
      local.show(null)
      if (file.size > limits.uploadBytesMax) window.alert(refusal)
      return
    }
    running.current?.abort()
    const abort = new AbortController()
    running.current = abort
    props.onBusy(true)
    setPercent(0)
    let failure: unknown = null
    try {
      let text = ''
      const path = await uploadFile(file, setPercent, abort.signal, (told) => {
        text = told
      })
      setNotice({ path, text })
      local.keepFor(path)
      latest.current.onChange(path, file.name, '')
    } catch (error) {
      failure = error
      if (!abort.signal.aborted) local.show(null)
      if (isGone.current && !abort.signal.aborted) toastFailed(words.toasts.upload, reasonOf(error))
      else if (!abort.signal.aborted) setProblem(failureText(error))
    } finally {
      if (running.current === abort) {
        setPercent(null)
        latest.current.onBusy(false, failure)
      }
    }
  }
  const { shown, onError } = local
  return {
    percent,
    problem,
    notice: notice.text !== '' && notice.path === props.path ? notice.text : null,
    shown,
    onError,
    start: (file: File) => void start(file),
    cancel: () => {
      running.current?.abort()
      setProblem(undefined)
      local.show(null)
    },
  }
}

/**
 * Shows the chosen file itself, also after its upload: the server takes seconds for a photograph of
 * 12 megapixels. `shown` is the address of the file, or of the image when it has none.
 */
function useLocalPicture(path: string) {
  const [file, setFile] = useState<{ url: string; path: string | null } | null>(null)
  useEffect(() => () => void (file && URL.revokeObjectURL(file.url)), [file?.url])
  const isShown = file !== null && (file.path === null || file.path === path)
  return {
    shown: isShown ? file.url : path,
    show: (chosen: File | null) =>
      setFile(chosen === null ? null : { url: URL.createObjectURL(chosen), path: null }),
    keepFor: (stored: string) => setFile((now) => now && { ...now, path: stored }),
    // This browser cannot decode the file.
    onError: () => setFile(null),
  }
}

function sizesText({ width, height, bytes }: Picture): string {
  const original = `${width} × ${height} pixel, ${sizeText(bytes.original)}`
  return `${original}; con le copie per ogni schermo ${sizeText(bytes.served)}`
}

function failureText(error: unknown): string {
  const reason = reasonOf(error) ?? words.toasts.upload
  return isStatus(error, 0) ? `${words.toasts.upload}: ${reason}` : reason
}
