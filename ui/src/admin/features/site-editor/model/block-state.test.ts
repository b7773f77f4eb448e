import { describe, expect, it } from 'vitest'
import type { Block } from '../api/content-api'
import { blockOf } from './block.fixture'
import { baseVersionOf } from './block-draft-storage'
import {
  type BlockEvent,
  type BlockState,
  basedDraftIn,
  CLEAN,
  isDraft,
  problemsIn,
  SENT_MAX,
  transition,
} from './block-state'
import type { Draft } from './draft-diff'

const block = blockOf([{ name: 'title', label: 'Titolo', type: 'line' }], { title: 'Titolo' })
const draftOf = (title: string): Draft => ({ value: { title }, hidden: false })
/** The block after someone has published `title`. */
const publishedAs = (title: string): Block => ({ ...block, value: { title }, version: '2' })
const [mine, newer] = [draftOf('Mio'), draftOf('Più nuovo')]
const base = baseVersionOf(block)
const problems = { title: 'Troppo lungo' }

const dirty: BlockState = { kind: 'dirty', draft: mine, base }
const refused: BlockState = { kind: 'refused', draft: mine, base, problems }
const conflict: BlockState = { kind: 'conflict', draft: mine, base }
const sentBase = { ...base, sent: [mine] }
const unknown: BlockState = { kind: 'unknown', draft: mine, base: sentBase }
const publishing: BlockState = {
  kind: 'publishing',
  sent: mine,
  draft: mine,
  base,
  problems: {},
}
const marked: BlockState = { kind: 'clean', problems }

const edited = (draft: Draft): BlockEvent => ({ type: 'edited', draft, block })

const EVENTS = {
  edited: edited(newer),
  'edited to the published text': edited(draftOf('Titolo')),
  discarded: { type: 'discarded' },
  rebased: {
    type: 'rebased',
    draft: newer,
    base: baseVersionOf(publishedAs('Altrui')),
    block: publishedAs('Altrui'),
  },
  'rebased to the published text': {
    type: 'rebased',
    draft: draftOf('Altrui'),
    base: baseVersionOf(publishedAs('Altrui')),
    block: publishedAs('Altrui'),
  },
  checked: { type: 'checked', problems },
  sent: { type: 'sent' },
  published: { type: 'published', block: publishedAs('Mio') },
  refused: { type: 'refused', problems },
  'refused for other blocks': { type: 'refused', problems: {} },
  rejected: { type: 'rejected' },
  unanswered: { type: 'unanswered' },
  conflicted: { type: 'conflicted' },
} as const satisfies Record<string, BlockEvent>

type Name = keyof typeof EVENTS

const newBase = baseVersionOf(publishedAs('Altrui'))
/** Transitions of every state with a draft; a state overrides the ones that differ. */
const ofAnyDraft = {
  'edited to the published text': CLEAN,
  discarded: CLEAN,
  rebased: { kind: 'dirty', draft: newer, base: newBase },
  'rebased to the published text': CLEAN,
  checked: refused,
  sent: publishing,
  conflicted: conflict,
} as const

