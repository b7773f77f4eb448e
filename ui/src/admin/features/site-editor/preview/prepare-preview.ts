// The page that the server drew, made fit for editing: nothing in it runs, and each element knows
// which words it shows.
import {
  hasMarkers,
  type MarkedPart,
  partsOf,
  stripMarkers,
} from '../../../../lib/content-source-map'
import hidden from '../../../../primitives/hidden.module.css'
import { equalsTypeset } from '../model/rich-value'

/** The path of the words that an element shows. */
export const PLACE = 'data-words'
/** The path of the picture whose alternative text it carries. */
export const PICTURE = 'data-words-picture'

/** An element around one rich text. */
export const RICH = 'data-words-rich'

/** An element that stands for all the words of one that means something: a heading, a link, a point of a list. */
export const ALONE = 'data-words-alone'

/**
 * What would lose its meaning as a place to type in. To who cannot see it the page had no headings, its
 * lists no points; a place inside leaves both what they are.
 */
const MEANS =
  'h1, h2, h3, h4, h5, h6, a, button, li, dt, dd, figcaption, summary, legend, label, th'

/** An element around the two sides of a card. */
const SIDES = 'data-words-sides'

export type Drawn = {
  /** Whether the paragraphs and lists of a place are one text to type in. */
  readonly isRich: (path: string) => boolean
  /** What a place says; null for what is no plain text. */
  readonly said: (path: string) => string | null
}

export function preparePreview(html: string, { isRich, said }: Drawn): Document {
  const page = new DOMParser().parseFromString(html, 'text/html')
  const places = placesIn(page)
  for (const element of page.querySelectorAll('script, link[rel=modulepreload], noscript')) {
    element.remove()
  }
  // Answers can be edited too, so they are all open: those of one name would close each other.
  for (const details of page.querySelectorAll('details')) {
    details.removeAttribute('name')
    details.open = true
  }
  for (const element of page.querySelectorAll('*')) readAttributes(element, places)
  for (const text of textsOf(page)) readText(text, places, said)
  gatherRich(page, isRich)
  openUp(page)
  layOut(page)
  giveWay(page)
  return page
}

/** Links and buttons lead nowhere in here: what Tab goes to are their words. */
function giveWay(page: Document): void {
  const holds = (one: Element) => one.querySelector(`[${PLACE}], [${PICTURE}]`) !== null
  for (const one of page.querySelectorAll('[aria-hidden]')) {
    // Shown to eyes alone, and changed by everybody.
    if (holds(one) && one.closest(`[${SIDES}]`) === null) one.removeAttribute('aria-hidden')
  }
  for (const one of page.querySelectorAll('a[href], button, summary')) {
    // What would open an answer opens nothing: all are open.
    if (!holds(one) && one.localName !== 'summary') continue
    one.setAttribute('tabindex', '-1')
    // Pulled by the mouse, its words are selected.
    one.setAttribute('draggable', 'false')
    // All inside of a button is one thing to a screen reader.
    if (one.localName === 'button') one.setAttribute('role', 'link')
  }
}

/** Lists in dialogs are words too: nothing opens them in here. */
function openUp(page: Document): void {
  for (const dialog of page.querySelectorAll('main dialog')) {
    if (dialog.querySelector(`[${PLACE}]`) === null) continue
    dialog.setAttribute('open', '')
    dialog.setAttribute('data-words-open', '')
  }
}

/**
 * A card that a button would turn shows both its sides, one below the other: nothing turns it in here,
 * and the button over it would take every press.
 */
function layOut(page: Document): void {
  for (const button of page.querySelectorAll('main button[aria-expanded][aria-controls]')) {
    const other = page.getElementById(button.getAttribute('aria-controls') ?? '')
    if (other === null || other.querySelector(`[${PLACE}]`) === null) continue
    other.parentElement?.setAttribute(SIDES, '')
    button.remove()
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
    if (element.hasAttribute(ALONE)) element.replaceWith(...element.childNodes)
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
    // Decoration is none for who replaces it.
    if (stripMarkers(value) === '') element.removeAttribute(name)
  }
}

/** An element that shows one text is its place; of several texts each gets an element. */
function readText(text: Text, places: readonly string[], said: Drawn['said']): void {
  const parent = text.parentElement
  const parts = partsOf(text.data, places).flatMap((part) => apart(part, said))
  if (parent === null) return
  const [only] = parts
  const isAlone =
    parts.length === 1 && parent.childNodes.length === 1 && !(parent instanceof HTMLTitleElement)
  text.data = stripMarkers(text.data)
  if (parent instanceof HTMLTitleElement || parent instanceof HTMLOptionElement) return
  // What is only read aloud says again what is seen elsewhere.
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

/** The program's own words before hers, a dot between two facts, are none of hers to type in. */
function apart(part: MarkedPart, said: Drawn['said']): readonly MarkedPart[] {
  const { text, path } = part
  const own = path === null ? null : said(path)
  const before = own === null ? '' : text.slice(0, Math.max(0, text.length - own.length))
  if (own === null || before === '' || !equalsTypeset(text.slice(before.length), own)) return [part]
  return [
    { text: before, path: null },
    { text: text.slice(before.length), path },
  ]
}
