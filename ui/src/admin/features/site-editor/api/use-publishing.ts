// The action of 'Pubblica': waits for uploads, publishes, and reports the result or the refused field.

import { useRef, useState } from 'preact/hooks'
import { fill } from '../../../../lib/interpolate'
import { counted } from '../../../../lib/plural'
import { isStatus, reasonOf } from '../../../api/client'
import { evictFiles } from '../../../api/upload-cache'
import { areaHref } from '../../../app/routes'
import { dismissedTexts, dismissWarning } from '../../../lint/dismissed-warnings'
import { toastDone, toastFailed, toastProof } from '../../../ui/toast-store'
import {
  correctionsOf,
  dismissalsOf,
  draftChanges,
  mentionsInBlocks,
  mentionsInItems,
  type StaleMention,
  withItems,
  withoutDismissed,
} from '../lint/stale-mentions'
import { listText, wording } from '../messages'
import { editHref, homeOf, isOn, SITE_PAGES, versionsHref } from '../model/editable-pages'
import { entryNames, fieldAt, isList, setIn } from '../model/field-path'
import { amountProblems } from '../model/invalid-amounts'
import {
  blockOf,
  blocksToPublish,
  draftOf,
  edit,
  flushAll,
  persistDrafts,
  usePages,
} from '../model/pages-store'
import type { Block, Field, FieldValue } from './content-api'
import {
  correctItems,
  type ItemCorrection,
  itemCorrections,
  readItemsThatMay,
} from './item-mentions'
import { isUploading, whenUploadsDone } from './pending-uploads'
import {
  type PublishConflict,
  type Published,
  problemsOf,
  publish,
  type ResolveConflicts,
  unpublish,
} from './publish'
import { pathsIn, removeMissingImages } from './reupload-missing-images'

export type ConflictRequest = {
  readonly clashing: PublishConflict
  readonly answer: (theirs: readonly string[] | null) => void
}

/** What is done with sentences that contradict the drafts. */
export type StaleAnswer = 'fix' | 'keep' | 'cancel'

export type StaleRequest = {
  readonly mentions: readonly StaleMention[]
  readonly answer: (answer: StaleAnswer) => void
}

const { editor, refusals, conflict } = wording
export const STALE_KEY = 'respiro-stale-left'
const LINKS_MAX = 3

export function usePublishing() {
  const [step, setStep] = useState<'action' | 'awaits' | 'busy'>('action')
  const [asked, setAsked] = useState<ConflictRequest | null>(null)
  const [stale, setStale] = useState<StaleRequest | null>(null)
  const running = useRef(false)
  const choose: ResolveConflicts = (clashing) =>
    new Promise((resolve) => {
      const answer = (theirs: readonly string[] | null) => {
        setAsked(null)
        resolve(theirs)
      }
      setAsked({ clashing, answer })
    })
  const askStale = (mentions: readonly StaleMention[]) =>
    new Promise<StaleAnswer>((resolve) => {
      const answer = (given: StaleAnswer) => {
        setStale(null)
        setStep('busy')
        resolve(given)
      }
      setStep('action')
      setStale({ mentions, answer })
    })
  const run = async () => {
    flushAll()
    if (running.current || blocksToPublish(usePages.getState()).length === 0) return
    running.current = true
    setStep(isUploading() ? 'awaits' : 'busy')
    const missing = await whenUploadsDone()
    setStep('busy')
    persistDrafts()
    const gone = missing === null ? await removeMissingImages() : []
    reportMissingImages(gone, refusals.gonePicture)
    if (missing !== null) toastFailed(refusals.picture, reasonOf(missing))
    else if (gone.length === 0) await send()
    running.current = false
    setStep('action')
  }
  const send = async () => {
    const unread = findInvalidAmounts()
    if (unread !== null) {
      reportRefusal(unread)
      return
    }
    const items = await settleStaleMentions(askStale)
    if (items === 'cancel') return
    try {
      const done = await publish(choose)
      if (typeof done !== 'string') await correctItems(items)
      if (done === 'later') toastDone(conflict.laterDone)
      else if (done === 'nothing') toastDone(editor.publish.nothing)
      else {
        reportPublished(done)
        void evictFiles(done.blocks.flatMap(pathsIn))
      }
    } catch (error) {
      reportFailure(error)
    }
  }
  const label = editor.publish[step]
  return { busy: step !== 'action', label, asked, stale, publish: () => void run() }
}

