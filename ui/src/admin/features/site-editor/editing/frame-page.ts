// The page inside the frame: its edit places, kept alive while it is drawn anew around them.
import morphdom from 'morphdom'
import { type FieldTarget, parseFieldTarget } from '../../../../lib/content-source-map'
import { fill } from '../../../../lib/interpolate'
import type { TextKind } from '../../../rich-text/schema'
import type { Block, Field, FieldValue } from '../api/content-api'
import { wording } from '../messages'
import {
  entryNames,
  entryOf,
  entryTitle,
  fieldAt,
  getIn,
  isList,
  listOf,
  startOf,
} from '../model/field-path'
import { type ChipContext, isDated, isText } from '../model/rich-value'
import { ALONE, PICTURE, PLACE, WHOLE } from '../preview/prepare-preview'
import frameCss from './frame-page.css?url&no-inline'
import { closeEditor, hasEditor, isBeingEdited, showField } from './page-editors'

export type Place = FieldTarget & {
  readonly element: HTMLElement
  readonly path: string
  readonly definition: Block
  /** Null for a place of the block as a whole. */
  readonly spec: Field | null
}

/** Of 255, between the ink of paper and that of the lake. */
const LIGHT = 160

/** Its words are light. */
const DEEP = 'data-words-deep'

/** The overlay's own element, which no drawing of the page touches. */
export const OVER = 'words-over'

/** Within its head, so that it is drawn once: a sheet that came after had all its styles worked out anew. */
export function styleFrame(fresh: Document): void {
  const link = fresh.createElement('link')
  link.rel = 'stylesheet'
  link.href = frameCss
  fresh.head.append(link)
}

/** Renders the page again around the texts that are being edited. */
export function redraw(page: Document, fresh: Document): void {
  morphdom(page.body, page.importNode(fresh.body, true), {
    onBeforeElUpdated: (from, to) => {
      const isText = to.hasAttribute(PLACE) && from.getAttribute(WHOLE) === to.getAttribute(WHOLE)
      if (isText && isBeingEdited(from)) {
        // Its editor shows the draft; entries before it may have come and gone.
        from.setAttribute(PLACE, pathAt(to))
        return false
      }
      closeEditor(from)
      // Seen on the page alone.
      to.toggleAttribute(DEEP, from.hasAttribute(DEEP))
      if (from.hasAttribute('data-scrim')) to.style.cssText = from.style.cssText
      return from.id !== OVER && !(from === page.activeElement && from.isContentEditable)
    },
    onBeforeNodeDiscarded: (node) => !('id' in node && node.id === OVER),
    onNodeDiscarded: (node) => {
      if (node.nodeType === Node.ELEMENT_NODE) closeEditor(node as Element)
    },
  })
}

/** What is typed in, where the fresh page has it no more: a text that may be empty is left out when it is. */
export function typedAway(page: Document, fresh: Document): HTMLElement | null {
  const active = page.activeElement as HTMLElement | null
  if (!active?.isContentEditable) return null
  const name = CSS.escape(pathAt(active))
  return fresh.querySelector(`[${PLACE}="${name}"]`) === null ? active : null
}

/** All places of the page; those of one block, or of one of its texts, where it is named. */
export function placesOf(
  page: Document,
  blocks: readonly Block[],
  block?: string,
  field?: string,
): readonly Place[] {
  const of = block === undefined ? '' : `^="${CSS.escape(`${block}:${field ?? ''}`)}"`
  const found = page.querySelectorAll<HTMLElement>(`[${PLACE}${of}], [${PICTURE}${of}]`)
  const places = [...found].flatMap((element) => placeAt(element, blocks) ?? [])
  return field === undefined ? places : places.filter((place) => place.field === field)
}

/** The place that an element lies in; null outside of all. */
export function placeAround(target: EventTarget | null, blocks: readonly Block[]): Place | null {
  const element = target as HTMLElement | null
  // Beside the words of a button is still the button.
  const inside = element?.querySelector?.<HTMLElement>(`:scope > [${ALONE}]`)
  const near = inside ?? element?.closest?.<HTMLElement>(`[${PLACE}], [${PICTURE}]`)
  return near ? placeAt(near, blocks) : null
}

export function pathAt(element: Element): string {
  return element.getAttribute(PLACE) ?? element.getAttribute(PICTURE) ?? ''
}

function placeAt(element: HTMLElement, blocks: readonly Block[]): Place | null {
  const path = pathAt(element)
  const place = parseFieldTarget(path)
  const definition = blocks.find(({ id }) => id === place?.block)
  if (place === null || definition === undefined) return null
  const spec = place.field === '' ? null : (fieldAt(definition.fields, place.field) ?? null)
  return { ...place, element, path, definition, spec }
}

type Shown = {
  readonly blocks: readonly Block[]
  readonly known: ChipContext
  readonly touch: boolean
}

