// Uploads pictures into a text, with a placeholder line for each until its upload is complete.

import type { Node } from 'prosemirror-model'
import { NodeSelection, Plugin, PluginKey } from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { reasonOf, uploadFile } from '../api/client'
import { checkedFile, PICTURE_TYPES } from '../api/file-check'
import type { StoredPicture } from '../api/pictures'
import { filesWithoutText } from '../hooks/use-file-drop'
import { words as panelWords } from '../ui/messages'
import { toastDone, toastFailed } from '../ui/toast-store'
import { richTextMessages } from './messages'
import { UPLOADS } from './schema'

type Change =
  | { readonly add: { key: object; at: number; name: string } }
  | { readonly gone: object }

/** Object URLs of pictures uploaded from this page, because the server takes a while to process a new picture. */
const fresh = new Map<string, { readonly url: string; readonly bytes: number }>()
/** An object URL keeps its file in memory; more than this closes the tab of a tablet. */
const FRESH_BYTES_MAX = 60_000_000

export function rememberLocalFile(id: string, file: File): void {
  forgetLocalFile(id)
  fresh.set(id, { url: URL.createObjectURL(file), bytes: file.size })
  let total = [...fresh.values()].reduce((sum, { bytes }) => sum + bytes, 0)
  for (const [other, { bytes }] of fresh) {
    if (total <= FRESH_BYTES_MAX || other === id) return
    forgetLocalFile(other)
    total -= bytes
  }
}

function forgetLocalFile(id: string): void {
  const known = fresh.get(id)
  if (known !== undefined) URL.revokeObjectURL(known.url)
  fresh.delete(id)
}

export function localUrlOf(id: string): string | null {
  return fresh.get(id)?.url ?? null
}

const place = new PluginKey<DecorationSet>('uploads')

type Watched = { running: number; readonly tell: (busy: boolean) => void }
const watched = new WeakMap<EditorView, Watched>()

/** Reports whether uploads into this text are running: saving during an upload would lose the picture. */
export function watchUploads(view: EditorView, tell: (busy: boolean) => void): void {
  watched.set(view, { running: 0, tell })
}

function count(view: EditorView, by: 1 | -1): void {
  const own = watched.get(view)
  if (own === undefined) return
  own.running += by
  own.tell(own.running > 0)
}

export function uploadsPlugin(className: string): Plugin {
  return new Plugin<DecorationSet>({
    key: place,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, set) => {
        const moved = set.map(tr.mapping, tr.doc)
        const change: Change | undefined = tr.getMeta(place)
        if (change === undefined) return moved
        if ('gone' in change) return moved.remove(moved.find().filter(isOf(change.gone)))
        const { key, at, name } = change.add
        const widget = () => {
          const line = document.createElement('p')
          line.className = className
          line.role = 'status'
          line.textContent = richTextMessages.picture.uploading.replace('{name}', () => name)
          return line
        }
        return moved.add(tr.doc, [Decoration.widget(at, widget, { upload: key, side: 1 })])
      },
    },
    props: { decorations: (state) => place.getState(state) },
  })
}

function isOf(key: object) {
  return ({ spec }: Decoration) => spec.upload === key
}

/** Uploads pictures one after another and inserts each where it was dropped. */
export async function insertFiles(
  view: EditorView,
  files: readonly File[],
  at: number,
  asGallery: boolean,
): Promise<void> {
  if (view.state.schema.nodes.picture === undefined || files.length === 0) return
  count(view, 1)
  try {
    await sendAll(view, files, at, asGallery)
  } finally {
    count(view, -1)
  }
}

async function sendAll(
  view: EditorView,
  files: readonly File[],
  at: number,
  asGallery: boolean,
): Promise<void> {
  const { picture, gallery } = view.state.schema.nodes
  const made: Node[] = []
  const key = {}
  for (const file of files) {
    if (picture === undefined || view.isDestroyed) return
    const id = await send(view, file, key, at)
    if (id !== null) made.push(picture.create({ id }))
    if (id === null || (asGallery && gallery)) continue
    insert(view, key, made.splice(0))
  }
  if (gallery && made.length > 1) insert(view, key, [gallery.create(null, made)])
  else insert(view, key, made)
}

