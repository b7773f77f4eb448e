// What the site says of her before she has said it, and her answers, which the server keeps.

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

/** As they are called where they are asked for, in this order. */
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

/** As published now: a draft confirms nothing. */
export function isOpen({ toConfirm, confirmed }: Block): boolean {
  return toConfirm && !confirmed
}

/** How many things the blocks say that she is asked about. */
export function statementsIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { statements }) => sum + statements, 0)
}

/** What she wrote herself is true by that, all of it; a picture beside the program's words makes them no truer. */
export function isHers(block: Block, known: ChipContext): boolean {
  const isPrograms = programsIn(block, known)
  return block.id !== QUOTE && !saidIn(block, block.value, known).some(isPrograms)
}

/** What she is asked about, whole; while it is open, what still stands as the program brought it. */
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

/** Each paragraph and entry of a list by itself, as the server counts them. */
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

/** Of the words as she read them: refused where somebody has changed them since. */
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

export async function markTrue(block: Block): Promise<boolean> {
  const fresh = await answer(block, { confirmed: true })
  if (fresh === null) return false
  toastDone(
    fill(own.markedTrue, { place: factName(block) }),
    () => void answer(fresh, { confirmed: false }),
  )
  return true
}

/** It is asked about again. */
export async function takeBackTrue(block: Block): Promise<boolean> {
  return (await answer(block, { confirmed: false })) !== null
}

/** On the site at once: the first steps have no 'Pubblica'. */
export async function hideNow(block: Block): Promise<boolean> {
  const fresh = await answer(block, { hidden: true })
  if (fresh === null) return false
  toastDone(
    fill(own.markedHidden, { place: factName(block) }),
    () => void answer(fresh, { hidden: false }),
  )
  return true
}
