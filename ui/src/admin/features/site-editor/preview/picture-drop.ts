// Replaces a picture on the page with an image file that is dropped onto it.
import { reasonOf, uploadFile } from '../../../api/client'
import { checkedFile } from '../../../api/file-check'
import { words } from '../../../ui/messages'
import { toastFailed, toastProof } from '../../../ui/toast-store'
import type { Block, Field } from '../api/content-api'
import { trackUpload } from '../api/pending-uploads'
import { type Place, placeAround } from '../editing/frame-page'
import { changeField, trackPathIn } from '../form/block-form'
import { wording } from '../messages'
import { entryOf, pictureOf } from '../model/field-path'
import { revert } from '../model/pages-store'
import { PICTURE, PLACE } from './prepare-preview'

type Drops = {
  /** With their drafts. */
  readonly blocks: () => readonly Block[]
  readonly onOver: (place: Place | null) => void
  readonly onChoose: (place: { block: string; field: string }) => void
}

/** Without these handlers the browser would navigate to the dropped file. */
export function acceptImageDrops(page: Document, { blocks, onOver, onChoose }: Drops): void {
  page.addEventListener('dragover', (event) => {
    event.preventDefault()
    onOver(placeFor(event.target as Element | null, blocks()))
  })
  page.addEventListener('drop', (event) => {
    event.preventDefault()
    const [file] = event.dataTransfer?.files ?? []
    const place = placeFor(event.target as Element | null, blocks())
    const field = place === null ? null : pictureAt(place)
    if (file === undefined) return
    if (place === null || field === null) {
      toastFailed(words.toasts.upload, wording.refusals.noPicture)
      return
    }
    onChoose({ block: place.block, field })
    void uploadDroppedPicture(place.definition, field, file)
  })
}

const PART = 'section, main, footer, body > header'

/**
 * The target, or the nearest place around it with a picture. A muted illustration beside photographs has no
 * marker of its own; without the search a file dropped on it would be ignored.
 */
function placeFor(target: Element | null, blocks: readonly Block[]): Place | null {
  const hit = placeAround(target, blocks)
  if (hit !== null && pictureAt(hit) !== null) return hit
  for (let around = target; around !== null; around = around.parentElement) {
    const [near] = [
      ...around.querySelectorAll(`[${PICTURE}]`),
      ...around.querySelectorAll(`[${PLACE}]`),
    ].flatMap((element) => {
      const place = placeAround(element, blocks)
      return place === null || pictureAt(place) === null ? [] : [place]
    })
    if (near !== undefined) return near
    if (around.matches(PART)) return null
  }
  return null
}

/** The picture field at a place, or the one that belongs to the text there. */
export function pictureAt({
  definition,
  spec,
  field,
}: Pick<Place, 'definition' | 'spec' | 'field'>) {
  if (spec?.type === 'picture') return field
  const entry = entryOf(field)
  const list = entry === null ? undefined : fieldNamed(definition.fields, entry)
  const inside = list?.fields?.find(isPicture)
  if (entry !== null && inside !== undefined) return `${entry}.${inside.name}`
  return definition.fields.find(isPicture)?.name ?? null
}

function fieldNamed(fields: readonly Field[], entry: string): Field | undefined {
  const [name] = entry.split('[')
  return fields.find((field) => field.name === name)
}

function isPicture({ type }: Field): boolean {
  return type === 'picture'
}

/** Returns the picture field of the picture or drawing under the pointer; a scrim may lie over it. */
export function pictureUnder(
  page: Document,
  { clientX, clientY }: MouseEvent,
  blocks: readonly Block[],
): { block: string; field: string } | null {
  const picture = page
    .elementsFromPoint(clientX, clientY)
    .find((element) => element.matches('img, [data-drawing]'))
  const place = picture === undefined ? null : placeFor(picture, blocks)
  const field = place === null ? null : pictureAt(place)
  return place === null || field === null ? null : { block: place.block, field }
}

async function uploadDroppedPicture(block: Block, field: string, chosen: File): Promise<void> {
  const { file, refusal } = await checkedFile(chosen)
  if (refusal !== null) {
    toastFailed(words.toasts.upload, refusal)
    return
  }
  const sender = {}
  const now = trackPathIn(block)(field)
  let failure: unknown = null
  let notice: string | null = null
  trackUpload(sender, true)
  try {
    const { signal } = new AbortController()
    const path = await uploadFile(
      file,
      () => undefined,
      signal,
      (told) => {
        notice = told
      },
    )
    const there = now()
    if (there === null) {
      toastFailed(words.toasts.upload, wording.refusals.gone)
      return
    }
    const step = changeField(block, there, pictureOf(path), null)
    toastProof({
      title: wording.picture.replaced,
      detail: notice,
      undo: () => revert(step),
    })
  } catch (error) {
    failure = error
    toastFailed(words.toasts.upload, reasonOf(error))
  } finally {
    trackUpload(sender, false, failure)
  }
}
