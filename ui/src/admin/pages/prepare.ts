// The page that the server drew, made fit for editing: nothing in it runs, and each element knows
// which words it shows.
import { hasMarks, partsOf, unmarked } from '../../lib/word-marks'

/** The path of the words that an element shows. */
export const PLACE = 'data-words'
/** The path of the picture whose alternative text it carries. */
export const PICTURE = 'data-words-picture'

/** An element around one rich text. */
export const RICH = 'data-words-rich'

/** `isRich` of a place: whether its paragraphs and lists are one text to type in. */
export function prepared(html: string, isRich: (path: string) => boolean = () => false): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const places = placesIn(page)
  for (const element of page.querySelectorAll('script, link[rel=modulepreload], noscript')) {
    element.remove()
  }
  // Answers can be edited too, so they are all open.
  for (const details of page.querySelectorAll('details')) details.open = true
  for (const element of page.querySelectorAll('*')) readAttributes(element, places)
  for (const text of textsOf(page)) readText(text, places)
  gatherRich(page, isRich)
  openUp(page)
  return page
}

/** Lists in dialogs are words too: nothing opens them in here. */
function openUp(page: Document): void {
  for (const dialog of page.querySelectorAll('main dialog')) {
    if (dialog.querySelector(`[${PLACE}]`) === null) continue
    dialog.setAttribute('open', '')
    dialog.setAttribute('data-words-open', '')
  }
}

/** What is drawn as neighbours gets an element of its own to be typed in. */
function gatherRich(page: Document, isRich: (path: string) => boolean): void {
  const gathered = new Map<Element, Element>()
  for (const element of page.querySelectorAll(`[${PLACE}*="#"]`)) {
    const [path = ''] = (element.getAttribute(PLACE) ?? '').split('#')
    const top = isRich(path) ? topOf(element) : null
    if (top === null) continue
    element.removeAttribute(PLACE)
    const before = top.previousElementSibling
    const near = gathered.has(top) ? top.parentElement : before
    const around = near?.getAttribute(PLACE) === path ? near : page.createElement('div')
    if (around !== near) {
      around.setAttribute(PLACE, path)
      around.setAttribute(RICH, '')
      top.before(around)
    }
    if (top.parentElement !== around) around.append(top)
    gathered.set(top, around)
  }
}

/** The paragraph, or the outermost of the lists that a point lies in. */
function topOf(element: Element): Element | null {
  let top = element.closest('p, li')
  while (top?.parentElement?.matches('ul, ol, li')) top = top.parentElement
  return top
}

/** The places by the numbers of their marks, as the server put them into the page. */
function placesIn(page: Document): readonly string[] {
  try {
    const found: unknown = JSON.parse(page.getElementById('words-places')?.textContent ?? '[]')
    return Array.isArray(found) ? found.map(String) : []
  } catch {
    return []
  }
}

function textsOf(page: Document): readonly Text[] {
  const walker = page.createTreeWalker(page.documentElement, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text && hasMarks(node.data)) found.push(node)
  }
  return found
}

function readAttributes(element: Element, places: readonly string[]): void {
  for (const { name, value } of [...element.attributes]) {
    if (!hasMarks(value)) continue
    const path = partsOf(value, places).find((part) => part.path !== null)?.path
    element.setAttribute(name, unmarked(value))
    if (path !== null && path !== undefined && name === 'alt') element.setAttribute(PICTURE, path)
  }
}

/** An element that shows one text is its place; of several texts each gets an element. */
function readText(text: Text, places: readonly string[]): void {
  const parts = partsOf(text.data, places)
  const parent = text.parentElement
  if (parent === null) return
  const [only] = parts
  const isAlone =
    parts.length === 1 && parent.childNodes.length === 1 && !(parent instanceof HTMLTitleElement)
  text.data = unmarked(text.data)
  if (parent instanceof HTMLTitleElement || parent instanceof HTMLOptionElement) return
  if (isAlone && only?.path !== null && only !== undefined) {
    parent.setAttribute(PLACE, only.path)
    return
  }
  const nodes = parts.map(({ text: words, path }) => {
    const page = parent.ownerDocument
    if (path === null) return page.createTextNode(words)
    const span = page.createElement('span')
    span.setAttribute(PLACE, path)
    span.textContent = words
    return span
  })
  text.replaceWith(...nodes)
}
