// The blocks as published, and what she has made of them: one store, so that undo goes across pages.
import { create } from 'zustand'
import { ApiError } from '../../../api/client'
import { getLocalStorage } from '../../../drafts/draft-storage'
import { debounceWithMaxWait } from '../../../hooks/debounce'
import {
  type Block,
  type BlockChange,
  type FieldValue,
  type ObjectValue,
  readBlocks,
} from '../api/content-api'
import { reconcileStoredDrafts } from '../api/reconcile-lost-response'
import {
  type BaseVersion,
  baseVersionOf,
  discardFound,
  type FoundDraft,
  isBlockDraftStored,
  type KeptDraft,
  loadBlockDrafts,
  persistBlockDraft,
  removeBlockDraft,
  undoDiscardFound,
} from './block-draft-storage'
import { type Change, changesOf, type Draft, isChanged } from './draft-diff'
import { equal, setIn } from './field-path'
import { mergeBlock } from './merge-block'
import { replaceBlocks, reuseUnchanged } from './reuse-unchanged'
import { sanitizeValue } from './sanitize-text'
import {
  EMPTY_HISTORY,
  type HistoryEntry,
  type NewBase,
  pushEntry,
  rebaseHistory,
  redoEntry,
  type UndoHistory,
  undoEntry,
  withoutEntry,
} from './undo-history'

export type Drafts = Readonly<
  Record<string, { readonly draft: Draft; readonly ground: BaseVersion }>
>

export type PagesStore = {
  readonly blocks: readonly Block[] | null
  readonly error: ApiError | null
  readonly drafts: Drafts
  /** Of earlier visits and other tabs, the oldest first, until taken back or thrown away. */
  readonly offered: Readonly<Record<string, readonly FoundDraft[]>>
  readonly past: UndoHistory
  readonly keptAt: Date | null
  readonly keeps: boolean
  /** Messages of a refusal by block and place: `servizi.offers:offers[2].price`. */
  readonly problems: Readonly<Record<string, string>>
}

const EMPTY: PagesStore = {
  blocks: null,
  error: null,
  drafts: {},
  offered: {},
  past: EMPTY_HISTORY,
  keptAt: null,
  keeps: true,
  problems: {},
}

export const usePages = create<PagesStore>(() => EMPTY)

const KEEP_PAUSE_MS = 300
/** Letters that are not handed on yet are kept on the device as soon as they stop for so long. */
export const PERSIST_DELAY_MS = 250
/**
 * With each hand-over the whole panel is drawn: between two letters of who types slowly a shorter
 * pause had that done after each.
 */
export const FLUSH_DELAY_MS = 650

export async function loadBlocks(): Promise<void> {
  usePages.setState({ error: null })
  try {
    const blocks = reuseUnchanged(usePages.getState().blocks, await readBlocks())
    takeBlocks(blocks)
    const { offered } = usePages.getState()
    const next = await reconcileStoredDrafts(offered, blocks)
    // Answered meanwhile, it is not offered again.
    if (usePages.getState().offered === offered) usePages.setState({ offered: next })
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError(0, '', String(error))
    usePages.setState({ error: known })
  }
}

/** Blocks as they stand on the server now; drafts of this visit stay over them. */
function takeBlocks(blocks: readonly Block[]): void {
  // Letters in hand were typed over what stood before.
  flushAll()
  const { drafts, offered } = usePages.getState()
  const found = blocks.flatMap((block) => {
    const all =
      block.id in drafts ? (offered[block.id] ?? []) : loadBlockDrafts(getLocalStorage(), block.id)
    const kept = all.filter(({ draft }) => isChanged(block, draft))
    discardFound(
      getLocalStorage(),
      all.filter((one) => !kept.includes(one)),
    )
    return kept.length > 0 ? [[block.id, kept] as const] : []
  })
  putBlocks(blocks)
  usePages.setState({ blocks, offered: Object.fromEntries(found) })
}

/** Steps over what stood before go over what stands now; with a draft, when that does. */
export function putBlocks(fresh: readonly Block[]): void {
  for (const block of fresh) {
    const former = blockOf(block.id)
    if (former === undefined || block.id in usePages.getState().drafts) continue
    if (former.version !== block.version) rebaseBelow(former, block)
  }
  showBlocks(fresh)
}

/** Steps are left as they are. */
export function showBlocks(fresh: readonly Block[]): void {
  usePages.setState(({ blocks }) => ({ blocks: blocks && replaceBlocks(blocks, fresh) }))
}

/** What others have changed stays theirs, unless `rest` says otherwise. */
export function rebaseBelow(
  from: Draft,
  to: Block,
  rest: Partial<Pick<NewBase, 'stood' | 'keeps' | 'named'>> = {},
): void {
  usePages.setState(({ past }) => ({
    past: rebaseHistory(past, {
      block: to.id,
      fields: to.fields,
      from,
      to,
      stood: null,
      keeps: () => false,
      ...rest,
    }),
  }))
}

