// Store of the published blocks and their drafts: one for all pages, so that undo works across pages.
import { useMemo } from 'preact/hooks'
import { create } from 'zustand'
import { ApiError } from '../../../api/client'
import { getDraftStorage, refreshDrafts } from '../../../drafts/draft-sync'
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
  baseVersionOf,
  DRAFTS_OF_BLOCKS,
  discardRecoverableDraft,
  isBlockDraftStored,
  loadBlockDrafts,
  persistBlockDraft,
  type RecoverableDraft,
  removeBlockDraft,
  type SavedDraft,
  undoDiscardFound,
} from './block-draft-storage'
import {
  type BasedDraft,
  type BlockEvent,
  type BlockState,
  basedDraftIn,
  CLEAN,
  isDraft,
  problemsIn,
  transition,
} from './block-state'
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

/** Drafts by block. */
export type Drafts = Readonly<Record<string, BasedDraft>>

export type PagesStore = {
  readonly blocks: readonly Block[] | null
  readonly error: ApiError | null
  /** States by block; a block without an entry is clean. `applyEvent` alone changes them. */
  readonly states: Readonly<Record<string, BlockState>>
  /** The drafts of `states`; changes only with a draft, so that other events re-render nothing. */
  readonly drafts: Drafts
  /** Drafts of earlier visits and other tabs, oldest first, until the admin restores or discards them. */
  readonly offered: Readonly<Record<string, readonly RecoverableDraft[]>>
  readonly past: UndoHistory
  readonly keptAt: Date | null
  readonly keeps: boolean
  /** The problems of `states` by block and field: `servizi.offers:offers[2].price`. */
  readonly problems: Readonly<Record<string, string>>
}

const EMPTY: PagesStore = {
  blocks: null,
  error: null,
  states: {},
  drafts: {},
  offered: {},
  past: EMPTY_HISTORY,
  keptAt: null,
  keeps: true,
  problems: {},
}

export const usePages = create<PagesStore>(() => EMPTY)

export type BlocksAndDrafts = Pick<PagesStore, 'blocks' | 'drafts'>

/** The published blocks and their drafts; the rest of the store changes with each flush and each write to storage. */
export function useBlocksAndDrafts(): BlocksAndDrafts {
  const blocks = usePages((store) => store.blocks)
  const drafts = usePages((store) => store.drafts)
  return useMemo(() => ({ blocks, drafts }), [blocks, drafts])
}

const PERSIST_PAUSE_MS = 300
/** Pending keystrokes are written to localStorage once typing pauses for this long. */
export const PERSIST_DELAY_MS = 250
/**
 * Each flush re-renders the whole panel; with a shorter delay a slow typist caused one re-render per
 * keystroke.
 */
export const FLUSH_DELAY_MS = 650

export async function loadBlocks(): Promise<void> {
  usePages.setState({ error: null })
  try {
    const [read] = await Promise.all([readBlocks(), refreshDrafts(DRAFTS_OF_BLOCKS)])
    const blocks = reuseUnchanged(usePages.getState().blocks, read)
    storeLoadedBlocks(blocks)
    const { offered } = usePages.getState()
    const next = await reconcileStoredDrafts(offered, blocks)
    // The admin may have restored or discarded the drafts meanwhile.
    if (usePages.getState().offered === offered) usePages.setState({ offered: next })
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError(0, '', String(error))
    usePages.setState({ error: known })
  }
}

/** Stores the server's blocks; drafts of this visit stay on top of them. */
function storeLoadedBlocks(blocks: readonly Block[]): void {
  // Flush first: pending keystrokes were typed over the former version.
  flushAll()
  const { drafts, offered } = usePages.getState()
  const found = blocks.flatMap((block) => {
    const all =
      block.id in drafts ? (offered[block.id] ?? []) : loadBlockDrafts(getDraftStorage(), block.id)
    const kept = all.filter(({ draft }) => isChanged(block, draft))
    discardRecoverableDraft(
      getDraftStorage(),
      all.filter((one) => !kept.includes(one)),
    )
    return kept.length > 0 ? [[block.id, kept] as const] : []
  })
  putBlocks(blocks)
  usePages.setState({ blocks, offered: Object.fromEntries(found) })
}

