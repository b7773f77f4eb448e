// All changed blocks in one request, over what stands now: nothing of another tab is overwritten.
import { ApiError, isStatus } from '../../../api/client'
import { baseVersionOf } from '../model/block-draft-storage'
import { equal } from '../model/field-path'
import { type MergedBlock, mergeBlock } from '../model/merge-block'
import {
  type Drafts,
  flushAll,
  putBlocks,
  rebaseBelow,
  sentOf,
  setDraft,
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
  /** As it stands on the server. */
  readonly block: Block
  /** As it is written here. */
  readonly mine: ObjectValue
  /** It changed once more while somebody was choosing. */
  readonly isAgain: boolean
  /** What stands there was published in this very tab: no other one is to be named. */
  readonly isHere: boolean
}

/** The places to take from the other side; null to decide later. */
export type ChooseSides = (clashing: PublishConflict) => Promise<readonly string[] | null>

export type Published = WriteResult & {
  /** As they were before, to go back to. */
  readonly former: readonly Block[]
}

/** Another change between reading and writing is met again, but not for ever. */
const TURNS_MAX = 5

/** `later` when somebody chose to decide later, `nothing` when what was chosen stands already. */
export async function publish(choose: ChooseSides): Promise<Published | 'later' | 'nothing'> {
  let hasChosen = false
  for (let turn = 1; ; turn += 1) {
    const { blocks, drafts } = usePages.getState()
    const former = (blocks ?? []).filter(({ id }) => id in drafts)
    try {
      const written = await timedWrite(bodyOf(former, drafts))
      settle(written.blocks, drafts)
      return { former, ...written }
    } catch (error) {
      if (!isRefused(error)) rememberSent(former, drafts)
      if (!isStatus(error, 412) || turn === TURNS_MAX) throw error
      if (!(await meet(choose, hasChosen))) return 'later'
      if (Object.keys(usePages.getState().drafts).length === 0) return 'nothing'
      hasChosen = true
    }
  }
}

function bodyOf(blocks: readonly Block[], drafts: Drafts): Changes {
  const entries = blocks.flatMap((block) => {
    const own = drafts[block.id]
    if (own === undefined) return []
    return [[block.id, { ...sentOf(block, own.draft), version: own.ground.version }] as const]
  })
  return Object.fromEntries(entries)
}

/** Anything else may have been written before its answer was lost. */
function isRefused(error: unknown): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** Of so many the answer was lost in a row: any of them may be what arrived. */
const SENT_MAX = 5

/** Else her own words would be somebody else's, once she publishes again. */
function rememberSent(former: readonly Block[], sent: Drafts): void {
  const { drafts } = usePages.getState()
  for (const block of former) {
    const [own, was] = [drafts[block.id], sent[block.id]]
    if (own === undefined || was === undefined) continue
    const before = (own.ground.sent ?? []).filter((one) => !equal(one, was.draft))
    const all = [...before, was.draft].slice(-SENT_MAX)
    setDraft(block, own.draft, { ...own.ground, sent: all })
  }
}

/** By block, the version that this tab itself wrote last. */
const writtenHere = new Map<string, string>()

/** What was typed while the answer was on its way stays a draft. */
function settle(fresh: readonly Block[], sent: Drafts): void {
  for (const { id, version } of fresh) writtenHere.set(id, version)
  const now = usePages.getState().drafts
  putBlocks(fresh)
  for (const block of fresh) {
    const [was, is] = [sent[block.id]?.draft, now[block.id]?.draft]
    // A step back after publishing is a new draft: what stood before is not what is published now.
    const stood = sent[block.id]?.ground ?? null
    if (was !== undefined) rebaseBelow(was, block, { stood, keeps: () => true })
    setDraft(block, is === was || is === undefined ? null : is, baseVersionOf(block))
  }
}

