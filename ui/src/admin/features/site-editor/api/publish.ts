// Publishes all changed blocks in one request, merged with the server's current version: changes from
// another tab are never overwritten.
import { ApiError, isStatus } from '../../../api/client'
import type { BasedDraft, BlockEvent } from '../model/block-state'
import { type MergedBlock, mergeBlock } from '../model/merge-block'
import {
  applyEvent,
  blocksToPublish,
  type Drafts,
  flushAll,
  putBlocks,
  rebaseBelow,
  rebaseDraft,
  sentOf,
  showBlocks,
  usePages,
} from '../model/pages-store'
import {
  type Block,
  type Changes,
  type ObjectValue,
  readBlocks,
  timedWrite,
  type WriteResult,
} from './content-api'
import { reconcileLostResponse } from './reconcile-lost-response'

export type PublishConflict = Pick<MergedBlock, 'clashes' | 'joined'> & {
  /** The block as it is on the server. */
  readonly block: Block
  /** The draft of this tab. */
  readonly mine: ObjectValue
  /** The block has changed once more while the admin was choosing. */
  readonly isAgain: boolean
  /** The server's version was published by this tab, so the dialog must not name another one. */
  readonly isHere: boolean
}

/** Returns the paths to take from the other side, or null to decide later. */
export type ResolveConflicts = (clashing: PublishConflict) => Promise<readonly string[] | null>

export type Published = WriteResult & {
  /** The blocks before publishing, for undo. */
  readonly former: readonly Block[]
}

/** Attempts: a block may change again between reading and writing, but the retries must end. */
const TURNS_MAX = 5

/** Returns `later` if the admin postpones the choice, `nothing` if the chosen values are published already. */
export async function publish(choose: ResolveConflicts): Promise<Published | 'later' | 'nothing'> {
  let hasChosen = false
  for (let turn = 1; ; turn += 1) {
    const { drafts } = usePages.getState()
    const former = blocksToPublish(usePages.getState())
    for (const { id } of former) applyEvent(id, { type: 'sent' })
    try {
      const written = await timedWrite(bodyOf(former, drafts))
      storePublished(written.blocks, drafts)
      return { former, ...written }
    } catch (error) {
      for (const { id } of former) applyEvent(id, failureOf(error, id))
      if (!isStatus(error, 412) || turn === TURNS_MAX) throw error
      if (!(await rebaseDrafts(choose, hasChosen))) return 'later'
      if (Object.keys(usePages.getState().drafts).length === 0) return 'nothing'
      hasChosen = true
    }
  }
}

/** The request for the drafts of these blocks. */
export function bodyOf(blocks: readonly Block[], drafts: Drafts): Changes {
  const entries = blocks.flatMap((block) => {
    const own = drafts[block.id]
    if (own === undefined) return []
    return [[block.id, { ...sentOf(block, own.draft), version: own.base.version }] as const]
  })
  return Object.fromEntries(entries)
}

/** A 4xx answer means that nothing was written; after any other failure the write may have succeeded. */
function failureOf(error: unknown, id: string): BlockEvent {
  const isRejected = error instanceof ApiError && error.status >= 400 && error.status < 500
  if (!isRejected) return { type: 'unanswered' }
  const problems = Object.entries(problemsOf(error))
  if (problems.length === 0) return { type: 'rejected' }
  const start = `${id}:`
  const own = problems.filter(([place]) => place.startsWith(start))
  const byPath = own.map(([place, message]) => [place.slice(start.length), message])
  return { type: 'refused', problems: Object.fromEntries(byPath) }
}

/** The version that this tab has written last, by block. */
const writtenHere = new Map<string, string>()

/** Stores the published blocks. Text typed while the request was running stays a draft. */
function storePublished(fresh: readonly Block[], sent: Drafts): void {
  for (const { id, version } of fresh) writtenHere.set(id, version)
  putBlocks(fresh)
  for (const block of fresh) {
    const was = sent[block.id]
    // Undo after publishing creates a draft: null steps now stand for the former version.
    if (was !== undefined) {
      rebaseBelow(was.draft, block, { stood: was.base, keeps: () => true })
    }
    applyEvent(block.id, { type: 'published', block })
  }
}