/**
 * Corrects or keeps the sentences that contradict the drafts. Returns the corrections of items, which
 * are written once the page is published; `cancel` when publishing is cancelled.
 */
async function settleStaleMentions(
  ask: (mentions: readonly StaleMention[]) => Promise<StaleAnswer>,
): Promise<readonly ItemCorrection[] | 'cancel'> {
  const store = usePages.getState()
  const blocks = store.blocks ?? []
  const draftIn = (block: Block) => draftOf(store, block).value
  const { changes, current } = draftChanges(blocks, draftIn)
  const items = await readItemsThatMay(changes)
  const all = [
    ...mentionsInBlocks(blocks, draftIn, { changes, current }),
    ...mentionsInItems(items, { changes, current: withItems(current, items) }),
  ]
  const open = withoutDismissed(all, dismissedTexts(STALE_KEY))
  if (open.length === 0) return []
  const answer = await ask(open)
  if (answer === 'keep') dismissMentions(open)
  if (answer !== 'fix') return answer === 'cancel' ? 'cancel' : []
  const corrections = correctionsOf(open)
  for (const { source, word } of corrections) {
    if ('block' in source) changeText(source.block, source.path, word)
  }
  persistDrafts()
  return itemCorrections(corrections)
}

export function dismissMentions(mentions: readonly StaleMention[]): void {
  for (const [place, values] of dismissalsOf(mentions)) dismissWarning(STALE_KEY, place, values)
}

function changeText(block: Block, path: string, word: FieldValue): void {
  const value = setIn(draftOf(usePages.getState(), block).value, path, word)
  const what = fieldAt(block.fields, path)?.label ?? block.label
  edit({ block: block.id, path, what, value, typed: null })
}

function reportPublished(published: Published): void {
  const { done, doneOne, doneUnseen, doneTitle } = editor.publish
  const proof = publishedText(published, [doneUnseen, doneOne, done])
  const undo = () => void undoPublish(published)
  const links = linksOf(published.blocks)
  if (links.length === 0) toastProof({ title: proof, links, detail: null, undo })
  else toastProof({ title: doneTitle, links, detail: proof, undo })
}

/** Uses the server's count of pages: a price, for example, is shown on more pages than its block. */
function publishedText(
  { pages: n, milliseconds: ms }: Published,
  [none, one, more]: readonly [string, string, string],
): string {
  return fill(counted(n, one, more, none), { ms })
}

async function undoPublish(published: Published): Promise<void> {
  const { undone, undoneOne, undoneUnseen } = editor.publish
  try {
    toastDone(publishedText(await unpublish(published), [undoneUnseen, undoneOne, undone]))
  } catch (error) {
    const [block] = published.blocks
    if (isStatus(error, 412) && block !== undefined) reportChangedSince(block)
    else reportUnsent(error, refusals.server)
  }
}

/** Undo never overwrites another person's change; the former text is in the version history. */
export function reportChangedSince(block: Block): void {
  const links = [{ label: wording.field.versions, href: versionsHref(block) }]
  toastFailed(editor.publish.undoFailed, null, links)
}

/** The offline message needs no reason, which would repeat it. */
function reportUnsent(error: unknown, offline: string): void {
  if (isStatus(error, 0)) toastFailed(offline, null)
  else toastFailed(refusals.server, reasonOf(error))
}

/** Links to the pages that show the blocks, except pages of an event or article. */
function linksOf(blocks: readonly Block[]) {
  return SITE_PAGES.filter(({ pattern }) => !pattern.includes('{'))
    .filter((page) => blocks.some((block) => isOn(block, page)))
    .slice(0, LINKS_MAX)
    .map(({ label, pattern }) => ({ label, href: pattern }))
}

