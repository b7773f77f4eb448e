// Shows on the page in its iframe what is typed elsewhere: in the form beside it, or in another place of the same text.
import type { Block, FieldValue } from '../api/content-api'
import type { Draft } from '../model/draft-diff'
import { isObjectValue, setIn } from '../model/field-path'
import { unreadIn } from '../model/invalid-amounts'
import { draftOf, usePages } from '../model/pages-store'
import { amountText, type ChipContext } from '../model/rich-value'
import { type Place, placesOf, textKind, valueAt } from './frame-page'
import { showField } from './page-editors'

type Typed = { readonly block: Block; readonly path: string; readonly word: FieldValue }
type Shown = { readonly blocks: readonly Block[]; readonly known: ChipContext }

/** The drafts whose texts a page shows: a change costs its own block, not the whole page. */
const shownDrafts = new WeakMap<Document, Map<string, Draft>>()

/** Shows the drafts on the page at once; the server's rendering follows. */
export function syncTexts(page: Document, { blocks, known }: Shown): void {
  const store = usePages.getState()
  const shown = shownDrafts.get(page) ?? new Map<string, Draft>()
  shownDrafts.set(page, shown)
  for (const block of blocks) {
    const draft = draftOf(store, block)
    if (shown.get(block.id) === draft) continue
    shown.set(block.id, draft)
    for (const place of placesOf(page, [{ ...block, ...draft }], block.id)) {
      syncText(page, place, known)
    }
  }
}

/**
 * Shows text that the form has not flushed yet, in the elements of its field alone. Returns false if the page has no
 * place for the text, as for one that was empty.
 */
export function showInput(page: Document, typed: Typed, known: ChipContext): boolean {
  const { block, path, word } = typed
  const draft = draftOf(usePages.getState(), block)
  const fresh = { ...block, ...draft, value: setIn(draft.value, path, word) }
  // The page no longer shows the draft that it showed.
  shownDrafts.get(page)?.delete(block.id)
  const places = placesOf(page, [fresh], block.id, path)
  for (const place of places) syncText(page, place, known)
  return places.length > 0
}

/** An element that shows nothing but a price or a number. */
const NUMBER_ALONE = /^\d[\d.]*(?:,\d\d)?(?:\s(?:€|CHF))?$/

/** A price or a number as the site shows it; null for zero, for which the site has a word, and for other types. */
function numberText({ spec }: Place, word: FieldValue | undefined): string | null {
  if (spec?.type === 'amount') {
    const isFree = isObjectValue(word) && word.cents === 0
    return isFree || unreadIn(word ?? null) !== null ? null : amountText(word)
  }
  const isNumber = spec?.type === 'integer' || spec?.type === 'year'
  return isNumber && typeof word === 'number' ? `${word}` : null
}

function syncText(page: Document, place: Place, known: ChipContext): void {
  const { element, spec } = place
  const value = valueAt(place)
  const number = numberText(place, value)
  if (number !== null && NUMBER_ALONE.test(element.textContent)) {
    if (element.textContent !== number) element.textContent = number
    return
  }
  // An undo removed its entry: it is no longer where it was typed.
  if (value === undefined && element === page.activeElement) element.blur()
  if (value === undefined) return
  const isOneLine = spec?.type === 'line' && typeof value === 'string'
  const kind = textKind(place) ?? (isOneLine ? 'line' : null)
  if (kind !== null) showField(element, { kind, value, known })
}
