// What the site says of her before she has said it, and her answers, which the server keeps.
import { paragraphsIn } from '../../lib/paragraphs'
import { isStatus, reasonOf } from '../api'
import { useStatus } from '../areas/status'
import { toastDone, toastFailed } from '../toast-store'
import { type Block, type BlockChange, type Group, writeBlocks } from './contract'
import { loadBlocks, putBlocks } from './pages-store'
import type { Known } from './text-parts'
import { equal, leavesOf } from './value'
import { wordText } from './word-text'
import { fill, wording } from './wording'

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
  return blocks.filter(({ toConfirm }) => toConfirm).sort((one, other) => place(one) - place(other))
}

/** As published now: a draft confirms nothing. */
export function isOpen({ toConfirm, confirmed }: Block): boolean {
  return toConfirm && !confirmed
}

/** How many things the blocks say that she is asked about. */
export function statementsIn(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { statements }) => sum + statements, 0)
}

/** What she wrote herself is true by that; a picture beside the program's words makes them no truer. */
export function isHers({ id, fields, value, default: program }: Block): boolean {
  const words = (group: Group) =>
    leavesOf(fields, group)
      .filter(({ field }) => field.type !== 'picture')
      .map(({ path, word }) => [path, word])
  return id !== QUOTE && !equal(words(value), words(program))
}

const SAID = ['line', 'paragraphs', 'richText', 'year']

/** All that it says, for who is asked whether it is true: each paragraph and entry of a list by itself. */
export function statementsOf({ fields, value }: Block, known: Known): readonly string[] {
  const said = new Map<string, string>()
  for (const { path, field, word } of leavesOf(fields, value)) {
    const text = SAID.includes(field.type) ? wordText(word, known) : ''
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
    void useStatus.getState().load()
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