/** Takes what stands on the server under the drafts; false when somebody decides later. */
async function meet(choose: ChooseSides, isAgain: boolean): Promise<boolean> {
  const fresh = await readBlocks()
  // Letters that came meanwhile were typed over what stood before.
  flushAll()
  for (const block of fresh) {
    const own = usePages.getState().drafts[block.id]
    if (own === undefined || own.ground.version === block.version) continue
    if (!(await meetBlock(block, own, choose, isAgain))) return false
  }
  putBlocks(fresh)
  usePages.setState({ blocks: fresh })
  return true
}

async function meetBlock(
  block: Block,
  { draft: typed, ground }: Drafts[string],
  choose: ChooseSides,
  isAgain: boolean,
): Promise<boolean> {
  const found = await reconcileLostResponse(ground, block)
  const began = found?.ground ?? ground
  const named = found?.named ?? ((value: ObjectValue) => value)
  const draft = { ...typed, value: named(typed.value) }
  const { fields } = block
  const merged = (takes: (place: string) => boolean) =>
    mergeBlock(began.value, draft.value, block.value, { fields, takes })
  const { clashes, joined } = merged(() => false)
  let theirs: readonly string[] | null = []
  if (clashes.length > 0) {
    const isHere = writtenHere.get(block.id) === block.version
    theirs = await choose({ block, mine: draft.value, clashes, joined, isAgain, isHere })
  }
  if (theirs === null) return false
  const taken = new Set(theirs)
  const { value } = merged((place) => taken.has(place))
  const hidden = draft.hidden === began.hidden ? block.hidden : draft.hidden
  const mine = new Set(clashes.map(({ place }) => place).filter((place) => !taken.has(place)))
  putBlocks([block])
  // Her own words had arrived: the steps go on from them, as if the answer had.
  const keeps = (place: string) => found !== null || mine.has(place)
  rebaseBelow(began, block, { keeps, named, stood: found === null ? null : ground })
  setDraft(block, { value, hidden }, baseVersionOf(block))
  return true
}

/**
 * What she wrote past her draft, a version that she went back to, is nobody else's: the draft goes on
 * over it, with her own where both changed a place, and nothing is asked.
 */
export function putOwn(before: Block, now: Block): void {
  writtenHere.set(now.id, now.version)
  const own = usePages.getState().drafts[now.id]
  putBlocks([now])
  // Else somebody wrote between the two.
  if (own?.ground.version !== before.version) return
  const { fields } = now
  const { value } = mergeBlock(before.value, own.draft.value, now.value, { fields })
  const hidden = own.draft.hidden === before.hidden ? now.hidden : own.draft.hidden
  rebaseBelow(before, now, { keeps: () => true })
  setDraft(now, { value, hidden }, baseVersionOf(now))
}

/**
 * Sends back what stood before, as a new version, and what she had published is her draft again.
 * Refused where it has changed since.
 */
export async function unpublish({ former, blocks }: Published): Promise<Published> {
  const versions = new Map(blocks.map(({ id, version }) => [id, version]))
  const changes = former.map(({ id, value, hidden, changed }) => [
    id,
    { value: changed ? value : null, hidden, version: versions.get(id) ?? '' },
  ])
  const written = await timedWrite(Object.fromEntries(changes))
  unsettle(written.blocks, blocks)
  return { former: blocks, ...written }
}

/** Drafts and steps as if it had not been published. */
function unsettle(fresh: readonly Block[], published: readonly Block[]): void {
  const { drafts } = usePages.getState()
  showBlocks(fresh)
  for (const block of fresh) {
    const stood = published.find(({ id }) => id === block.id)
    if (stood === undefined) continue
    rebaseBelow(block, block, { stood, keeps: () => true })
    setDraft(block, drafts[block.id]?.draft ?? stood, baseVersionOf(block))
  }
}

type Refusal = { readonly field: string; readonly message: string; readonly block?: string }

/** Messages by block and place. */
export function problemsOf(error: unknown): Readonly<Record<string, string>> {
  if (!(error instanceof ApiError)) return {}
  const refusals: readonly Refusal[] = error.problem.errors ?? []
  const pairs = refusals.flatMap(({ block, field, message }) =>
    block === undefined ? [] : [[`${block}:${field.replace(/^value\.?/, '')}`, message] as const],
  )
  return Object.fromEntries(pairs)
}
