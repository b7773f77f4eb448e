// Creates items from a batch of pictures, which upload one after another while the admin types their texts.
import { Images } from 'lucide'
import { useEffect, useRef, useState, useSyncExternalStore } from 'preact/compat'
import { limits } from '../../../kinds/kinds.gen'
import { newCreationKey, uploadFile } from '../../api/client'
import { checkedFile } from '../../api/file-check'
import { createItemOnly, useItems } from '../../api/items-store'
import { kindLabels } from '../../api/kind-labels'
import { bodyOf, formValues, type Kind, kindSpecs, type Value, type Values } from '../../api/schema'
import { DraftRecovery } from '../../drafts/draft-recovery'
import { type Form, useForm, useLeaveGuard } from '../../drafts/use-form'
import { chooseStoredPicture } from '../../hooks/picture-dialogs'
import { useFileDrop } from '../../hooks/use-file-drop'
import { useSaveKey } from '../../hooks/use-keys'
import { Button } from '../../ui/button'
import { Dialog } from '../../ui/dialog'
import { focusFirstProblem } from '../../ui/fields/focus-first-problem'
import { Switch } from '../../ui/fields/switch-field'
import { words } from '../../ui/messages'
import { toastDone, toastFailed } from '../../ui/toast-store'
// biome-ignore lint/style/noRestrictedImports: a batch shows the texts of the item form
import { formMessages } from '../items/form-messages'
// biome-ignore lint/style/noRestrictedImports: a batch is left like the item form
import { LeaveDialog } from '../items/item-editor'
// biome-ignore lint/style/noRestrictedImports: a batch shows the notes of the item form
import { Note } from '../items/item-fields'
import type { FileFields, FileProblems } from './batch-draft-images'
import { PICTURES, useBatchDraftImages } from './batch-draft-images'
import { BatchFields } from './batch-fields'
import { DropZone } from './drop-zone'
import { batchMessages, batchUploadMessages } from './messages'
import { countOf, isFinished, type Queue, type Row, usable, wouldLoseFiles } from './upload-queue'
import { rowProblems, sharedProblems, UploadRows } from './upload-rows'
import { Uploader, type UploaderParts } from './uploader'

/** The name becomes a title, which is shorter than an alternative text may be. */
const STORED_NAME_CHARACTERS_MAX = 100

type AddPicturesProps = { kind: Kind; files: readonly File[]; onClose: () => void }

export function AddPictures({ kind, files, onClose }: AddPicturesProps) {
  const own = formMessages[kind]
  const plainForm = useForm(`${kind}/new`, sharedValues(kind), null)
  const [texts, setTexts] = useState<FileFields>({})
  const { uploader, queue, add } = useBatch({ kind, form: plainForm, texts, onClose })
  const form = useBatchDraftImages({ form: plainForm, queue, uploader, texts, setTexts })
  const [asking, setAsking] = useState(false)

  useEffect(() => void add(files), [add, files])
  useFileDrop(true, (dropped) => void add(dropped))
  useLeaveGuard(wouldLoseFiles(queue))

  const addStored = async () => {
    const stored = await chooseStoredPicture()
    if (stored === null) return
    const { url, alt, bytes } = stored
    const filename = (alt ?? batchUploadMessages.storedName).slice(0, STORED_NAME_CHARACTERS_MAX)
    const [key] = uploader.restore([{ filename, bytes: bytes.original, imagePath: url }])
    if (key === undefined || alt === null) return
    setTexts((all) => ({ ...all, [key]: { imageAlt: alt } }))
    // The form shows the text of a single picture.
    const isSingle = usable(uploader.current()).length === 1
    if (isSingle && (form.values.imageAlt ?? '') === '') form.set({ imageAlt: alt })
  }
  const busy = queue.submitted && !queue.halted && !isFinished(queue)
  const many = usable(queue).length > 1
  const { check, problems, forgive } = useTextCheck({ kind, form, texts, queue, many })
  const submit = () => {
    if (busy) return
    if (usable(queue).length === 0) toastFailed(words.toasts.noImage, null)
    else if (check()) uploader.submit()
    else focusFirstProblem()
  }
  const close = () => {
    if (wouldLoseFiles(queue) || (form.dirty && !form.kept)) {
      setAsking(true)
      return
    }
    if (form.dirty) toastDone(words.keptForLater)
    uploader.close()
    onClose()
  }
  useSaveKey(submit)

  const footer = (
    <>
      <Button tone="quiet" onClick={close}>
        {words.cancel}
      </Button>
      <Button busy={busy} onClick={submit}>
        {queue.halted ? batchUploadMessages.resume : own.addSubmit}
      </Button>
    </>
  )
  return (
    <Dialog title={own.addTitle} onClose={close} size="large" footer={footer}>
      <DraftRecovery form={form} />
      <DropZone onFiles={(chosen) => void add(chosen)} />
      <Button tone="outline" small icon={Images} onClick={() => void addStored()}>
        {batchUploadMessages.stored}
      </Button>
      <UploadRows
        kind={kind}
        queue={queue}
        uploader={uploader}
        many={many}
        texts={texts}
        problems={problems}
        onTexts={(key, values) => {
          setTexts({ ...texts, [key]: { ...texts[key], ...values } })
          forgive(key)
        }}
      />
      <BatchFields
        kind={kind}
        form={form}
        many={many}
        uploaded={usable(queue)[0]?.imagePath ?? undefined}
      />
      {own.publishButton === undefined ? (
        <Switch
          label={kindLabels[kind].status.switch}
          checked={form.values.published === true}
          onChange={(published) => form.set({ published })}
        />
      ) : null}
      {[own.note, own.noteWhenNew].map((note) =>
        note === undefined ? null : <Note key={note} text={note} />,
      )}
      {asking ? (
        <LeaveDialog
          onStay={() => setAsking(false)}
          onLeave={() => {
            uploader.close()
            onClose()
          }}
        />
      ) : null}
    </Dialog>
  )
}

