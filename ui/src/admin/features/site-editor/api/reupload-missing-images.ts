// The server deletes unpublished pictures after a day, but drafts live longer: uploads them again from this
// device. A picture missing here too is removed from its draft and reported; the rest can be published.

import { reuploadMissing } from '../../../api/reupload'
import { wording } from '../messages'
import { picturesIn } from '../model/block-pictures'
import type { Draft } from '../model/draft-diff'
import { fieldAt, setIn } from '../model/field-path'
import { applyEvent, edit, flushAll, setDraft, usePages } from '../model/pages-store'
import { byIds } from '../versions/version-field-texts'
import type { Block } from './content-api'

/** Returns the fields that were reset to their published picture. */
export async function removeMissingImages(): Promise<readonly string[]> {
  const { fresh, gone } = await reuploadMissing(ownPaths())
  if (gone.size + fresh.size === 0) return []
  flushAll()
  for (const [block, draft] of drafted()) putFresh(block, draft, fresh)
  return drafted().flatMap(([block, draft]) => {
    const paths = takeOut(block, draft, gone)
    if (paths.length === 0) return []
    const problems = Object.fromEntries(paths.map((path) => [path, wording.picture.gone]))
    applyEvent(block.id, { type: 'checked', problems })
    return paths.map((path) => `${block.id}:${path}`)
  })
}

function drafted(): readonly (readonly [Block, Draft])[] {
  const { blocks, drafts } = usePages.getState()
  return (blocks ?? []).flatMap((block) => {
    const draft = drafts[block.id]?.draft
    return draft === undefined ? [] : [[block, draft] as const]
  })
}

/** Pictures that only drafts contain: a published picture is kept with its version. */
function ownPaths(): ReadonlySet<string> {
  return new Set(
    drafted().flatMap(([block, { value }]) => {
      const published = pathsIn(block)
      const all = picturesIn(block, value).map(({ picture }) => picture.path)
      return all.filter((path) => !published.includes(path))
    }),
  )
}

/** Paths of the pictures in the published block. */
export function pathsIn(block: Block): readonly string[] {
  return picturesIn(block, block.value).map(({ picture }) => picture.path)
}

/** Replaces paths without an undo step, because the picture is the same. */
function putFresh(block: Block, draft: Draft, fresh: ReadonlyMap<string, string>): void {
  const moved = picturesIn(block, draft.value).filter(({ picture }) => fresh.has(picture.path))
  if (moved.length === 0) return
  const value = moved.reduce(
    (all, { path, picture }) =>
      setIn(all, path, { ...picture, path: fresh.get(picture.path) ?? picture.path }),
    draft.value,
  )
  setDraft(block, { ...draft, value })
}

function takeOut(block: Block, { value }: Draft, gone: ReadonlySet<string>): readonly string[] {
  const paths = picturesIn(block, value).flatMap(({ path, picture }) =>
    gone.has(picture.path) ? [path] : [],
  )
  const [path] = paths
  if (path === undefined) return []
  const published = new Map(
    picturesIn(block, block.value).map((one) => [byIds(one.path, block.value), one.picture]),
  )
  const without = paths.reduce((all, one) => {
    const picture = published.get(byIds(one, value))
    return setIn(all, one, picture === undefined ? null : { ...picture })
  }, value)
  const what = fieldAt(block.fields, path)?.label ?? block.label
  edit({ block: block.id, path, what, value: without })
  return paths
}
