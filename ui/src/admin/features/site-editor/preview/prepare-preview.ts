// Prepares the page that the server rendered for editing: removes scripts, and marks each element with
// the field that it shows.
import {
  hasMarkers,
  type MarkedPart,
  partsOf,
  stripMarkers,
} from '../../../../lib/content-source-map'
import hidden from '../../../../primitives/hidden.module.css'
import { equalsTypeset } from '../model/rich-value'

/** Attribute with the path of the field that an element shows. */
export const PLACE = 'data-words'
/** Attribute with the path of the picture whose alternative text an element carries. */
export const PICTURE = 'data-words-picture'

/** Attribute of an element around one text of several paragraphs; its value is the type of the field. */
export const WHOLE = 'data-words-whole'

/** Attribute of a span with the whole text of a semantic element: a heading, a link, a list item. */
export const ALONE = 'data-words-alone'

/**
 * Elements that lose their role when they become editable: screen readers found a page without headings
 * and list items. A span inside keeps the role.
 */
const MEANS =
  'h1, h2, h3, h4, h5, h6, a, button, li, dt, dd, figcaption, summary, legend, label, th'

/** Attribute of an element around the two sides of a card. */
const SIDES = 'data-words-sides'

export type PreparedPreview = {
  /** The type of a field. */
  readonly typeOf: (path: string) => string | undefined
  /** The text of a field; null if it is no plain text. */
  readonly said: (path: string) => string | null
}

export function preparePreview(html: string, { typeOf, said }: PreparedPreview): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const places = placesIn(page)
  for (const element of page.querySelectorAll('script, link[rel=modulepreload], noscript')) {
    element.remove()
  }
  // Answers are editable, so all are open; with a `name`, opening one would close the others.
  for (const details of page.querySelectorAll('details')) {
    details.removeAttribute('name')
    details.open = true
  }
  for (const element of page.querySelectorAll('*')) readAttributes(element, places)
  for (const text of textsOf(page)) readText(text, places, said)
  gatherParagraphs(page, typeOf)
  openUp(page)
  layOut(page)
  giveWay(page)
  return page
}

/** Links and buttons do nothing in the preview: Tab reaches their texts instead. */
function giveWay(page: Document): void {
  const holds = (one: Element) => one.querySelector(`[${PLACE}], [${PICTURE}]`) !== null
  for (const one of page.querySelectorAll('[aria-hidden]')) {
    // Hidden from screen readers on the site, but editable by every admin.
    if (holds(one) && one.closest(`[${SIDES}]`) === null) one.removeAttribute('aria-hidden')
  }
  for (const one of page.querySelectorAll('a[href], button, summary')) {
    // A `summary` toggles nothing, because all answers are open.
    if (!holds(one) && one.localName !== 'summary') continue
    one.setAttribute('tabindex', '-1')
    // Otherwise the mouse drags the link instead of selecting its text.
    one.setAttribute('draggable', 'false')
    // Screen readers treat everything inside a button as one item.
    if (one.localName === 'button') one.setAttribute('role', 'link')
  }
}

/** Opens dialogs that contain texts; nothing else opens them in the preview. */
function openUp(page: Document): void {
  for (const dialog of page.querySelectorAll('main dialog')) {
    if (dialog.querySelector(`[${PLACE}]`) === null) continue
    dialog.setAttribute('open', '')
    dialog.setAttribute('data-words-open', '')
  }
}

/**
 * Shows both sides of a flip card, one below the other: nothing turns it in the preview, and the button
 * over it would take every click.
 */
function layOut(page: Document): void {
  for (const button of page.querySelectorAll('main button[aria-expanded][aria-controls]')) {
    const other = page.getElementById(button.getAttribute('aria-controls') ?? '')
    if (other === null || other.querySelector(`[${PLACE}]`) === null) continue
    other.parentElement?.setAttribute(SIDES, '')
    button.remove()
  }
}

/** Wraps the paragraphs and lists of one text in an element that is edited as a whole. */
function gatherParagraphs(page: Document, typeOf: PreparedPreview['typeOf']): void {
  const gathered = new Map<Element, Element>()
  for (const element of page.querySelectorAll(`[${PLACE}*="#"]`)) {
    const [path = ''] = (element.getAttribute(PLACE) ?? '').split('#')
    const type = typeOf(path)
    const top = type === 'richText' || type === 'paragraphs' ? topOf(element) : null
    if (top === null) continue
    element.removeAttribute(PLACE)
    if (element.hasAttribute(ALONE)) element.replaceWith(...element.childNodes)
    const before = top.previousElementSibling
    const near = gathered.has(top) ? top.parentElement : before
    const around = near?.getAttribute(PLACE) === path ? near : page.createElement('div')
    if (around !== near) {
      around.setAttribute(PLACE, path)
      around.setAttribute(WHOLE, type ?? '')
      top.before(around)
    }
    if (top.parentElement !== around) around.append(top)
    gathered.set(top, around)
  }
}

/** The paragraph, or the outermost list around a list item. */
function topOf(element: Element): Element | null {
  let top = element.closest('p, li')
  while (top?.parentElement?.matches('ul, ol, li')) top = top.parentElement
  return top
}

/** Paths by marker number, from the JSON that the server puts into the page. */
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
    if (node instanceof Text && hasMarkers(node.data)) found.push(node)
  }
  return found
}

function readAttributes(element: Element, places: readonly string[]): void {
  for (const { name, value } of [...element.attributes]) {
    if (!hasMarkers(value)) continue
    const path = partsOf(value, places).find((part) => part.path !== null)?.path
    element.setAttribute(name, stripMarkers(value))
    if (path === null || path === undefined || name !== 'alt') continue
    element.setAttribute(PICTURE, path)
    // An empty `alt` hides the picture from screen readers, but the admin must be able to replace it.
    if (stripMarkers(value) === '') element.removeAttribute(name)
  }
}

/** Marks an element that shows a single text; wraps each of several texts in a span. */
function readText(text: Text, places: readonly string[], said: PreparedPreview['said']): void {
  const parent = text.parentElement
  const parts = partsOf(text.data, places).flatMap((part) => apart(part, said))
  if (parent === null) return
  const [only] = parts
  const isAlone =
    parts.length === 1 && parent.childNodes.length === 1 && !(parent instanceof HTMLTitleElement)
  text.data = stripMarkers(text.data)
  if (parent instanceof HTMLTitleElement || parent instanceof HTMLOptionElement) return
  // Visually hidden text repeats what is visible elsewhere.
  if (parent.closest(`.${hidden.hidden}`) !== null) return
  const means = parent.matches(MEANS)
  if (isAlone && !means && only?.path !== null && only !== undefined) {
    parent.setAttribute(PLACE, only.path)
    return
  }
  const nodes = parts.map(({ text: words, path }) => {
    const page = parent.ownerDocument
    if (path === null) return page.createTextNode(words)
    const span = page.createElement('span')
    span.setAttribute(PLACE, path)
    span.toggleAttribute(ALONE, isAlone)
    span.textContent = words
    return span
  })
  text.replaceWith(...nodes)
}

/** Splits off what the site puts before a field's text, such as a dot between two facts: it is not editable. */
function apart(part: MarkedPart, said: PreparedPreview['said']): readonly MarkedPart[] {
  const { text, path } = part
  const own = path === null ? null : said(path)
  const before = own === null ? '' : text.slice(0, Math.max(0, text.length - own.length))
  if (own === null || before === '' || !equalsTypeset(text.slice(before.length), own)) return [part]
  return [
    { text: before, path: null },
    { text: text.slice(before.length), path },
  ]
}
