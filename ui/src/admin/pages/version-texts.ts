// What stands in each place of a block, to compare two versions of it.
import { idOf } from './changes'
import { pictureIn, wordText } from './clashes'
import type { Block, Group, PictureWord } from './contract'
import { type Known, withoutSigns } from './text-parts'
import { at, entryTitle, isList, leavesOf } from './value'
import { wording } from './wording'

const { versions: own } = wording

export type Shown = {
  readonly label: string
  readonly text: string
  readonly isRich?: boolean
  /** Of a place for one; null where the site draws. */
  readonly picture?: PictureWord | null
}

export function isOther(one: Shown | undefined, other: Shown | undefined): boolean {
  return one?.text !== other?.text || one?.picture?.path !== other?.picture?.path
}

/** Without the signs of Markdown, unless nothing else differs. */
export function readable(...both: readonly (Shown | undefined)[]): readonly string[] {
  const texts = both.map((one) => one?.text ?? '')
  const bare = texts.map(withoutSigns)
  return both.some((one) => one?.isRich) && bare[0] !== bare[1] ? bare : texts
}

/** By place, an entry of a list by its id, so that a moved one is compared with itself. */
export function textsOf(
  block: Block,
  value: Group,
  isHidden: boolean,
  known: Known,
): ReadonlyMap<string, Shown> {
  const texts = new Map<string, Shown>()
  if (block.hideable) {
    const { hidden: away, shown } = own.summary
    texts.set('*', { label: own.now, text: isHidden ? away : shown })
  }
  for (const { path, field, word } of leavesOf(block.fields, value)) {
    texts.set(byIds(path, value), {
      label: field.label,
      text: wordText(word, known, field),
      isRich: field.type === 'richText',
      ...(field.type === 'picture' ? { picture: pictureIn(word) } : {}),
    })
  }
  for (const field of block.fields.filter(({ type }) => type === 'list')) {
    const entries = value[field.name]
    const titles = isList(entries)
      ? entries.map((entry) => entryTitle(entry, field.fields ?? [], '…'))
      : []
    const label = `${field.label}: ${own.summary.order}`
    texts.set(`${field.name}*`, { label, text: titles.join(', ') })
  }
  return texts
}

function byIds(path: string, value: Group): string {
  return path.replace(/\[\d+\]/g, (index, offset: number) => {
    const entry = at(value, path.slice(0, offset) + index)
    return `[${(entry === undefined ? null : idOf(entry)) ?? index}]`
  })
}