async function send(
  view: EditorView,
  chosen: File,
  key: object,
  at: number,
): Promise<string | null> {
  const { file, refusal } = await checkedFile(chosen)
  if (refusal !== null) {
    toastFailed(panelWords.toasts.upload, refusal)
    return null
  }
  const known = place
    .getState(view.state)
    ?.find(undefined, undefined, (spec) => spec.upload === key)
  const from = known?.[0]?.from ?? at
  // One placeholder line only, with the name of the file that is being uploaded.
  view.dispatch(view.state.tr.setMeta(place, { gone: key }))
  view.dispatch(view.state.tr.setMeta(place, { add: { key, at: from, name: file.name } }))
  try {
    const path = await uploadFile(file, () => undefined, new AbortController().signal, toastDone)
    const id = path.slice(UPLOADS.length)
    rememberLocalFile(id, file)
    return id
  } catch (error) {
    toastFailed(panelWords.toasts.upload, reasonOf(error))
    return null
  }
}

/** Inserts a picture that is stored already, with the alternative text that it has elsewhere. */
export function insertStored(view: EditorView, stored: StoredPicture, at: number): void {
  const { picture } = view.state.schema.nodes
  if (picture === undefined || view.isDestroyed) return
  const node = picture.create({ id: stored.url.slice(UPLOADS.length), alt: stored.alt ?? '' })
  insert(view, {}, [node], Math.min(at, view.state.doc.content.size))
}

/** `otherwise` is the position where no placeholder of the key is. */
function insert(
  view: EditorView,
  key: object,
  nodes: readonly Node[],
  otherwise = view.state.doc.content.size,
): void {
  if (view.isDestroyed) return
  const [line] = place.getState(view.state)?.find().filter(isOf(key)) ?? []
  const { tr } = view.state
  const at = line?.from ?? otherwise
  if (nodes.length > 0) {
    const $at = tr.doc.resolve(at)
    // The picture replaces an empty paragraph.
    const empty = $at.parent.isTextblock && $at.parent.content.size === 0 && $at.depth === 1
    const here = $at.depth === 0 || $at.parent.type.name === 'gallery'
    const wasHere = empty && tr.selection.$from.sameParent($at)
    if (empty) tr.replaceWith($at.before(), $at.after(), nodes)
    else tr.insert(here ? at : $at.after(1), nodes)
    const { lastChild } = tr.doc
    const { paragraph } = view.state.schema.nodes
    if (paragraph && lastChild?.isTextblock !== true) {
      tr.insert(tr.doc.content.size, paragraph.create())
    }
    // Selects a single picture to show its fields, unless the caret has moved meanwhile.
    if (wasHere && nodes.length === 1 && nodes[0]?.isAtom) {
      tr.setSelection(NodeSelection.create(tr.doc, $at.before())).scrollIntoView()
    }
  }
  view.dispatch(tr.setMeta(place, { gone: key }))
}

/** Returns the pictures of a paste or drop; none if it has text too. */
export function filesOf(data: DataTransfer | null): File[] {
  return filesWithoutText(data).filter((file) => file.type.startsWith('image/'))
}

/** Opens the file picker for pictures. */
export function chooseFiles(several: boolean): Promise<File[]> {
  return new Promise((done) => {
    const input = document.createElement('input')
    input.type = 'file'
    input.accept = PICTURE_TYPES
    input.multiple = several
    input.hidden = true
    const end = (files: File[]) => {
      input.remove()
      done(files)
    }
    input.addEventListener('change', () => end([...(input.files ?? [])]))
    input.addEventListener('cancel', () => end([]))
    // A detached input may be garbage-collected before a file is chosen.
    document.body.append(input)
    input.click()
  })
}