function reportFailure(error: unknown): void {
  const refusal = refusalOf(problemsOf(error))
  if (refusal === null) {
    reportUnsent(error, editor.offline)
    return
  }
  reportRefusal(refusal)
}

type Refusal = { readonly title: string; readonly place: string }

/** Links to the first refused field, which may be on another page. */
function reportRefusal({ title, place }: Refusal): void {
  toastFailed(title, null, [{ label: refusals.goTo, href: placeHref(place) }])
}

/** Reports pictures that were removed from drafts, by page and field. */
export function reportMissingImages(places: readonly string[], text: string): void {
  const [place] = places
  if (place === undefined) return
  const title = fill(text, { place: listText(places.map(fullNameOf)) })
  toastFailed(title, null, [{ label: refusals.goTo, href: placeHref(place) }])
}

/** Null when there is no problem. */
export function refusalOf(problems: Readonly<Record<string, string>>): Refusal | null {
  const places = Object.keys(problems)
  const [place] = places
  const first = refusedPlace(problems)
  if (place === undefined || first === null) return null
  const title =
    places.length > 1
      ? fill(refusals.summaryMany, { n: places.length })
      : fill(refusals.summary, first)
  return { title, place }
}

/** The first refused field, and the reason. */
export function refusedPlace(problems: Readonly<Record<string, string>>) {
  const [first] = Object.entries(problems)
  if (first === undefined) return null
  const [place, problem] = first
  return { place: fullNameOf(place), problem: withoutName(problem, place) }
}

/** Removes the field's name from the server's message, because the toast names the field already. */
function withoutName(problem: string, place: string): string {
  const name = `«${labelsOf(place).at(-1)}»: `
  return problem.startsWith(name) ? problem.slice(name.length) : problem
}

/** Refuses a price that cannot be parsed: otherwise its last valid amount would be published. */
function findInvalidAmounts(): Refusal | null {
  const store = usePages.getState()
  const problems = amountProblems(store.blocks ?? [], (block) => draftOf(store, block).value)
  const inSentence = Object.entries(problems).map(([place, problem]) => [
    place,
    problem.charAt(0).toLowerCase() + problem.slice(1),
  ])
  return refusalOf(Object.fromEntries(inSentence))
}

/** `I servizi, Sessioni di coppia, Prezzo`: with the entry, because each entry has a field of that name. */
export function nameOf(place: string): string {
  return labelsOf(place).join(', ')
}

/** `Servizi, Apertura, Titolo`: with the page, because many pages have a block of that name. */
export function fullNameOf(place: string): string {
  const block = blockAt(place)
  const page = block === undefined ? [] : [homeOf(block).label]
  return [...page, nameOf(place)].join(', ')
}

export function placeHref(place: string): string {
  const block = blockAt(place)
  return block === undefined ? areaHref('pagine') : editHref(homeOf(block), place)
}

const ALT = '.alt'

function labelsOf(place: string): readonly string[] {
  const [, path = ''] = place.split(':')
  const block = blockAt(place)
  const at = (one: string): Field | undefined => fieldAt(block?.fields ?? [], one)
  // The alternative text belongs to the picture and is no field of the block.
  const picture = path.endsWith(ALT) ? at(path.slice(0, -ALT.length)) : undefined
  const inside = picture?.type === 'picture' ? [picture.label, wording.picture.alt] : []
  const labels = [block?.label, entryNameIn(block, path), at(path)?.label, ...inside]
  return labels.filter((label) => label !== undefined)
}

/** The name of the outermost entry that contains `path`. */
function entryNameIn(block: Block | undefined, path: string): string | undefined {
  const [, list = '', index = ''] = /^(\w+)\[(\d+)\]\./.exec(path) ?? []
  const field = block?.fields.find(({ name }) => name === list)
  if (block === undefined || field === undefined) return undefined
  const entries = draftOf(usePages.getState(), block).value[list]
  return isList(entries) ? entryNames(entries, field)[Number(index)] : undefined
}

function blockAt(place: string): Block | undefined {
  return blockOf(place.split(':')[0] ?? '')
}
