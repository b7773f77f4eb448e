// Words between the page in its frame and the drafts: typed there, or typed elsewhere.
import { paragraphsIn } from '../../../../lib/paragraphs'
import { debounceWithMaxWait, type TypingSpan } from '../../../hooks/debounce'
import { toastDone } from '../../../ui/toast-store'
import type { Block, FieldValue } from '../api/content-api'
import { changeField } from '../form/block-form'
import { wording } from '../messages'
import type { Draft } from '../model/draft-diff'
import { equal, getIn, isObjectValue, setIn } from '../model/field-path'
import { unreadIn } from '../model/invalid-amounts'
import {
  draftOf,
  FLUSH_DELAY_MS,
  flushAll,
  PERSIST_DELAY_MS,
  persistDrafts,
  persistPendingInput,
  registerPending,
  unregisterPending,
  usePages,
} from '../model/pages-store'
import { parseClipboard, separateCells } from '../model/parse-clipboard'
import {
  amountText,
  type ChipContext,
  equalsTypeset,
  fromDom,
  patchDom,
  shownText,
  toDomNodes,
  withParagraph,
} from '../model/rich-value'
import { PARAGRAPH_END, sanitizeText } from '../model/sanitize-text'
import { SENTENCE_END } from '../model/undo-history'
import { isRich, isTyped, type Place, placesOf, placesOfText, wordAt } from './frame-page'
import { showRich } from './rich-places'

type Typed = { readonly block: Block; readonly path: string; readonly word: FieldValue }
type Shown = { readonly blocks: readonly Block[]; readonly known: ChipContext }

/** The drafts whose texts a page shows: a letter costs its own block, not the whole page. */
const shownDrafts = new WeakMap<Document, Map<string, Draft>>()

/** What was typed beside the page stands on it at once; the server's drawing follows. */
export function syncTexts(page: Document, { blocks, known }: Shown): void {
  const store = usePages.getState()
  const shown = shownDrafts.get(page) ?? new Map<string, Draft>()
  shownDrafts.set(page, shown)
  for (const block of blocks) {
    const draft = draftOf(store, block)
    if (shown.get(block.id) === draft) continue
    shown.set(block.id, draft)
    for (const place of placesOf(page, [{ ...block, ...draft }], block.id)) {
      if (isRich(place)) showRich(place.element, wordAt(place) ?? '', known)
      else syncText(page, place, known)
    }
  }
}

/**
 * Letters that the form holds yet: their own elements alone are written anew. Returns false if the page has no place
 * for the text, as for one that was empty.
 */
export function showLetters(page: Document, typed: Typed, known: ChipContext): boolean {
  const { block, path, word } = typed
  const draft = draftOf(usePages.getState(), block)
  const fresh = { ...block, ...draft, value: setIn(draft.value, path, word) }
  // Whatever draft it showed, it shows another text now.
  shownDrafts.get(page)?.delete(block.id)
  const places = placesOfText(page, fresh, path)
  for (const place of places) {
    if (isRich(place)) showRich(place.element, word, known)
    else syncText(page, place, known)
  }
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
  if (place.spec === null) return
  const { element } = place
  const word = wordAt(place)
  const number = numberText(place, word)
  if (number !== null && NUMBER_ALONE.test(element.textContent)) {
    if (element.textContent !== number) element.textContent = number
    return
  }
  // A step back took its paragraph: it stands no more where it is typed in.
  if (word === undefined && element === page.activeElement) element.blur()
  if (word === undefined || !isPlain(place)) return
  // Letters that are not handed on yet are newer than any draft.
  if (element === waiting?.element) return
  const isActive = element === page.activeElement
  // What is being typed is left alone; a step back in it is not typing.
  const isShown = equalsTypeset(element.textContent, shownText(word, known))
  // As typeset, and not typed in since: another text would take the caret along.
  if (isActive ? isShown || equal(typedIn(place), word) : isShown) return
  patchDom(element, toDomNodes(page, word, known))
  if (isActive) page.getSelection()?.selectAllChildren(element)
  if (isActive) page.getSelection()?.collapseToEnd()
}

function isPlain(place: Place): boolean {
  return isTyped(place) || (place.spec?.type === 'line' && typeof wordAt(place) === 'string')
}

/** Where was typed what is not in the draft yet. */
let waiting: Place | null = null

function handOn(letters: TypingSpan): void {
  unregisterPending(pauses.flush)
  const place = waiting
  waiting = null
  if (place === null) return
  const { definition, field, element } = place
  changeField(definition, field, wordWith(place), element.textContent ?? '', letters)
}

/** The whole text of a place, with what was typed in its paragraph. */
function wordWith(place: Place): FieldValue {
  const { definition, field, paragraph } = place
  const own = typedIn(place)
  return paragraph === null ? own : withParagraph(getIn(definition.value, field), paragraph, own)
}

/** On this device, and nothing drawn for it. */
function keepTyped(): void {
  if (waiting !== null) persistPendingInput(waiting.block, waiting.field, wordWith(waiting))
}

const pauses = debounceWithMaxWait(
  (letters) => {
    handOn(letters)
    persistDrafts()
  },
  FLUSH_DELAY_MS,
  { keep: keepTyped, pauseMs: PERSIST_DELAY_MS },
)

/** After each letter. A blank after a sentence ends what one step takes back. */
export function typeInto(place: Place): void {
  if (waiting !== null && waiting.element !== place.element) pauses.flush()
  // Whatever draft it showed, it shows another text now: a step back may lead to that very draft.
  shownDrafts.get(place.element.ownerDocument)?.delete(place.block)
  waiting = place
  registerPending(pauses.flush)
  pauses.schedule()
  if (SENTENCE_END.test(place.element.textContent ?? '')) pauses.flush()
}

/** What stands in a place, as its block would hold it; a paste may have made more paragraphs of one. */
function typedIn(place: Place): FieldValue {
  const word = fromDom(place.element, wordAt(place))
  if (typeof word !== 'string') return word
  return place.paragraph === null ? onOneLine(word) : paragraphsIn(word).map(onOneLine).join('\n\n')
}

function onOneLine(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

/**
 * Words alone, and each paragraph on one line: what a browser puts in the place of a line's end is an
 * element, and the last word of one line ran into the first of the next.
 */
export function pasteInto(page: Document, event: ClipboardEvent, { paragraph }: Place): void {
  event.preventDefault()
  const { clipboardData } = event
  const paragraphs = parseClipboard(clipboardData)
  if (paragraph !== null && paragraphs.length > 1) {
    page.execCommand('insertText', false, paragraphs.join(PARAGRAPH_END))
    // They stand on the page as paragraphs with the next drawing, which is asked for at once.
    flushAll()
  } else {
    const text = clipboardData?.getData('text/plain') ?? ''
    // A picture has none: with nothing in their place the selected words went.
    if (text === '') return
    const trimmed = text.replace(/^[\r\n]+|[\r\n]+$/g, '')
    page.execCommand('insertText', false, sanitizeText(separateCells(trimmed), true))
  }
  if ((clipboardData?.getData('text/html') ?? '') !== '') toastDone(wording.field.pasted)
}