/** Makes each place one to go to by Tab, and plain texts ones to type in. `blocks` hold the drafts. */
export function decorate(page: Document, { blocks, known, touch }: Shown): number {
  const places = placesOf(page, blocks)
  // Read before anything is written: in turns each place had the styles of the page worked out anew.
  const light = places.map(({ element }) => isLight(page, element))
  for (const [index, place] of places.entries()) {
    const { element, definition } = place
    const label = labelOf(place)
    const kind = textKind(place)
    const value = valueAt(place) ?? ''
    // On a touch screen chips are in the form alone: a tap on the page opens it.
    const hasChips = !touch && typeof value !== 'string'
    if (kind !== null && (kind === 'rich' || hasChips || hasEditor(element))) {
      showField(element, { kind, value, known })
    }
    element.tabIndex = 0
    element.toggleAttribute(DEEP, light[index])
    if (touch || kind === null) {
      const text = startOf(saidOf(place))
      const field = text === '' ? label : `${label}, ${text}`
      element.setAttribute('aria-label', fill(wording.field.edit, { field }))
      element.setAttribute('role', 'button')
      // A tap on a link edits: inside of a button it would be another thing to go to.
      for (const link of element.querySelectorAll('a[href]')) link.removeAttribute('href')
      // A window that became narrow: an element without its editor would take letters and lose them.
      if (!hasEditor(element)) element.removeAttribute('contenteditable')
      continue
    }
    element.setAttribute('role', 'textbox')
    element.setAttribute('aria-label', kind === 'rich' ? label : `${definition.label}, ${label}`)
    if (kind !== 'line') element.setAttribute('aria-multiline', 'true')
    // The editor comes with the pointer or the focus, which this lets the text have.
    element.setAttribute('contenteditable', 'true')
  }
  return places.length
}

/** What stands there, to who hears it. */
function saidOf(place: Place): string {
  const { element } = place
  if (element.localName === 'img') return element.getAttribute('alt') ?? ''
  // biome-ignore lint/performance/useDomNodeTextContent: only as drawn its lines stand apart
  return element.hasAttribute(WHOLE) ? element.innerText : element.textContent
}

/** Texts of one name, as the sections of a legal page have, are told apart by their entries. */
export function labelOf(place: Place): string {
  const { spec, definition, field } = place
  const entries: string[] = []
  for (let entry = entryOf(field); entry !== null; ) {
    const found = listOf(entry)
    if (found === null) break
    entries.unshift(nameOf(place, found.list, found.index))
    entry = entryOf(found.list)
  }
  return [...entries, spec?.label ?? definition.label].join(', ')
}

function nameOf(place: Place, path: string, index: number): string {
  const { fields, value } = place.definition
  const list = getIn(value, path)
  const field = fieldAt(fields, path)
  if (!isList(list) || field === undefined) return `${index + 1}`
  // A section without a title is known by its first words.
  if (textKind(place) === 'rich')
    return entryTitle(list[index], field.fields ?? [], wording.entries.new)
  return entryNames(list, field)[index] ?? `${index + 1}`
}

/** The value of a place's field. */
export function valueAt({ definition, field }: Place): FieldValue | undefined {
  return getIn(definition.value, field)
}

/** Light words stand on the deep lake. */
function isLight(page: Document, element: Element): boolean {
  const color = page.defaultView?.getComputedStyle(element).color ?? ''
  const [red = 0, green = 0, blue = 0] = (color.match(/[\d.]+/g) ?? []).map(Number)
  return red * 0.3 + green * 0.59 + blue * 0.11 > LIGHT
}

/** How the text of a place is edited where it stands; null if its form is opened instead. */
export function textKind(place: Place): TextKind | null {
  const { spec, paragraph, element } = place
  if (spec === null || paragraph !== null || element.hasAttribute(PICTURE)) return null
  if (spec.type === 'richText') return element.hasAttribute(WHOLE) ? 'rich' : null
  const isPlain =
    spec.type === 'line' || (spec.type === 'paragraphs' && element.hasAttribute(WHOLE))
  const value = valueAt(place)
  if (!isPlain || !isText(value) || isDated(value)) return null
  return spec.type === 'line' ? 'line' : 'paragraphs'
}

/** A card has a head of its own; the page's is another part. */
export const PARTS = 'section, nav, footer, body > header'

/** What an entry of a list takes up: the smallest element around all its places that has a box. */
export function entryElement(page: Document, block: string, entry: string): HTMLElement | null {
  const list = `${block}:${entry.replace(/\d+\]$/, '')}`
  const isOf = (element: Element) => isInside(pathAt(element), `${block}:${entry}`)
  const places = [...page.querySelectorAll<HTMLElement>(`[${PLACE}], [${PICTURE}]`)]
  // The same entry may stand in two sections; its tools go where it says most.
  const parts = new Map<Element | null, HTMLElement[]>()
  for (const element of places.filter(isOf)) {
    const part = element.closest(PARTS)
    parts.set(part, [...(parts.get(part) ?? []), element])
  }
  const [largest] = [...parts.values()].sort((one, other) => other.length - one.length)
  const [first, ...rest] = largest ?? []
  if (first === undefined) return null
  let around: HTMLElement | null = first.hasAttribute(ALONE) ? first.parentElement : first
  while (
    around !== null &&
    !(rest.every((element) => around?.contains(element)) && hasBox(around))
  ) {
    around = around.parentElement
  }
  // Entries that lie in one piece of text, as sections of a legal page: their first place stands for each.
  const isShared = places.some(
    (element) => around?.contains(element) && pathAt(element).startsWith(list) && !isOf(element),
  )
  return isShared ? first : around
}

function isInside(path: string, start: string): boolean {
  return path === start || path.startsWith(`${start}.`)
}

/** An element that its children stand in for is nowhere. */
function hasBox(element: Element): boolean {
  return element.ownerDocument.defaultView?.getComputedStyle(element).display !== 'contents'
}
