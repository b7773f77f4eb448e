// The blocks as published, and what she has made of them: one store, so that undo goes across pages.
import { create } from 'zustand'
import { ApiError } from '../api'
import { browserShelf } from '../drafts'
import { type Change, changesOf, type Draft, isChanged } from './changes'
import { type Block, type BlockChange, type Group, readBlocks } from './contract'
import { forget, type Ground, groundOf, type KeptDraft, keep, keptOf } from './draft-shelf'
import { NO_PAST, type Past, recorded, redone, type Step, undone } from './history'
import { mergeWords } from './merge-blocks'
import { equal } from './value'

export type Drafts = Readonly<Record<string, { readonly draft: Draft; readonly ground: Ground }>>

type PagesStore = {
  readonly blocks: readonly Block[] | null
  readonly error: ApiError | null
  readonly drafts: Drafts
  /** Of an earlier visit, until they are taken back or thrown away. */
  readonly offered: Readonly<Record<string, KeptDraft>>
  readonly past: Past
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
  past: NO_PAST,
  keptAt: null,
  keeps: true,
  problems: {},
}

export const usePages = create<PagesStore>(() => EMPTY)

const KEEP_PAUSE_MS = 300

export async function loadBlocks(): Promise<void> {
  usePages.setState({ error: null })
  try {
    takeBlocks(await readBlocks())
  } catch (error) {
    const known = error instanceof ApiError ? error : new ApiError(0, '', String(error))
    usePages.setState({ error: known })
  }
}

/** Blocks as they stand on the server now; drafts of this visit stay over them. */
function takeBlocks(blocks: readonly Block[]): void {
  const { drafts } = usePages.getState()
  const now = new Date()
  const found = blocks.flatMap((block) => {
    const kept = block.id in drafts ? null : keptOf(browserShelf(), block.id, now)
    return kept === null || !isChanged(block, kept.draft) ? [] : [[block.id, kept] as const]
  })
  usePages.setState({ blocks, offered: Object.fromEntries(found) })
}

export function putBlocks(fresh: readonly Block[]): void {
  const byId = new Map(fresh.map((block) => [block.id, block]))
  usePages.setState(({ blocks }) => ({
    blocks: blocks?.map((block) => byId.get(block.id) ?? block) ?? null,
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
  readonly value?: Group
  readonly hidden?: boolean
  /** The text as it stands after a letter; null for a step of its own. */
  readonly typed?: string | null
}

export function edit(change: Edit): void {
  const block = blockOf(change.block)
  if (block === undefined) return
  const store = usePages.getState()
  const before = store.drafts[block.id]?.draft ?? null
  const { value, hidden } = before ?? block
  const after = { value: change.value ?? value, hidden: change.hidden ?? hidden }
  const step: Step = {
    block: block.id,
    path: change.path,
    what: change.what,
    before,
    after,
    at: performance.now(),
    open: false,
  }
  usePages.setState({ past: recorded(store.past, step, change.typed ?? null) })
  setDraft(block, after)
}

/** Null, or what is published already, is no draft. */
export function setDraft(block: Block, draft: Draft | null, ground?: Ground): void {
  const { drafts, problems } = usePages.getState()
  const { [block.id]: former, ...rest } = drafts
  const own = Object.entries(problems).filter(([place]) => !place.startsWith(`${block.id}:`))
  const isNone = draft === null || !isChanged(block, draft)
  usePages.setState({
    problems: Object.fromEntries(own),
    drafts: isNone
      ? rest
      : { ...rest, [block.id]: { draft, ground: ground ?? former?.ground ?? groundOf(block) } },
  })
  keepSoon(block.id)
}

export function undo(): Step | null {
  return travel(undone, 'before')
}

export function redo(): Step | null {
  return travel(redone, 'after')
}

function travel(way: typeof undone, side: 'before' | 'after'): Step | null {
  const found = way(usePages.getState().past)
  const block = found === null ? undefined : blockOf(found.step.block)
  if (found === null || block === undefined) return null
  usePages.setState({ past: found.past })
  setDraft(block, found.step[side])
  return found.step
}

/** What an earlier visit left, over what was published since where only that changed. */
export function takeBack(): void {
  const { offered } = usePages.getState()
  usePages.setState({ offered: {} })
  for (const [id, { draft, ground }] of Object.entries(offered)) {
    const block = blockOf(id)
    if (block === undefined) continue
    const { word, clashes } = mergeWords(ground.value, draft.value, block.value)
    const hidden = draft.hidden === ground.hidden ? block.hidden : draft.hidden
    // Publishing asks about what both sides changed since.
    const began = clashes.length > 0 ? ground : groundOf(block)
    setDraft(block, { value: word as Group, hidden }, began)
  }
}

export function throwAwayOffered(): void {
  for (const id of Object.keys(usePages.getState().offered)) forget(browserShelf(), id)
  usePages.setState({ offered: {} })
}

export function discardAll(): void {
  const { drafts } = usePages.getState()
  usePages.setState({ drafts: {}, past: NO_PAST, problems: {} })
  for (const id of Object.keys(drafts)) forget(browserShelf(), id)
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
let timer = 0

function keepSoon(id: string): void {
  waiting.add(id)
  clearTimeout(timer)
  timer = window.setTimeout(keepNow, KEEP_PAUSE_MS)
}

export function keepNow(): void {
  clearTimeout(timer)
  if (waiting.size === 0) return
  const { drafts } = usePages.getState()
  const savedAt = new Date()
  const kept = [...waiting].map((id) => {
    const own = drafts[id]
    if (own !== undefined) {
      return keep(browserShelf(), id, { ...own, savedAt: savedAt.toISOString() })
    }
    forget(browserShelf(), id)
    return true
  })
  waiting.clear()
  usePages.setState({ keptAt: savedAt, keeps: kept.every(Boolean) })
}
