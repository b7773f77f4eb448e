// Default claims about the practitioner that have to be confirmed, and the answers, which the server stores.

import { fill } from '../../../../lib/interpolate'
import { paragraphsIn } from '../../../../lib/paragraphs'
import { isStatus, reasonOf } from '../../../api/client'
import { toastDone, toastFailed } from '../../../ui/toast-store'
import { type Block, type BlockChange, type ObjectValue, writeBlocks } from '../api/content-api'
import { wording } from '../messages'
import { flatten, parsePath } from '../model/field-path'
import { formatValue } from '../model/format-value'
import { loadBlocks, putBlocks } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'

const { confirm: own, conflict, refusals } = wording

/** Names of the blocks in the review, in its order. */
const NAMES: Readonly<Record<string, string>> = {
  'chi-sono.biography': own.facts.biography,
  'chi-sono.timeline': own.facts.timeline,
  'chi-sono.experience': own.facts.experience,
  'home.quote': own.facts.quote,
  'chi-sono.book': own.facts.book,
  'footer.certificate': own.facts.certificate,
}
export const QUOTE = 'home.quote'
export const CERTIFICATE = 'footer.certificate'

export function factName(block: Block): string {
  return NAMES[block.id] ?? block.label
}

export function factsIn(blocks: readonly Block[]): readonly Block[] {
  const order = Object.keys(NAMES)
  const place = ({ id }: Block) => (order.indexOf(id) + order.length) % order.length
  const asked = blocks.filter(({ toConfirm }) => toConfirm)
  return asked.sort((one, other) => place(one) - place(other))
}

/** Whether the published block is unconfirmed; a draft does not count as an answer. */
export function isOpen({ toConfirm, confirmed }: Block): boolean {
  return toConfirm && !confirmed
}

/** Number of statements to confirm in the blocks. */
export function statementsIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { statements }) => sum + statements, 0)
}

/**
 * Whether the admin has replaced every default statement of the block, which needs no confirmation then. The quote
 * is always confirmed, and a new picture beside a default text does not count.
 */
export function isOwnText(block: Block, known: ChipContext): boolean {
  const isPrograms = programsIn(block, known)
  return block.id !== QUOTE && !saidIn(block, block.value, known).some(isPrograms)
}

/** Number of statements in a block, with those that are rewritten already. */
export function countStatements(block: Block, known: ChipContext): number {
  const { id, statements, value } = block
  // Its author is part of the quote.
  const isCounted = !isOpen(block) || id === QUOTE
  return isCounted ? statements : Math.max(statements, saidIn(block, value, known).length)
}

/** Statements of a block: all of them once confirmed, before that only those with the default text. */
export function statementsOf(block: Block, known: ChipContext): readonly string[] {
  const said = saidIn(block, block.value, known)
  return isOpen(block) && block.id !== QUOTE ? said.filter(programsIn(block, known)) : said
}

function programsIn(block: Block, known: ChipContext): (statement: string) => boolean {
  const program = new Set(saidIn(block, block.default, known).map(inOneLine))
  return (statement) => program.has(inOneLine(statement))
}

const inOneLine = (text: string) => text.replace(/\s+/g, ' ').trim()

const SAID = ['line', 'paragraphs', 'richText', 'year']

/** Each paragraph and each list entry is a statement, as the server counts them. */
function saidIn(
  { fields, asked }: Block,
  value: ObjectValue,
  known: ChipContext,
): readonly string[] {
  const said = new Map<string, string>()
  for (const { path, field, word } of flatten(fields, value)) {
    const isAsked = asked.some((name) => name === parsePath(path)[0])
    const text = isAsked && SAID.includes(field.type) ? formatValue(word, known) : ''
    if (text === '') continue
    const place = /^.*?\[\d+\]/.exec(path)?.[0] ?? path
    const before = said.get(place)
    said.set(place, before === undefined ? text : `${before} · ${text}`)
  }
  return [...said.values()].flatMap(paragraphsIn).filter((one) => one.trim() !== '')
}

/** Sends an answer with the version that the admin read; the server answers 412 if the block has changed. */
async function answer(block: Block, change: BlockChange): Promise<Block | null> {
  try {
    const [fresh] = await writeBlocks({ [block.id]: { ...change, version: block.version } })
    if (fresh === undefined) return null
    putBlocks([fresh])
    return fresh
  } catch (error) {
    if (isStatus(error, 412)) {
      await loadBlocks()
      toastFailed(conflict.title, own.newText)
    } else toastFailed(refusals.server, reasonOf(error))
    return null
  }
}

export async function confirmClaim(block: Block): Promise<boolean> {
  const fresh = await answer(block, { confirmed: true })
  if (fresh === null) return false
  toastDone(
    fill(own.markedTrue, { place: factName(block) }),
    () => void answer(fresh, { confirmed: false }),
  )
  return true
}

/** Takes the confirmation back; returns true when saved. */
export async function undoConfirmClaim(block: Block): Promise<boolean> {
  return (await answer(block, { confirmed: false })) !== null
}

/** Publishes at once, because the onboarding has no 'Pubblica' button. */
export async function hideClaim(block: Block): Promise<boolean> {
  const fresh = await answer(block, { hidden: true })
  if (fresh === null) return false
  toastDone(
    fill(own.markedHidden, { place: factName(block) }),
    () => void answer(fresh, { hidden: false }),
  )
  return true
}