/** Stores fresh blocks and rebases their undo steps; a block with a draft is rebased with its draft. */
export function putBlocks(fresh: readonly Block[]): void {
  for (const block of fresh) {
    const former = blockOf(block.id)
    if (former === undefined || block.id in usePages.getState().drafts) continue
    if (former.version !== block.version) rebaseBelow(former, block)
  }
  showBlocks(fresh)
}

/** Stores fresh blocks without rebasing undo steps. */
export function showBlocks(fresh: readonly Block[]): void {
  usePages.setState(({ blocks }) => ({ blocks: blocks && replaceBlocks(blocks, fresh) }))
}

/** Rebases the undo steps of a block. Other people's changes win, unless `rest` says otherwise. */
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
  /** Name of the step in 'Annulla: …'. */
  readonly what: string
  readonly value?: ObjectValue
  readonly hidden?: boolean
  /** The text after a keystroke; null for a change that is a step of its own. */
  readonly typed?: string | null
  /** Times of the first and the last keystroke of a batch, from `performance.now()`. */
  readonly letters?: { readonly from: number; readonly to: number } | undefined
}

let steps = 0

/** Returns the number of the new undo step for `revert`; 0 if nothing changes. */
export function edit(change: Edit): number {
  const block = blockOf(change.block)
  if (block === undefined) return 0
  const { value, hidden } = draftOf(usePages.getState(), block)
  const words = change.value === undefined ? value : sanitizeValue(block.fields, change.value)
  const after = { value: words, hidden: change.hidden ?? hidden }
  // Without a change no step, which would also discard the steps that can be redone.
  const isChange = after.hidden !== hidden || !equal(words, value)
  if (isChange) record(block, change, after)
  setDraft(block, after)
  return isChange ? steps : 0
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

/** Undoes one step and keeps the later ones; does nothing if the step is undone already. */
export function revert(number: number): void {
  const { past, drafts } = usePages.getState()
  const step = past.done.find((one) => one.number === number)
  const block = step === undefined ? undefined : blockOf(step.block)
  if (step === undefined || block === undefined) return
  if (step === past.done.at(-1)) {
    undo()
    return
  }
  const base = drafts[block.id]?.base ?? block
  const { block: id, path, what } = step
  const now = draftOf(usePages.getState(), block)
  edit({ block: id, path, what, ...withoutEntry(now, step.before ?? base, step.after ?? base) })
}

/** Null, or a draft equal to the published block, removes the draft. */
export function setDraft(block: Block, draft: Draft | null): void {
  const former = usePages.getState().drafts[block.id]
  const isLeft = former !== undefined && (draft === null || !isChanged(block, draft))
  if (isLeft && former.base.version !== block.version) rebaseBelow(former.base, block)
  applyEvent(block.id, draft === null ? { type: 'discarded' } : { type: 'edited', draft, block })
}

/** Stores the draft as based on another version than before. */
export function rebaseDraft(block: Block, draft: Draft, base = baseVersionOf(block)): void {
  applyEvent(block.id, { type: 'rebased', draft, base, block })
}

export function applyEvent(id: string, event: BlockEvent): void {
  const before = usePages.getState()
  const state = transition(before.states[id] ?? CLEAN, event)
  const drafts = draftsWith(before.drafts, id, basedDraftIn(state))
  const problems = problemsWith(before.problems, id, state)
  usePages.setState({ states: { ...before.states, [id]: state }, drafts, problems })
  // Pending keystrokes were stored ahead of their edit; if it results in no draft, they are removed again.
  if (drafts !== before.drafts || event.type === 'edited') schedulePersist(id)
}

function draftsWith(drafts: Drafts, id: string, own: BasedDraft | null): Drafts {
  const { [id]: former, ...rest } = drafts
  if (own?.draft === former?.draft && own?.base === former?.base) return drafts
  return own === null ? rest : { ...rest, [id]: own }
}

function problemsWith(
  problems: PagesStore['problems'],
  id: string,
  state: BlockState,
): PagesStore['problems'] {
  const others = Object.entries(problems).filter(([place]) => !place.startsWith(`${id}:`))
  const own = Object.entries(problemsIn(state)).map(([path, text]) => [`${id}:${path}`, text])
  // The same object while there is none: the list of pages selects it.
  return others.length + own.length + Object.keys(problems).length === 0
    ? problems
    : Object.fromEntries([...others, ...own])
}

/** Blocks with a draft for which no request is running. */
export function blocksToPublish({
  blocks,
  states,
}: Pick<PagesStore, 'blocks' | 'states'>): readonly Block[] {
  return (blocks ?? []).filter(({ id }) => isDraft(states[id] ?? CLEAN))
}

export function undo(): HistoryEntry | null {
  return navigateHistory(undoEntry, 'before')
}

export function redo(): HistoryEntry | null {
  return navigateHistory(redoEntry, 'after')
}

function navigateHistory(move: typeof undoEntry, side: 'before' | 'after'): HistoryEntry | null {
  // Flush first, so that undo reverts keystrokes typed a moment ago.
  flushAll()
  const found = move(usePages.getState().past)
  const block = found === null ? undefined : blockOf(found.step.block)
  if (found === null || block === undefined) return null
  usePages.setState({ past: found.past })
  setDraft(block, found.step[side])
  return found.step
}

/** Restores the drafts of earlier visits, merged with what has been published since. */
export function restoreDraft(what: string): void {
  const { offered } = usePages.getState()
  usePages.setState({ offered: {} })
  for (const [id, all] of Object.entries(offered)) {
    const block = blockOf(id)
    for (const kept of [...all].reverse()) if (block !== undefined) restoreFound(block, kept, what)
  }
  // Store them as drafts of this visit before their former keys are removed.
  persistDrafts()
  if (usePages.getState().keeps)
    discardRecoverableDraft(getDraftStorage(), Object.values(offered).flat())
}

/** Restores one draft. Text typed meanwhile wins; one undo then shows the restored text. */
function restoreFound(block: Block, { draft, ground }: SavedDraft, what: string): void {
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
  // With the former base, publishing asks about fields that both sides have changed since.
  const asks = kept.clashes.length > 0 ? ground : (former?.base ?? baseVersionOf(block))
  for (const value of clashes.length > 0 ? [older, both] : [both]) {
    if (equal(value, now.value) && hidden === now.hidden && value !== both) continue
    record(block, { path: '', what }, { value, hidden })
    rebaseDraft(block, { value, hidden }, asks)
  }
}

/** Returns a function that offers the drafts again and puts them back into localStorage. */
export function discardRecoverable(): () => void {
  const { offered } = usePages.getState()
  usePages.setState({ offered: {} })
  const forgotten = discardRecoverableDraft(getDraftStorage(), Object.values(offered).flat())
  return () => {
    undoDiscardFound(getDraftStorage(), forgotten)
    usePages.setState(({ offered: others }) => ({ offered: { ...others, ...offered } }))
  }
}

export function discardAll(): void {
  const { states, drafts } = usePages.getState()
  usePages.setState({ past: EMPTY_HISTORY })
  for (const id of Object.keys(states)) applyEvent(id, { type: 'discarded' })
  for (const id of Object.keys(drafts)) removeBlockDraft(getDraftStorage(), id)
}

export function allChanges({ blocks, drafts }: BlocksAndDrafts): readonly Change[] {
  return (blocks ?? []).flatMap((block) => {
    const own = drafts[block.id]
    return own === undefined ? [] : changesOf(block, own.draft)
  })
}

/** The request for a draft: a value equal to the default is sent as null, to follow the default again. */
export function sentOf(block: Block, draft: Draft): BlockChange {
  const value = equal(draft.value, block.default) ? null : draft.value
  return {
    ...(equal(draft.value, block.value) ? {} : { value }),
    ...(draft.hidden === block.hidden ? {} : { hidden: draft.hidden }),
  }
}

const unsavedBlocks = new Set<string>()
const persisting = debounceWithMaxWait(persistDrafts, PERSIST_PAUSE_MS)

function schedulePersist(id: string): void {
  unsavedBlocks.add(id)
  persisting.schedule()
}

/** Flush callbacks of editors that have pending keystrokes. */
const pendingFlushes = new Set<() => void>()

/** `flush` flushes the editor on demand, until `unregisterPending`. */
export function registerPending(flush: () => void): void {
  pendingFlushes.add(flush)
}

export function unregisterPending(flush: () => void): void {
  const was = pendingFlushes.delete(flush)
  if (was && pendingFlushes.size === 0) for (const act of flushListeners) act()
}

const flushListeners = new Set<() => void>()
/** Calls `act` whenever the last pending keystrokes are flushed. Returns the unsubscribe function. */
export function onFlushed(act: () => void): () => void {
  flushListeners.add(act)
  return () => flushListeners.delete(act)
}

/** While keystrokes are pending, a highlight or preview is outdated before it is shown. */
export function hasPendingInput(): boolean {
  return pendingFlushes.size > 0
}

/** Hands pending keystrokes of all editors to the store. */
export function flushAll(): void {
  for (const flush of [...pendingFlushes]) flush()
}

/** Writes pending keystrokes to localStorage without a re-render. */
export function persistPendingInput(id: string, path: string, word: FieldValue): void {
  const block = blockOf(id)
  if (block === undefined) return
  const store = usePages.getState()
  const { value, hidden } = draftOf(store, block)
  const kept = persistBlockDraft(getDraftStorage(), id, {
    draft: { value: setIn(value, path, word), hidden },
    ground: store.drafts[id]?.base ?? baseVersionOf(block),
    savedAt: new Date().toISOString(),
  })
  // If the input is undone before its flush, the next write removes it from localStorage.
  unsavedBlocks.add(id)
  if (!kept) usePages.setState({ keeps: false })
}

export function persistDrafts(): void {
  flushAll()
  persisting.cancel()
  if (unsavedBlocks.size === 0) return
  const { drafts } = usePages.getState()
  const savedAt = new Date()
  for (const id of unsavedBlocks) {
    const own = drafts[id]
    if (own === undefined) removeBlockDraft(getDraftStorage(), id)
    else if (!persistBlockDraft(getDraftStorage(), id, storedForm(own, savedAt))) continue
    // A draft that does not fit stays queued; otherwise the next short one would report that all are stored.
    unsavedBlocks.delete(id)
  }
  usePages.setState({ keptAt: savedAt, keeps: unsavedBlocks.size === 0 })
}

function storedForm({ draft, base }: BasedDraft, savedAt: Date): SavedDraft {
  return { draft, ground: base, savedAt: savedAt.toISOString() }
}

/** For `pagehide`: a closed tab gets no storage event when another tab removes its drafts. */
export function persistAllDrafts(): void {
  for (const id of Object.keys(usePages.getState().drafts)) unsavedBlocks.add(id)
  persistDrafts()
}

/** Stores drafts again that another tab has restored or discarded; this tab still uses them. */
export function persistDraftsAgain(): void {
  const { drafts } = usePages.getState()
  const gone = Object.keys(drafts).filter((id) => !isBlockDraftStored(getDraftStorage(), id))
  for (const id of gone) unsavedBlocks.add(id)
  if (gone.length > 0) persistDrafts()
}
