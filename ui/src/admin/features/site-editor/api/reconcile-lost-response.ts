// Finds out from a block's versions whether a publish whose response was lost has reached the server.

import type { BaseVersion, RecoverableDraft } from '../model/block-draft-storage'
import type { Draft } from '../model/draft-diff'
import { isList, isObjectValue } from '../model/field-path'
import { equalsIgnoringId, keyed } from '../model/merge-list'
import { type Block, type FieldValue, type ObjectValue, readVersions } from './content-api'

/** The arrived version as the new base of the draft. */
export type Reconciled = {
  readonly ground: BaseVersion
  /** Returns the value with the ids that the server has given to new entries. */
  readonly named: (value: ObjectValue) => ObjectValue
}

export async function reconcileLostResponse(
  own: BaseVersion,
  block: Block,
): Promise<Reconciled | null> {
  const { sent = [] } = own
  if (sent.length === 0 || own.version === block.version) return null
  const of = (stands: Draft) => sent.find((one) => isSame(one, stands))
  const stands = of(block) ? block : (await readVersionsSince(own, block)).find(of)
  const was = stands && of(stands)
  if (was === undefined || stands === undefined) return null
  const { value, hidden, version } = stands
  return {
    ground: { value, hidden, version },
    named: (mine) => withIds(mine, was.value, value) as ObjectValue,
  }
}

/** Equality after the server's normalization. */
function isSame(one: Draft, other: Draft): boolean {
  return one.hidden === other.hidden && equalsIgnoringId(one.value, other.value)
}

/** Versions written after the base of a draft, newest first. */
async function readVersionsSince(
  { version }: BaseVersion,
  block: Block,
): Promise<readonly BaseVersion[]> {
  const all = await readVersions(block.id)
  const end = all.findIndex((one) => one.version === version)
  return all
    .slice(0, end < 0 ? all.length : end)
    .map(({ value, hidden, version }) => ({ value: value ?? block.default, hidden, version }))
}

/** Rebases drafts of earlier visits onto those of their publishes that have arrived. */
export async function reconcileStoredDrafts(
  all: Readonly<Record<string, readonly RecoverableDraft[]>>,
  blocks: readonly Block[],
): Promise<typeof all> {
  const found = Object.entries(all).map(async ([id, kept]) => {
    const block = blocks.find((one) => one.id === id)
    if (block === undefined) return [id, kept] as const
    return [id, await Promise.all(kept.map((one) => reconcileDraft(one, block)))] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

async function reconcileDraft(kept: RecoverableDraft, block: Block): Promise<RecoverableDraft> {
  // Without a response the draft stays as it is, and publishing asks about conflicts.
  const found = await reconcileLostResponse(kept.ground, block).catch(() => null)
  if (found === null) return kept
  const { value, hidden } = kept.draft
  return { ...kept, ground: found.ground, draft: { value: found.named(value), hidden } }
}

/** Copies ids from `kept`, the server's version of `sent`, to `mine`, which was derived from `sent`. */
export function withIds(mine: FieldValue, sent: FieldValue, kept: FieldValue): FieldValue {
  if (isList(mine) && isList(sent) && isList(kept)) {
    const { trios } = keyed({ ground: sent, mine, other: [] })
    return mine.map((entry) => {
      const was = trios.find((trio) => trio.mine === entry)?.ground
      const index = was === undefined ? -1 : sent.indexOf(was)
      return index < 0 ? entry : withIds(entry, was ?? null, kept[index] ?? null)
    })
  }
  if (!isObjectValue(mine) || !isObjectValue(sent) || !isObjectValue(kept)) return mine
  const words = Object.entries(mine).map(([name, word]) => [
    name,
    withIds(word, sent[name] ?? null, kept[name] ?? null),
  ])
  const named = Object.fromEntries(words)
  return kept.id === undefined ? named : { ...named, id: kept.id }
}
