// The dashed row under a list of the page: one entry more at its end.

import { Plus } from 'lucide'
import { fill } from '../../../../lib/interpolate'
import { isRendered } from '../../../../lib/is-rendered'
import { Icon } from '../../../../primitives/icon'
import type { Block } from '../api/content-api'
import { wording } from '../messages'
import { entryOf, fieldAt, getIn, isList, listOf } from '../model/field-path'
import { PICTURE, PLACE } from '../preview/prepare-preview'
import { entryElement, PARTS, type Place, pathAt } from './frame-page'
import { stand } from './overlay-position'

const { entries: own } = wording

/** A list of the page, and how many stand in it. */
export type Row = {
  readonly block: Block
  readonly list: string
  readonly total: number
  readonly most: number
}

/** The lists that a place lies in, the innermost first, and before each what is empty beside it. */
export function rowsAround({ definition, field }: Place): readonly Row[] {
  const rows = [...emptyIn(definition, entryOf(field))]
  for (let path = entryOf(field); path !== null; ) {
    const found = listOf(path)
    if (found === null) break
    const row = rowAt(definition, found.list)
    path = entryOf(found.list)
    rows.push(...(row === null ? [] : [row]), ...emptyIn(definition, path))
  }
  return rows
}

/** Lists of an entry, or of the block itself, that nothing on the page stands for. */
function emptyIn(block: Block, entry: string | null): readonly Row[] {
  const fields = entry === null ? block.fields : (fieldAt(block.fields, entry)?.fields ?? [])
  return fields
    .filter(({ type }) => type === 'list')
    .flatMap(({ name }) => rowAt(block, entry === null ? name : `${entry}.${name}`) ?? [])
    .filter(({ total }) => total === 0)
}

/** The rows to be seen around a place: those of its own entry, and of the list that it lies in. */
export function rowsBeside(place: Place): readonly Row[] {
  const rows = rowsAround(place)
  const inner = rows.findIndex(({ total }) => total > 0)
  return inner < 0 ? rows : rows.slice(0, inner + 1)
}

export function rowAt(block: Block, list: string): Row | null {
  const entries = getIn(block.value, list)
  const most = fieldAt(block.fields, list)?.max ?? Number.POSITIVE_INFINITY
  return isList(entries) ? { block, list, total: entries.length, most } : null
}

/** The rows that come after a place by Tab: those of the lists that end with it. */
export function rowsAfter(page: Document, place: Place): readonly Row[] {
  const part = place.element.closest(PARTS)
  const all = [...(part ?? page).querySelectorAll(`[${PLACE}], [${PICTURE}]`)]
  return rowsAround(place).filter((row) => {
    const last = all.findLast((element) => pathAt(element).startsWith(startOf(row)))
    return last === place.element
  })
}

/** How the places begin that a row stands behind: of an empty list, those of what it belongs to. */
function startOf({ block, list, total }: Row): string {
  if (total > 0) return `${block.id}:${list}[`
  const entry = entryOf(list)
  return entry === null ? `${block.id}:` : `${block.id}:${entry}.`
}

/** The next place to be seen behind one, where Tab goes from its rows. */
export function placeBehind(page: Document, element: Element): HTMLElement | null {
  const all = [...page.querySelectorAll<HTMLElement>(`[${PLACE}], [${PICTURE}]`)]
  const behind = all.slice(all.indexOf(element as HTMLElement) + 1)
  // The menu of a phone lies closed behind the links of the head.
  return behind.find((one) => isRendered(one)) ?? null
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
  /** How many rows are drawn before it. */
  place: number
  page: Document
  onAdd: (row: Row) => void
  onKey: (event: KeyboardEvent) => void
  onLeave: () => void
}

export function AddRow({ row, place, page, onAdd, onKey, onLeave }: AddRowProps) {
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
      ref={stand(around, place)}
    >
      {isFull ? null : <Icon of={Plus} size={18} />}
      {isFull ? fill(own.most, { n: row.most }) : addText(row)}
    </button>
  )
}

/** What all its entries lie in; of an empty list, the entry or the part of the page that has it. */
function listElement(page: Document, { block, list, total }: Row): Element | null {
  if (total === 0) {
    const entry = entryOf(list)
    if (entry !== null) return entryElement(page, block.id, entry)
    return page.querySelector(`[${PLACE}^="${CSS.escape(block.id)}:"]`)?.closest(PARTS) ?? null
  }
  const entries = Array.from({ length: total }, (_, index) => `${list}[${index}]`)
  const elementOf = (entry: string) => entryElement(page, block.id, entry)
  // What says nothing yet, as a contact without its number, is not on the page.
  const first = firstOf(entries, elementOf)
  const last = firstOf(entries.reverse(), elementOf)
  let around = first?.parentElement ?? null
  while (around !== null && last && !around.contains(last)) around = around.parentElement
  return around
}

function firstOf<One, Other>(all: readonly One[], of: (one: One) => Other | null): Other | null {
  for (const one of all) {
    const found = of(one)
    if (found !== null) return found
  }
  return null
}
