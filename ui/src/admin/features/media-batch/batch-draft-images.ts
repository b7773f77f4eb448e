// Saves the uploaded pictures of a batch with the form's draft, as the texts are.
import { useEffect, useRef } from 'preact/hooks'
import { reuploadMissing } from '../../api/reupload'
import type { Value, Values } from '../../api/schema'
import type { Form } from '../../drafts/use-form'
import { isFinished, type Queue } from './upload-queue'
import type { Uploader } from './uploader'

/** Texts of single files, by row key. */
export type FileFields = Readonly<Record<string, Values>>
/** Validation messages, by row key and field name. */
export type FileProblems = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Name of the draft entry; no field of any kind has this name. */
export const PICTURES = 'pictures'
type Kept = { filename: string; bytes: number; imagePath: string; texts: Values }

type KeptParts = {
  form: Form
  queue: Queue
  uploader: Uploader
  texts: FileFields
  setTexts: (change: (texts: FileFields) => FileFields) => void
}

export function useBatchDraftImages({ form, queue, uploader, texts, setTexts }: KeptParts): Form {
  const written = useRef('')
  const kept = JSON.stringify(keptOf(queue, texts))
  const { set } = form

  useEffect(() => {
    const isNothing = kept === '[]' && written.current === ''
    // Pictures that became items stay out of the draft.
    if (isNothing || kept === written.current || isFinished(queue)) return
    written.current = kept
    set({ [PICTURES]: kept === '[]' ? '' : kept })
  }, [kept, set, queue])

  const takeBack = () => {
    const { offered } = form
    form.takeBack()
    if (offered !== null) void restore(picturesOf(offered.fields[PICTURES]))
  }
  /** The server deletes a picture that no item uses after a day; this device may still hold the file. */
  const restore = async (all: readonly Kept[]) => {
    const { fresh, gone } = await reuploadMissing(all.map(({ imagePath }) => imagePath))
    const pictures = all
      .filter(({ imagePath }) => !gone.has(imagePath))
      .map((one) => ({ ...one, imagePath: fresh.get(one.imagePath) ?? one.imagePath }))
    const keys = uploader.restore(pictures)
    const own = keys.map((key, index) => [key, pictures[index]?.texts ?? {}] as const)
    setTexts((all) => ({ ...all, ...Object.fromEntries(own) }))
  }
  return { ...form, takeBack }
}

function keptOf(queue: Queue, texts: FileFields): readonly Kept[] {
  return queue.rows.flatMap(({ key, filename, bytes, state, imagePath }) =>
    imagePath === null || state === 'done'
      ? []
      : [{ filename, bytes, imagePath, texts: texts[key] ?? {} }],
  )
}

/** Parses the draft entry. A draft comes from browser storage, so invalid entries are dropped. */
export function picturesOf(value: unknown): readonly Kept[] {
  try {
    const list: unknown = JSON.parse(typeof value === 'string' ? value : '')
    return Array.isArray(list) ? list.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { filename, bytes, imagePath, texts } = value as Partial<Record<keyof Kept, Value | object>>
  const isFile = typeof filename === 'string' && typeof bytes === 'number'
  const isStored = typeof imagePath === 'string' && imagePath.startsWith('/objects/uploads/')
  return isFile && isStored && typeof texts === 'object' && texts !== null
}
