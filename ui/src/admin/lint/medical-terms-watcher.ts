// Checks the form of an event or an article for medical terms while the form is open.

import { fill } from '../../lib/interpolate'
import hidden from '../../primitives/hidden.module.css'
import { DISMISSED_KEY, dismissedTexts } from './dismissed-warnings'
import { type LintTarget, watchLintTargets } from './lint-highlight'
import list from './terms.json'

const TEXTS = 'input[type=text], input:not([type]), textarea, [contenteditable=true]'
/** Screen readers announce changes only in a live region that they already know, so the text is set after a delay. */
const KNOWN_MS = 500

/** Starts the check. Returns a function that stops it. `item` identifies the form in the dismissed warnings. */
export function watchFormLint(form: HTMLElement, item: string): () => void {
  // The underlines cover the whole dialog, not only the form.
  const sheet = form.closest('dialog') ?? form
  const looked = (): readonly LintTarget[] => {
    const left = dismissedTexts(DISMISSED_KEY)
    return [...form.querySelectorAll<HTMLElement>(TEXTS)].flatMap((element) => {
      const text = 'value' in element ? String(element.value) : (element.textContent ?? '')
      const place = `${item}:${element.id}`
      return left[place] === text || text === '' ? [] : [{ element, place, text }]
    })
  }
  const aloud = document.createElement('p')
  aloud.className = hidden.hidden ?? ''
  aloud.role = 'status'
  sheet.append(aloud)
  let timer = 0
  const onLook = (marked: readonly string[]) => {
    const said = saidOf(marked)
    clearTimeout(timer)
    if (said !== aloud.textContent) {
      timer = window.setTimeout(() => aloud.replaceChildren(said), KNOWN_MS)
    }
  }
  const stop = watchLintTargets(sheet, { looked, key: DISMISSED_KEY, onLook })
  return () => {
    clearTimeout(timer)
    stop()
    aloud.remove()
  }
}

function saidOf([word, ...others]: readonly string[]): string {
  if (word === undefined) return ''
  return others.length === 0
    ? fill(list.saidOne, { word })
    : fill(list.said, { n: others.length + 1 })
}