/** Rebases the drafts onto the server's blocks; false if the admin postpones the choice. */
async function rebaseDrafts(choose: ResolveConflicts, isAgain: boolean): Promise<boolean> {
  const fresh = await readBlocks()
  // Flush first: pending keystrokes were typed over the former version.
  flushAll()
  for (const block of fresh) {
    const own = usePages.getState().drafts[block.id]
    if (own === undefined || own.base.version === block.version) continue
    if (!(await rebaseOnServerBlock(block, own, choose, isAgain))) return false
  }
  putBlocks(fresh)
  usePages.setState({ blocks: fresh })
  return true
}

async function rebaseOnServerBlock(
  block: Block,
  { draft: typed, base }: BasedDraft,
  choose: ResolveConflicts,
  isAgain: boolean,
): Promise<boolean> {
  const found = await reconcileLostResponse(base, block)
  const began = found?.ground ?? base
  const named = found?.named ?? ((value: ObjectValue) => value)
  const draft = { ...typed, value: named(typed.value) }
  const { fields } = block
  const merged = (takes: (place: string) => boolean) =>
    mergeBlock(began.value, draft.value, block.value, { fields, takes })
  const { clashes, joined } = merged(() => false)
  let theirs: readonly string[] | null = []
  if (clashes.length > 0) {
    const isHere = writtenHere.get(block.id) === block.version
    applyEvent(block.id, { type: 'conflicted' })
    theirs = await choose({ block, mine: draft.value, clashes, joined, isAgain, isHere })
  }
  if (theirs === null) return false
  const taken = new Set(theirs)
  const { value } = merged((place) => taken.has(place))
  const hidden = draft.hidden === began.hidden ? block.hidden : draft.hidden
  const mine = new Set(clashes.map(({ place }) => place).filter((place) => !taken.has(place)))
  putBlocks([block])
  // The lost request had arrived: undo steps continue from it, as after an answered one.
  const keeps = (place: string) => found !== null || mine.has(place)
  rebaseBelow(began, block, { keeps, named, stood: found === null ? null : base })
  rebaseDraft(block, { value, hidden })
  return true
}

/**
 * Stores a version that the admin has restored, and rebases the open draft onto it. The draft wins in
 * conflicts and nothing is asked, because the restored version is no other person's change.
 */
export function storeRestored(before: Block, now: Block): void {
  writtenHere.set(now.id, now.version)
  const own = usePages.getState().drafts[now.id]
  putBlocks([now])
  // Another base means that someone else wrote between the two versions.
  if (own?.base.version !== before.version) return
  const { fields } = now
  const { value } = mergeBlock(before.value, own.draft.value, now.value, { fields })
  const hidden = own.draft.hidden === before.hidden ? now.hidden : own.draft.hidden
  rebaseBelow(before, now, { keeps: () => true })
  rebaseDraft(now, { value, hidden })
}

/**
 * Undoes a publish: writes the former blocks as a new version, and turns what was published into drafts.
 * The server answers 412 if a block has changed since.
 */
export async function unpublish({ former, blocks }: Published): Promise<Published> {
  const versions = new Map(blocks.map(({ id, version }) => [id, version]))
  const changes = former.map(({ id, value, hidden, changed }) => [
    id,
    { value: changed ? value : null, hidden, version: versions.get(id) ?? '' },
  ])
  const written = await timedWrite(Object.fromEntries(changes))
  restoreDrafts(written.blocks, blocks)
  return { former: blocks, ...written }
}

/** Restores drafts and undo steps to the state before the publish. */
function restoreDrafts(fresh: readonly Block[], published: readonly Block[]): void {
  const { drafts } = usePages.getState()
  showBlocks(fresh)
  for (const block of fresh) {
    const stood = published.find(({ id }) => id === block.id)
    if (stood === undefined) continue
    rebaseBelow(block, block, { stood, keeps: () => true })
    rebaseDraft(block, drafts[block.id]?.draft ?? stood)
  }
}

type Refusal = { readonly field: string; readonly message: string; readonly block?: string }

/** Messages by block and path. */
export function problemsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const refusals: readonly Refusal[] = error.problem.errors ?? []
  const pairs = refusals.flatMap(({ block, field, message }) =>
    block === undefined ? [] : [[`${block}:${field.replace(/^value\.?/, '')}`, message] as const],
  )
  return Object.fromEntries(pairs)
}