export function blockOf(id: string): Block | undefined {
  return usePages.getState().blocks?.find((block) => block.id === id)
}

/** The block as it would be published now. */
export function draftOf(store: Pick<PagesStore, 'drafts'>, block: Block): Draft {
  return store.drafts[block.id]?.draft ?? block
}

export type Edit = {
  readonly block: string
  readonly path: string
  /** What the step is called in 'Annulla: …'. */
  readonly what: string
  readonly value?: ObjectValue
  readonly hidden?: boolean
  /** The text as it stands after a letter; null for a step of its own. */
  readonly typed?: string | null
  /** When the first and the last of several letters were typed. */
  readonly letters?: { readonly from: number; readonly to: number } | undefined
}

let steps = 0

/** Answers with the number of its step, for `revert`. */
export function edit(change: Edit): number {
  const block = blockOf(change.block)
  if (block === undefined) return 0
  const { value, hidden } = draftOf(usePages.getState(), block)
  const words = change.value === undefined ? value : sanitizeValue(block.fields, change.value)
  const after = { value: words, hidden: change.hidden ?? hidden }
  record(block, change, after)
  setDraft(block, after)
  return steps
}

function record(block: Block, change: Omit<Edit, 'block'>, after: Draft): void {
  const { past, drafts } = usePages.getState()
  steps += 1
  const step: HistoryEntry = {
    number: steps,
    block: block.id,
    path: change.path,
    what: change.what,
    before: drafts[block.id]?.draft ?? null,
    after,
    at: change.letters?.to ?? performance.now(),
    open: false,
  }
  const since = change.letters?.from
  usePages.setState({ past: pushEntry(past, step, change.typed ?? null, since) })
}

/** Takes one step back, and what was done after it stays; nothing where it is taken back already. */
export function revert(number: number): void {
  const { past, drafts } = usePages.getState()
  const step = past.done.find((one) => one.number === number)
  const block = step === undefined ? undefined : blockOf(step.block)
  if (step === undefined || block === undefined) return
  if (step === past.done.at(-1)) {
    undo()
    return
  }
  const ground = drafts[block.id]?.ground ?? block
  const { block: id, path, what } = step
  const now = draftOf(usePages.getState(), block)
  edit({ block: id, path, what, ...withoutEntry(now, step.before ?? ground, step.after ?? ground) })
}

/** Null, or what is published already, is no draft. */
export function setDraft(block: Block, draft: Draft | null, ground?: BaseVersion): void {
  const { drafts, problems } = usePages.getState()
  const { [block.id]: former, ...rest } = drafts
  const own = Object.entries(problems).filter(([place]) => !place.startsWith(`${block.id}:`))
  const isNone = draft === null || !isChanged(block, draft)
  const isLeft = isNone && ground === undefined && former !== undefined
  if (isLeft && former.ground.version !== block.version) rebaseBelow(former.ground, block)
  usePages.setState({
    problems: Object.fromEntries(own),
    drafts: isNone
      ? rest
      : {
          ...rest,
          [block.id]: { draft, ground: ground ?? former?.ground ?? baseVersionOf(block) },
        },
  })
  keepSoon(block.id)
}

export function undo(): HistoryEntry | null {
  return travel(undoEntry, 'before')
}

export function redo(): HistoryEntry | null {
  return travel(redoEntry, 'after')
}

function travel(way: typeof undoEntry, side: 'before' | 'after'): HistoryEntry | null {
  // A step back takes back what was typed last, also a moment ago.
  flushAll()
  const found = way(usePages.getState().past)
  const block = found === null ? undefined : blockOf(found.step.block)
  if (found === null || block === undefined) return null
  usePages.setState({ past: found.past })
  setDraft(block, found.step[side])
  return found.step
}

/** What earlier visits left, over what was published since where only that changed. */
export function restoreDraft(what: string): void {
  const { offered } = usePages.getState()
  usePages.setState({ offered: {} })
  for (const [id, all] of Object.entries(offered)) {
    const block = blockOf(id)
    for (const kept of [...all].reverse()) if (block !== undefined) resume(block, kept, what)
  }
  // It has no other place until it is kept as this visit's.
  persistDrafts()
  if (usePages.getState().keeps) discardFound(getLocalStorage(), Object.values(offered).flat())
}

/** What was typed before the answer stays, and one step back shows what it stands over. */
function resume(block: Block, { draft, ground }: KeptDraft, what: string): void {
  const former = usePages.getState().drafts[block.id]
  const now = former?.draft ?? block
  const { fields } = block
  const kept = mergeBlock(ground.value, sanitizeValue(fields, draft.value), block.value, { fields })
  const keptHidden = draft.hidden === ground.hidden ? block.hidden : draft.hidden
  const merged = (takes: () => boolean) =>
    mergeBlock(block.value, now.value, kept.value, { fields, takes })
  const { value: both, clashes } = merged(() => false)
  const { value: older } = merged(() => true)
  const hidden = now.hidden === block.hidden ? keptHidden : now.hidden
  // Publishing asks about what both sides changed since.
  const asks = kept.clashes.length > 0 ? ground : (former?.ground ?? baseVersionOf(block))
  for (const value of clashes.length > 0 ? [older, both] : [both]) {
    if (equal(value, now.value) && hidden === now.hidden && value !== both) continue
    record(block, { path: '', what }, { value, hidden })
    setDraft(block, { value, hidden }, asks)
  }
}

