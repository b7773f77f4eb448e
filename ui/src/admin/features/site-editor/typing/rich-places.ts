// The rich texts of the page in its frame: each is typed in where it stands once it is gone to.
import { parseFieldTarget } from '../../../../lib/content-source-map'
import type { TypingSpan } from '../../../hooks/debounce'
import { hasNewRelease } from '../../../hooks/use-new-release'
import { richTextMessages } from '../../../rich-text/messages'
import { words } from '../../../ui/messages'
import { toastFailed } from '../../../ui/toast-store'
import type { FieldValue } from '../api/content-api'
import { changeField } from '../form/block-form'
import { wording } from '../messages'
import { equal } from '../model/field-path'
import { blockOf, persistPendingInput } from '../model/pages-store'
import type { ChipContext } from '../model/rich-value'
import { PLACE } from '../preview/prepare-preview'
import type { LiveWords } from './rich-view'

const live = new WeakMap<Element, LiveWords>()
/** How each editor on its way is wanted once it is there. */
const coming = new WeakMap<Element, Way>()
/** What each shows, or will once its editor is there. */
const shown = new WeakMap<Element, FieldValue>()

export type Caret = { readonly left: number; readonly top: number } | 'end'

/** To be typed in from now on; the caret goes where the pointer came down, or to the end. */
export function goToRich(element: HTMLElement, known: ChipContext, caret: Caret | null): void {
  const there = live.get(element)
  if (there === undefined) void enliven(element, known, { editable: true, caret })
  else there.setEditable(true)
}

/** What was typed elsewhere is seen as visitors will see it, with each letter. */
export function showRich(element: HTMLElement, word: FieldValue, known: ChipContext): void {
  const former = shown.get(element)
  shown.set(element, word)
  const there = live.get(element)
  if (there !== undefined) there.set(word, known)
  else if (former !== undefined && !equal(former, word)) {
    void enliven(element, known, { editable: false, caret: null })
  }
}

type Way = { readonly editable: boolean; readonly caret: Caret | null }

async function enliven(element: HTMLElement, known: ChipContext, way: Way) {
  const former = coming.get(element)
  coming.set(element, {
    editable: way.editable || former?.editable === true,
    caret: way.caret ?? former?.caret ?? null,
  })
  if (former !== undefined) return
  const lettersOf = gatherLetters(element)
  const wanted = () => coming.get(element) ?? way
  try {
    const { liveWords } = await import('./rich-view')
    if (!element.isConnected || live.has(element)) return
    const { editable, caret } = wanted()
    const made = liveWords(element, {
      word: shown.get(element) ?? '',
      known,
      editable,
      onWord: (word, typed, letters) => take(element, word, typed, letters),
      onUnpaused: (word) => {
        const { block, field } = parseFieldTarget(element.getAttribute(PLACE) ?? '') ?? {}
        if (block !== undefined && field !== undefined) persistPendingInput(block, field, word)
      },
    })
    live.set(element, made)
    // Who has gone on while the editor was on its way stays there.
    const isHere = element === element.ownerDocument.activeElement
    if (caret !== null && isHere && element.ownerDocument.hasFocus()) made.focus(caret)
    made.type(lettersOf())
  } catch {
    // Whoever only passes over it with the pointer wants nothing of it yet.
    if (wanted().caret === null) return
    const why = (await hasNewRelease()) ? words.renewed : richTextMessages.failed
    toastFailed(wording.editor.loadError.title, why)
  } finally {
    lettersOf()
    coming.delete(element)
  }
}

/** What is typed where nothing can be typed in yet: on a slow line the first words of each text were lost. */
function gatherLetters(element: HTMLElement): () => string {
  const letters: string[] = []
  const take = (event: KeyboardEvent) => {
    const { key, ctrlKey, metaKey, altKey } = event
    const isCommand = (ctrlKey || metaKey || altKey) && !event.getModifierState('AltGraph')
    if (isCommand || event.isComposing || (key !== 'Backspace' && [...key].length > 1)) return
    event.preventDefault()
    if (key === 'Backspace') letters.pop()
    else letters.push(key)
  }
  element.addEventListener('keydown', take)
  return () => {
    element.removeEventListener('keydown', take)
    return letters.join('')
  }
}

/** Where it stands now: entries before it may have come and gone. */
function take(element: Element, word: FieldValue, typed: string, letters: TypingSpan): void {
  const place = parseFieldTarget(element.getAttribute(PLACE) ?? '')
  const block = place === null ? undefined : blockOf(place.block)
  if (place === null || block === undefined) return
  shown.set(element, word)
  changeField(block, place.field, word, typed, letters)
}

export function isLive(element: Element): boolean {
  return live.has(element)
}

/** The page was drawn anew around it: false, for its own words are the editor's. */
export function moveRich(from: Element, to: Element): false {
  from.setAttribute(PLACE, to.getAttribute(PLACE) ?? '')
  return false
}

/** Something else stands there now. */
export function leaveRich(element: Element): void {
  live.get(element)?.destroy()
  live.delete(element)
}