/** Events without an entry are impossible in the state and leave it as it is. */
const MACHINE: readonly (readonly [string, BlockState, Partial<Record<Name, BlockState>>])[] = [
  [
    'clean',
    CLEAN,
    {
      edited: { kind: 'dirty', draft: newer, base },
      'edited to the published text': CLEAN,
      discarded: CLEAN,
      rebased: { kind: 'dirty', draft: newer, base: newBase },
      'rebased to the published text': CLEAN,
      checked: marked,
    },
  ],
  [
    'clean, with a picture that was reset',
    marked,
    {
      edited: { kind: 'dirty', draft: newer, base },
      'edited to the published text': CLEAN,
      discarded: CLEAN,
      rebased: { kind: 'dirty', draft: newer, base: newBase },
      'rebased to the published text': CLEAN,
      checked: marked,
    },
  ],
  ['dirty', dirty, { ...ofAnyDraft, edited: { kind: 'dirty', draft: newer, base } }],
  [
    'refused',
    refused,
    {
      ...ofAnyDraft,
      edited: { kind: 'dirty', draft: newer, base },
      sent: { ...publishing, problems },
    },
  ],
  ['conflict', conflict, { ...ofAnyDraft, edited: { kind: 'conflict', draft: newer, base } }],
  [
    'unknown',
    unknown,
    {
      ...ofAnyDraft,
      edited: { kind: 'unknown', draft: newer, base: sentBase },
      checked: { ...refused, base: sentBase },
      sent: { ...publishing, base: sentBase },
      conflicted: { ...conflict, base: sentBase },
    },
  ],
  [
    'publishing',
    publishing,
    {
      edited: { ...publishing, draft: newer },
      'edited to the published text': { ...publishing, draft: null },
      discarded: { ...publishing, draft: null },
      rebased: { ...publishing, draft: newer, base: newBase },
      'rebased to the published text': { ...publishing, draft: null },
      checked: { ...publishing, problems },
      published: CLEAN,
      refused,
      'refused for other blocks': dirty,
      rejected: dirty,
      unanswered: unknown,
    },
  ],
  [
    'publishing, edited since',
    { ...publishing, draft: newer },
    {
      edited: { ...publishing, draft: newer },
      'edited to the published text': { ...publishing, draft: null },
      discarded: { ...publishing, draft: null },
      rebased: { ...publishing, draft: newer, base: newBase },
      'rebased to the published text': { ...publishing, draft: null },
      checked: { ...publishing, draft: newer, problems },
      published: { kind: 'dirty', draft: newer, base: baseVersionOf(publishedAs('Mio')) },
      refused: { ...refused, draft: newer },
      'refused for other blocks': { ...dirty, draft: newer },
      rejected: { ...dirty, draft: newer },
      unanswered: { ...unknown, draft: newer },
    },
  ],
  [
    'publishing, discarded since',
    { ...publishing, draft: null },
    {
      edited: { ...publishing, draft: newer },
      'edited to the published text': { ...publishing, draft: null },
      discarded: { ...publishing, draft: null },
      rebased: { ...publishing, draft: newer, base: newBase },
      'rebased to the published text': { ...publishing, draft: null },
      checked: { ...publishing, draft: null, problems },
      published: CLEAN,
      refused: CLEAN,
      'refused for other blocks': CLEAN,
      rejected: CLEAN,
      unanswered: CLEAN,
    },
  ],
]

it.each(MACHINE)('each event on a block that is %s', (_, state, to) => {
  const names = Object.keys(EVENTS) as Name[]
  const next = names.map((name) => [name, transition(state, EVENTS[name])] as const)
  expect(Object.fromEntries(next)).toEqual(
    Object.fromEntries(names.map((name) => [name, to[name] ?? state])),
  )
  for (const [name, found] of next) if (to[name] === undefined) expect(found).toBe(state)
})

describe('a request', () => {
  const stateAfter = (...events: readonly BlockEvent[]) => events.reduce(transition, dirty)

  it('that was sent again keeps every draft that may have arrived, up to a limit', () => {
    const lost = Array.from({ length: SENT_MAX + 2 }, (_, number) => draftOf(String(number)))
    const state = stateAfter(
      ...lost.flatMap((draft) => [edited(draft), EVENTS.sent, EVENTS.unanswered] as const),
    )
    expect(basedDraftIn(state)?.base.sent).toEqual(lost.slice(-SENT_MAX))
  })

  it('that was lost twice with the same draft lists it once', () => {
    const state = stateAfter(EVENTS.sent, EVENTS.unanswered, EVENTS.sent, EVENTS.unanswered)
    expect(state).toEqual(unknown)
  })

  it('that was rejected stays unknown if an earlier one was lost', () => {
    expect(stateAfter(EVENTS.sent, EVENTS.unanswered, EVENTS.sent, EVENTS.rejected)).toEqual(
      unknown,
    )
  })

  it('that was rejected leaves the problems of an earlier one, until the next edit', () => {
    const again = stateAfter(EVENTS.sent, EVENTS.refused, EVENTS.sent, EVENTS.rejected)
    expect(again).toEqual(refused)
    expect(problemsIn(transition(again, EVENTS.edited))).toEqual({})
    const whileSending = stateAfter(EVENTS.sent, EVENTS.refused, EVENTS.sent, EVENTS.edited)
    expect(problemsIn(whileSending)).toEqual({})
  })

  it('that is published while an equal draft was typed leaves none', () => {
    expect(stateAfter(EVENTS.sent, edited(draftOf('Mio')), EVENTS.published)).toEqual(CLEAN)
  })
})

it('only a block with a draft and without a request can be sent', () => {
  const sendable = MACHINE.filter(([, state]) => isDraft(state)).map(([name]) => name)
  expect(sendable).toEqual(['dirty', 'refused', 'conflict', 'unknown'])
  expect(basedDraftIn(CLEAN)).toBeNull()
  expect(basedDraftIn({ ...publishing, draft: null })).toBeNull()
})
