// The same hints in the form of an event or an article, as long as it is open.
import { LEFT_KEY, leftTexts } from './left-hints'
import { type Looked, watchWords } from './word-spots'

const TEXTS = 'input[type=text], input:not([type]), textarea, [contenteditable=true]'

/** `item` names whose form it is, for what was left as it is. */
export function watchForm(item: string): () => void {
  const form = [...document.querySelectorAll<HTMLElement>('dialog[open]')].at(-1)
  if (form === undefined) return () => undefined
  const looked = (): readonly Looked[] => {
    const left = leftTexts(LEFT_KEY)
    return [...form.querySelectorAll<HTMLElement>(TEXTS)].flatMap((element) => {
      const text = 'value' in element ? String(element.value) : (element.textContent ?? '')
      const place = `${item}:${element.id}`
      return left[place] === text || text === '' ? [] : [{ element, place, text }]
    })
  }
  return watchWords(form, { looked, key: LEFT_KEY })
}
