// Enter in a text of several paragraphs, where it stands on the page.
import { changeField } from '../form/block-form'
import { getIn } from '../model/field-path'
import { fromDom, partsOfText, textOf, withParagraph } from '../model/rich-value'
import { PLACE } from '../preview/prepare-preview'
import { type Place, wordAt } from './frame-page'

/** What stands behind the caret becomes a paragraph of its own, and has the caret. */
export function breakParagraph(place: Place): void {
  const { element, definition, field, paragraph } = place
  const page = element.ownerDocument
  const selection = page.getSelection()
  if (paragraph === null || !selection?.rangeCount) return
  const caret = selection.getRangeAt(0)
  if (!element.contains(caret.commonAncestorContainer)) return
  const former = wordAt(place)
  caret.deleteContents()
  const behind = page.createRange()
  behind.selectNodeContents(element)
  behind.setStart(caret.endContainer, caret.endOffset)
  const next = element.cloneNode() as HTMLElement
  next.append(behind.extractContents())
  element.normalize()
  // The blank that stood between two sentences is of neither.
  const [end, start] = [element.lastChild, next.firstChild]
  if (end?.nodeType === Node.TEXT_NODE) end.textContent = (end.textContent ?? '').trimEnd()
  if (start?.nodeType === Node.TEXT_NODE) start.textContent = (start.textContent ?? '').trimStart()
  putBehind(place, next)
  const [head, tail] = [element, next].map((one) => partsOfText(fromDom(one, former)) ?? [])
  const both = textOf([...(head ?? []), '\n\n', ...(tail ?? [])])
  const whole = withParagraph(getIn(definition.value, field), paragraph, both)
  changeField(definition, field, whole, null)
  next.focus()
  selection.collapse(next, 0)
}

/** Types a blank for Enter in a text of one paragraph: without it the words around the key became one. */
export function separateWords(element: HTMLElement): void {
  const page = element.ownerDocument
  const selection = page.getSelection()
  if (!selection?.rangeCount) return
  const before = page.createRange()
  before.selectNodeContents(element)
  const caret = selection.getRangeAt(0)
  before.setEnd(caret.startContainer, caret.startOffset)
  const text = before.toString()
  if (text !== '' && !/\s$/.test(text)) page.execCommand('insertText', false, ' ')
}

/** Those behind it are one further on; the next drawing finds each where it stands. */
function putBehind({ element, path, paragraph }: Place, next: HTMLElement): void {
  const [text = ''] = path.split('#')
  const numberOf = (one: Element) => Number((one.getAttribute(PLACE) ?? '').split('#')[1])
  const all = element.ownerDocument.querySelectorAll(`[${PLACE}^="${CSS.escape(`${text}#`)}"]`)
  for (const one of all) {
    const number = numberOf(one)
    if (number > (paragraph ?? 0)) one.setAttribute(PLACE, `${text}#${number + 1}`)
  }
  next.setAttribute(PLACE, `${text}#${(paragraph ?? 0) + 1}`)
  const around = element.closest('p') ?? element
  if (around === element) element.after(next)
  else {
    const paragraphAround = around.cloneNode() as HTMLElement
    paragraphAround.append(next)
    around.after(paragraphAround)
  }
}