type TextCheckParts = { kind: Kind; form: Form; texts: FileFields; queue: Queue; many: boolean }

/** Validates all texts before the first request: a refusal half-way would create only some of the items. */
function useTextCheck({ kind, form, texts, queue, many }: TextCheckParts) {
  const [problems, setProblems] = useState<FileProblems>({})
  const check = () => {
    const applied = !many || batchMessages[kind].sharedTexts === 'all'
    const shared = applied ? sharedProblems(kind, form.values) : {}
    const rows = many ? usable(queue) : []
    const wrong = rows
      .map(({ key }) => [key, rowProblems(kind, texts[key] ?? {})] as const)
      .filter(([, found]) => Object.keys(found).length > 0)
    form.setProblems(shared)
    setProblems(Object.fromEntries(wrong))
    return wrong.length === 0 && Object.keys(shared).length === 0
  }
  const forgive = (key: string) => setProblems(({ [key]: _, ...others }) => others)
  return { check, problems, forgive }
}

/** Initial values of a new item, without the fields that belong to a single picture. */
function sharedValues(kind: Kind): Values {
  const { imageUrl, filename, ...rest } = formValues(kind, null)
  return { ...rest, [PICTURES]: '' }
}

type BatchParts = { kind: Kind; form: Form; texts: FileFields; onClose: () => void }

function useBatch({ kind, form, texts, onClose }: BatchParts) {
  const own = formMessages[kind]
  const [firstOrder] = useState(() => useItems.getState().lists[kind]?.total ?? 0)
  const [batchKey] = useState(newCreationKey)
  const reload = () => useItems.getState().load(kind)
  const single = useRef(true)

  const parts: UploaderParts = {
    send: (file, onPercent, signal) =>
      uploadFile(file, onPercent, signal, (notice) => toastDone(`${file.name}: ${notice}`)),
    save: async (row, imageUrl, index) => {
      const body = bodyFor(kind, row, form.values, texts[row.key] ?? {}, single.current)
      const item = { ...body, imageUrl, sortOrder: firstOrder + index }
      await createItemOnly(kind, item, `${batchKey}-${row.key}`)
    },
    onFailure: (reason) => {
      toastFailed(own.addFailed, reason)
      void reload()
    },
    onFinish: (finished) => {
      form.saved()
      toastDone(own.added(countOf(finished, 'done')))
      void reload()
      onClose()
    },
  }
  const [uploader] = useState(() => new Uploader(parts))
  uploader.update(parts)
  const queue = useSyncExternalStore(uploader.subscribe, uploader.current)
  single.current = usable(queue).length === 1

  const [add] = useState(() => async (files: readonly File[]) => {
    const checked: { file: File; refused: string | null }[] = []
    for (const chosen of files) {
      const { file, refusal } = await checkedFile(chosen)
      checked.push({ file, refused: refusal })
    }
    if (checked.length > 0) uploader.add(checked)
    for (const { file, refused } of checked) {
      if (refused !== null && file.size > limits.uploadBytesMax) window.alert(refused)
    }
  })
  return { uploader, queue, add }
}

/** Request body of one file: its own texts override the shared ones, and its filename replaces a missing title. */
function bodyFor(
  kind: Kind,
  row: Row,
  shared: Values,
  texts: Values,
  single: boolean,
): Record<string, Value> {
  const { published, imageAlt, imageDecorative, [PICTURES]: _, ...sharedTexts } = shared
  const applied = single || batchMessages[kind].sharedTexts === 'all' ? sharedTexts : {}
  const pictureTexts = single ? { imageAlt, imageDecorative } : {}
  const filled = Object.entries(texts).filter(([, value]) => value !== '')
  // A single picture shows its alternative text in the form alone.
  const typed = single && imageAlt !== '' ? { imageAlt } : {}
  const values = { ...applied, ...pictureTexts, ...Object.fromEntries(filled), ...typed } as Values
  const { fields } = kindSpecs[kind]
  const body = bodyOf({ ...values, published: published ?? null }, fields)
  const title = body.title ?? batchMessages[kind].fileTitle?.(row.filename) ?? null
  const filename = 'filename' in fields ? { filename: row.filename } : {}
  return { ...body, ...filename, title }
}
