// State machine of one block in the site editor: pure, so that tests cover every order of events.
import type { Block } from '../api/content-api'
import { type BaseVersion, baseVersionOf } from './block-draft-storage'
import { type Draft, isChanged } from './draft-diff'
import { equal } from './field-path'

/** Messages by the path of the field in the block. */
export type FieldProblems = Readonly<Record<string, string>>

/** A draft and the version that it is based on. */
export type BasedDraft = { readonly draft: Draft; readonly base: BaseVersion }

/** A block with a draft while no request for it is running. */
export type DraftState =
  | ({ readonly kind: 'dirty' } & BasedDraft)
  /** The server refused some fields, or a picture of the draft is gone; nothing was written. */
  | ({ readonly kind: 'refused'; readonly problems: FieldProblems } & BasedDraft)
  /** Someone else has published other values of the same fields, and the admin has not chosen yet. */
  | ({ readonly kind: 'conflict' } & BasedDraft)
  /** A publish was not answered: the server may have stored any of `base.sent`. */
  | ({ readonly kind: 'unknown' } & BasedDraft)

export type BlockState =
  /** Equal to the published block. `problems` names pictures that are gone and were reset. */
  | { readonly kind: 'clean'; readonly problems: FieldProblems }
  | DraftState
  | {
      readonly kind: 'publishing'
      readonly sent: Draft
      /** The draft with edits made since; null if the admin went back to the published block. */
      readonly draft: Draft | null
      readonly base: BaseVersion
      /** Problems of an earlier request, shown until this one is answered. */
      readonly problems: FieldProblems
    }

export type BlockEvent =
  /** A draft equal to `block`, the version published now, is none. */
  | { readonly type: 'edited'; readonly draft: Draft; readonly block: Block }
  | { readonly type: 'discarded' }
  /** The draft was merged with `block`. */
  | ({ readonly type: 'rebased'; readonly block: Block } & BasedDraft)
  /** A check in the browser found problems. */
  | { readonly type: 'checked'; readonly problems: FieldProblems }
  | { readonly type: 'sent' }
  | { readonly type: 'published'; readonly block: Block }
  /** The server refused fields of the request; `problems` are those of this block. */
  | { readonly type: 'refused'; readonly problems: FieldProblems }
  /** The server wrote nothing for a reason that is not in the fields, like an expired session or a 412. */
  | { readonly type: 'rejected' }
  /** No answer arrived, or one that does not say whether the server has written. */
  | { readonly type: 'unanswered' }
  /** The version on the server and the draft differ in the same fields. */
  | { readonly type: 'conflicted' }

const NO_PROBLEMS: FieldProblems = {}
export const CLEAN: BlockState = { kind: 'clean', problems: NO_PROBLEMS }

/** Drafts to remember after consecutive lost responses; any of them may have arrived. */
export const SENT_MAX = 5

/** Returns the same state for an event that is impossible in it. */
export function transition(state: BlockState, event: BlockEvent): BlockState {
  switch (event.type) {
    case 'edited':
      return edited(state, event.draft, event.block)
    case 'discarded':
      return discarded(state)
    case 'rebased':
      return rebased(state, event, event.block)
    case 'checked':
      return checked(state, event.problems)
    case 'sent':
      return sent(state)
    case 'conflicted':
      return isDraft(state) ? { kind: 'conflict', draft: state.draft, base: state.base } : state
    default:
      return state.kind === 'publishing' ? answered(state, event) : state
  }
}

function edited(state: BlockState, draft: Draft, block: Block): BlockState {
  if (!isChanged(block, draft)) return discarded(state)
  if (state.kind === 'publishing') return { ...state, draft, problems: NO_PROBLEMS }
  if (state.kind === 'conflict') return { ...state, draft }
  return withDraft(draft, state.kind === 'clean' ? baseVersionOf(block) : state.base)
}

function discarded(state: BlockState): BlockState {
  // The answer to the request is still to come.
  return state.kind === 'publishing' ? { ...state, draft: null, problems: NO_PROBLEMS } : CLEAN
}

function rebased(state: BlockState, { draft, base }: BasedDraft, block: Block): BlockState {
  if (!isChanged(block, draft)) return discarded(state)
  if (state.kind === 'publishing') return { ...state, draft, base, problems: NO_PROBLEMS }
  return withDraft(draft, base)
}

function checked(state: BlockState, problems: FieldProblems): BlockState {
  if (!isDraft(state)) return { ...state, problems }
  return { kind: 'refused', draft: state.draft, base: state.base, problems }
}

function sent(state: BlockState): BlockState {
  if (!isDraft(state)) return state
  const { draft, base } = state
  return { kind: 'publishing', sent: draft, draft, base, problems: problemsIn(state) }
}

type Publishing = Extract<BlockState, { kind: 'publishing' }>
type AnswerEvent = Extract<
  BlockEvent,
  { type: 'published' | 'refused' | 'rejected' | 'unanswered' }
>

function answered({ sent, draft, base, problems }: Publishing, event: AnswerEvent): BlockState {
  if (draft === null) return CLEAN
  switch (event.type) {
    case 'published': {
      // Text typed while the request was running stays a draft.
      const isLeft = draft !== sent && isChanged(event.block, draft)
      return isLeft ? withDraft(draft, baseVersionOf(event.block)) : CLEAN
    }
    case 'refused':
      return withProblems(draft, base, event.problems)
    case 'rejected':
      return withProblems(draft, base, problems)
    case 'unanswered': {
      // Without this list the next publish would take them for another person's change.
      const before = (base.sent ?? []).filter((one) => !equal(one, sent))
      return withDraft(draft, { ...base, sent: [...before, sent].slice(-SENT_MAX) })
    }
  }
}

function withProblems(draft: Draft, base: BaseVersion, problems: FieldProblems): DraftState {
  const isFine = Object.keys(problems).length === 0
  return isFine ? withDraft(draft, base) : { kind: 'refused', draft, base, problems }
}

function withDraft(draft: Draft, base: BaseVersion): DraftState {
  const kind = base.sent === undefined || base.sent.length === 0 ? 'dirty' : 'unknown'
  return { kind, draft, base }
}

/** Whether the block can be sent. */
export function isDraft(state: BlockState): state is DraftState {
  return state.kind !== 'clean' && state.kind !== 'publishing'
}

export function problemsIn(state: BlockState): FieldProblems {
  return 'problems' in state ? state.problems : NO_PROBLEMS
}

/** Null while the block is equal to the published one. */
export function basedDraftIn(state: BlockState): BasedDraft | null {
  if (state.kind === 'clean' || state.draft === null) return null
  return { draft: state.draft, base: state.base }
}
