// Words that were sent, whose answer was lost: whether the server has them is told by its versions.

import type { BaseVersion, FoundDraft } from '../model/block-draft-storage'
import type { Draft } from '../model/draft-diff'
import { isList, isObjectValue } from '../model/field-path'
import { alike, keyed } from '../model/merge-list'
import { type Block, type FieldValue, type ObjectValue, readVersions } from './content-api'

/** What she has made of them since goes on from there; null where they never arrived. */
export type Reconciled = {
  readonly ground: BaseVersion
  /** With the ids that her new entries were given. */
  readonly named: (value: ObjectValue) => ObjectValue
}

export async function reconcileLostResponse(
  own: BaseVersion,
  block: Block,
): Promise<Reconciled | null> {
  const { sent = [] } = own
  if (sent.length === 0 || own.version === block.version) return null
  const of = (stands: Draft) => sent.find((one) => isSame(one, stands))
  const stands = of(block) ? block : (await since(own, block)).find(of)
  const was = stands && of(stands)
  if (was === undefined || stands === undefined) return null
  const { value, hidden, version } = stands
  return {
    ground: { value, hidden, version },
    named: (mine) => withIds(mine, was.value, value) as ObjectValue,
  }
}

/** As the server keeps it. */
function isSame(one: Draft, other: Draft): boolean {
  return one.hidden === other.hidden && alike(one.value, other.value)
}

/** The newest first. */
async function since({ version }: BaseVersion, block: Block): Promise<readonly BaseVersion[]> {
  const all = await readVersions(block.id)
  const end = all.findIndex((one) => one.version === version)
  return all
    .slice(0, end < 0 ? all.length : end)
    .map(({ value, hidden, version }) => ({ value: value ?? block.default, hidden, version }))
}

/** Drafts of earlier visits, by their blocks, as they go on from what arrived. */
export async function reconcileStoredDrafts(
  all: Readonly<Record<string, readonly FoundDraft[]>>,
  blocks: readonly Block[],
): Promise<typeof all> {
  const found = Object.entries(all).map(async ([id, kept]) => {
    const block = blocks.find((one) => one.id === id)
    if (block === undefined) return [id, kept] as const
    return [id, await Promise.all(kept.map((one) => onArrived(one, block)))] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

async function onArrived(kept: FoundDraft, block: Block): Promise<FoundDraft> {
  // Nobody answered: what is not known to have arrived is asked about.
  const found = await reconcileLostResponse(kept.ground, block).catch(() => null)
  if (found === null) return kept
  const { value, hidden } = kept.draft
  return { ...kept, ground: found.ground, draft: { value: found.named(value), hidden } }
}

/** `kept` is what `sent` became on the server, entry by entry; `mine` is what was made of it here. */
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
