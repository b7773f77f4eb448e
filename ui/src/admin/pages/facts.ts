// What the site says of her before she has said it, and her answers, which the server keeps.
import { reasonOf } from '../api'
import { useStatus } from '../areas/status'
import { toastDone, toastFailed } from '../toast-store'
import { wordText } from './clashes'
import { type Block, type BlockChange, writeBlocks } from './contract'
import { putBlocks } from './pages-store'
import type { Known } from './text-parts'
import { leavesOf } from './value'
import { fill, wording } from './wording'

const { confirm: own, refusals } = wording

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

const EXCERPT_MAX = 320

export function excerptOf(block: Block, known: Known): string {
  const text = leavesOf(block.fields, block.value)
    .filter(({ field }) => ['line', 'paragraphs', 'richText', 'year'].includes(field.type))
    .map(({ word }) => wordText(word, known))
    .filter((one) => one !== '')
    .join(' · ')
  return text.length > EXCERPT_MAX ? `${text.slice(0, EXCERPT_MAX)}…` : text
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
    toastFailed(refusals.server, reasonOf(error))
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
