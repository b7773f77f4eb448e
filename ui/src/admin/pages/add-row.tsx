// The dashed row under a list of the page: one entry more at its end.
import { Plus } from 'lucide'
import { Icon } from '../../primitives/icon'
import type { Block } from './contract'
import { entryElement, type Place, pathAt } from './frame-page'
import { PICTURE, PLACE } from './prepare'
import { at, entryOf, fieldAt, isList, listOf } from './value'
import { fill, wording } from './wording'

const { entries: own } = wording

/** A list of the page, and how many stand in it. */
export type Row = {
  readonly block: Block
  readonly list: string
  readonly total: number
  readonly most: number
}

/** The lists that a place lies in, the innermost first. */
export function rowsAround({ definition, field }: Place): readonly Row[] {
  const rows: Row[] = []
  for (let path = entryOf(field); path !== null; ) {
    const found = listOf(path)
    if (found === null) break
    const row = rowAt(definition, found.list)
    if (row !== null) rows.push(row)
    path = entryOf(found.list)
  }
  return rows
}

export function rowAt(block: Block, list: string): Row | null {
  const entries = at(block.value, list)
  const most = fieldAt(block.fields, list)?.max ?? Number.POSITIVE_INFINITY
  return isList(entries) ? { block, list, total: entries.length, most } : null
}

/** The rows that come after a place by Tab: those of the lists that end with it. */
export function rowsAfter(page: Document, place: Place): readonly Row[] {
  const part = place.element.closest('section, nav, footer')
  const all = [...(part ?? page).querySelectorAll(`[${PLACE}], [${PICTURE}]`)]
  return rowsAround(place).filter(({ block, list }) => {
    const last = all.findLast((element) => pathAt(element).startsWith(`${block.id}:${list}[`))
    return last === place.element
  })
}

/** The next place behind one, where Tab goes from its rows. */
export function placeBehind(page: Document, element: Element): HTMLElement | null {
  const all = [...page.querySelectorAll<HTMLElement>(`[${PLACE}], [${PICTURE}]`)]
  return all[all.indexOf(element as HTMLElement) + 1] ?? null
}

const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^servizi\.offers:offers$/, own.add.service],
  [/^pricing\.packages:packages$/, own.add.package],
  [/^chi-sono\.timeline:/, own.add.milestone],
  [/^benefits\./, own.add.benefit],
  [/^contatti\.faq:/, own.add.faq],
  [/^flip-cards\.\w+:cards$/, own.add.flipCard],
  [/topics$/, own.add.topic],
  [/^(?:header|footer)\.|(?:links|shops)$/, own.add.link],
  [/^legal\.\w+:sections$/, own.add.section],
  [/(?:features|parts|items|notes|signs|learnings)$/, own.add.feature],
]

export function addText({ block, list }: Row): string {
  const name = `${block.id}:${list.replace(/\[\d+\]/g, '')}`
  const words = WORDS.find(([pattern]) => pattern.test(name))?.[1]
  return words ?? `${own.addShort}: ${fieldAt(block.fields, list)?.label ?? block.label}`
}

type AddRowProps = {
  row: Row
  page: Document
  onAdd: (row: Row) => void
  onKey: (event: KeyboardEvent) => void
  onLeave: () => void
}

export function AddRow({ row, page, onAdd, onKey, onLeave }: AddRowProps) {
  const around = listElement(page, row)
  if (around === null) return null
  const isFull = row.total >= row.most
  return (
    <button
      type="button"
      className="row"
      aria-disabled={isFull}
      onClick={() => {
        if (!isFull) onAdd(row)
      }}
      onKeyDown={onKey}
      onBlur={onLeave}
      ref={(button) => {
        if (button !== null) standUnder(button, around)
      }}
    >
      {isFull ? null : <Icon of={Plus} size={18} />}
      {isFull ? fill(own.most, { n: row.most }) : addText(row)}
    </button>
  )
}

/** What all its entries lie in. */
function listElement(page: Document, { block, list, total }: Row): Element | null {
  const [first, last] = [0, total - 1].map((index) =>
    entryElement(page, block.id, `${list}[${index}]`),
  )
  let around = first?.parentElement ?? null
  while (around !== null && last && !around.contains(last)) around = around.parentElement
  return around
}

const GAP_PX = 10

function standUnder(button: HTMLElement, around: Element): void {
  const box = around.getBoundingClientRect()
  const view = around.ownerDocument.defaultView
  button.style.setProperty('--x', `${box.left + (view?.scrollX ?? 0)}px`)
  button.style.setProperty('--y', `${box.bottom + GAP_PX + (view?.scrollY ?? 0)}px`)
  button.style.setProperty('--width', `${Math.max(box.width, 200)}px`)
}