/** Answers with what takes that back: they are offered again, and lie on the shelf as before. */
export function discardRecoverable(): () => void {
  const { offered } = usePages.getState()
  usePages.setState({ offered: {} })
  const forgotten = discardFound(getLocalStorage(), Object.values(offered).flat())
  return () => {
    undoDiscardFound(getLocalStorage(), forgotten)
    usePages.setState(({ offered: others }) => ({ offered: { ...others, ...offered } }))
  }
}

export function discardAll(): void {
  const { drafts } = usePages.getState()
  usePages.setState({ drafts: {}, past: EMPTY_HISTORY, problems: {} })
  for (const id of Object.keys(drafts)) removeBlockDraft(getLocalStorage(), id)
}

export function allChanges({ blocks, drafts }: PagesStore): readonly Change[] {
  return (blocks ?? []).flatMap((block) => {
    const own = drafts[block.id]
    return own === undefined ? [] : changesOf(block, own.draft)
  })
}

/** As it is sent: words that are the default's again go back to following it. */
export function sentOf(block: Block, draft: Draft): BlockChange {
  const value = equal(draft.value, block.default) ? null : draft.value
  return {
    ...(equal(draft.value, block.value) ? {} : { value }),
    ...(draft.hidden === block.hidden ? {} : { hidden: draft.hidden }),
  }
}

const waiting = new Set<string>()
const keeping = debounceWithMaxWait(persistDrafts, KEEP_PAUSE_MS)

function keepSoon(id: string): void {
  waiting.add(id)
  keeping.schedule()
}

/** Editors that hold letters they have not handed on yet. */
const unhanded = new Set<() => void>()

/** `hand` is called when the words are wanted at once, until `handed`. */
export function registerPending(hand: () => void): void {
  unhanded.add(hand)
}

export function unregisterPending(hand: () => void): void {
  const was = unhanded.delete(hand)
  if (was && unhanded.size === 0) for (const act of afterLetters) act()
}

const afterLetters = new Set<() => void>()
/** `act` is called when the last letters are handed on; the answer ends it. */
export function onFlushed(act: () => void): () => void {
  afterLetters.add(act)
  return () => afterLetters.delete(act)
}

/** Letters come: what is made of those before them, marks or a drawing, is old before it is shown. */
export function hasPendingInput(): boolean {
  return unhanded.size > 0
}

/** Also the letters of a moment ago. */
export function flushAll(): void {
  for (const hand of [...unhanded]) hand()
}

/** What is not handed on yet is kept all the same, and nothing is drawn for it. */
export function persistPendingInput(id: string, path: string, word: FieldValue): void {
  const block = blockOf(id)
  if (block === undefined) return
  const store = usePages.getState()
  const { value, hidden } = draftOf(store, block)
  const kept = persistBlockDraft(getLocalStorage(), id, {
    draft: { value: setIn(value, path, word), hidden },
    ground: store.drafts[id]?.ground ?? baseVersionOf(block),
    savedAt: new Date().toISOString(),
  })
  // Where it is taken back before it is handed on, nothing of it stays kept.
  waiting.add(id)
  if (!kept) usePages.setState({ keeps: false })
}

export function persistDrafts(): void {
  flushAll()
  keeping.cancel()
  if (waiting.size === 0) return
  const { drafts } = usePages.getState()
  const savedAt = new Date()
  for (const id of waiting) {
    const own = drafts[id]
    if (own === undefined) removeBlockDraft(getLocalStorage(), id)
    else if (!persistBlockDraft(getLocalStorage(), id, { ...own, savedAt: savedAt.toISOString() }))
      continue
    // What finds no room goes on waiting: a short text that found some said that all was kept.
    waiting.delete(id)
  }
  usePages.setState({ keptAt: savedAt, keeps: waiting.size === 0 })
}

/** Once more, whatever became of it there: who leaves hears no more of what another tab took away. */
export function persistAllDrafts(): void {
  for (const id of Object.keys(usePages.getState().drafts)) waiting.add(id)
  persistDrafts()
}

/** Another tab was offered what this one keeps, and answered: here it is in use yet. */
export function persistDraftsAgain(): void {
  const { drafts } = usePages.getState()
  const gone = Object.keys(drafts).filter((id) => !isBlockDraftStored(getLocalStorage(), id))
  for (const id of gone) waiting.add(id)
  if (gone.length > 0) persistDrafts()
}
