// Parses pasted HTML and keeps what its lists, tables and lines say. The site numbers lists 1, 2, 3 from any start; a
// list with letters, Roman numerals, years or outline numbers becomes paragraphs that begin with their marker.

/** Parses pasted HTML without what is no content. */
export function parseStructure(html: string): HTMLElement {
  const page = new DOMParser().parseFromString(withDataStyles(withoutConditions(html)), 'text/html')
  const { body } = page
  const sheets = [...page.querySelectorAll('textarea[data-css]')]
  const css = sheets.map(({ textContent }) => textContent).join('')
  for (const gone of [...sheets, ...body.querySelectorAll('script, meta, link, title, xml')])
    gone.remove()
  for (const element of [...body.querySelectorAll('*')]) {
    // Word's own elements (o:p, w:sdt) contain only text.
    if (element.localName.includes(':')) element.replaceWith(...element.childNodes)
  }
  convertWordLists(body)
  inlineListStyles(body, css)
  keepNumbers(body)
  keepLines(body)
  // Inner tables first.
  for (const table of [...body.querySelectorAll('table')].reverse()) spellTable(table)
  return body
}

/** Converts all lists to paragraphs that begin with a number or bullet, for texts without lists. */
export function spellLists(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll<HTMLElement>('ol, ul')]) {
    const isNumbered = list.localName === 'ol'
    spellOut(list, numbersOf(list, itemsOf(list)), (n) => (isNumbered ? `${n}.` : '\u2022'))
  }
}

const SIGN = '<span data-sign>$1</span>'

/** Word hides its list markers in conditional comments. */
function withoutConditions(html: string): string {
  return html
    .replace(/<!(?:--)?\[if !supportLists\](?:--)?>([\s\S]*?)<!(?:--)?\[endif\](?:--)?>/g, SIGN)
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/<!\[(?:if|endif)[^>]*>/g, '')
}

/**
 * Renames style attributes to data attributes, and makes style sheets the text of an inert element: the panel's content
 * security policy drops and reports both.
 */
export function withDataStyles(html: string): string {
  return html
    .replace(/<style\b[^>]*>/gi, '<textarea data-css>')
    .replace(/<\/style\s*>/gi, '</textarea>')
    .replace(/<[^>]+>/g, (tag) => tag.replace(/\sstyle\s*=/gi, ' data-style='))
}

type Style = 'decimal' | 'alpha' | 'ALPHA' | 'roman' | 'ROMAN'

/** The smallest number that is a year, not a position in a list. */
const YEAR_MIN = 1000
const TYPES: Readonly<Record<string, Style>> = { a: 'alpha', A: 'ALPHA', i: 'roman', I: 'ROMAN' }
const STYLES: readonly (readonly [RegExp, Style])[] = [
  [/lower-(?:alpha|latin)/i, 'alpha'],
  [/upper-(?:alpha|latin)/i, 'ALPHA'],
  [/lower-roman/i, 'roman'],
  [/upper-roman/i, 'ROMAN'],
]

/** Writes the `list-style-type` rules of style elements, which Pages and Notes use, to the lists. */
function inlineListStyles(body: HTMLElement, css: string): void {
  for (const [, name, style] of css.matchAll(
    /((?:ol|ul|li)\.[\w-]+)\s*\{[^}]*list-style-type:\s*([\w-]+)/g,
  )) {
    // Not as a selector: a class such as `1` is none, and the whole paste failed.
    const [tag = 'ol', className = ''] = name?.split('.') ?? []
    for (const list of body.querySelectorAll<HTMLElement>(tag)) {
      if (!list.classList.contains(className)) continue
      list.dataset.style = `${list.dataset.style ?? ''};list-style-type: ${style}`
    }
  }
}

/** Splits numbered lists at gaps, joins those that go on, and spells the markers out that the site cannot show. */
function keepNumbers(body: HTMLElement): void {
  for (const list of [...body.querySelectorAll('ol')]) {
    const style = styleOf(list)
    const items = itemsOf(list)
    const numbers = numbersOf(list, items)
    const isCounted = numbers.every((number, place) => number === (numbers[0] ?? 0) + place)
    if (style !== 'decimal') spellOut(list, numbers, (number) => `${markerOf(number, style)})`)
    else if (numbers.some((number) => number >= YEAR_MIN || number < 0)) {
      spellOut(list, numbers, (number) => `${number}.`)
    } else if (!isCounted) split(list, items, numbers)
    else if (numbers.length > 0) joinPrevious(list, numbers[0] ?? 1)
  }
}

function itemsOf(list: Element): HTMLElement[] {
  return [...list.children].filter((child): child is HTMLElement => child.localName === 'li')
}

function styleOf(list: HTMLElement): Style {
  const [first] = itemsOf(list)
  const type = TYPES[list.getAttribute('type') ?? first?.getAttribute('type') ?? '']
  if (type !== undefined) return type
  const css = `${first?.dataset.style ?? ''};${list.dataset.style ?? ''}`
  const named = /list-style(?:-type)?:\s*([^;]+)/i.exec(css)?.[1] ?? ''
  return STYLES.find(([pattern]) => pattern.test(named))?.[1] ?? 'decimal'
}

function numbersOf(list: Element, items: readonly Element[]): number[] {
  const step = list.hasAttribute('reversed') ? -1 : 1
  const start = Number.parseInt(list.getAttribute('start') ?? '', 10)
  let next = Number.isNaN(start) ? (step < 0 ? items.length : 1) : start
  return items.map((item) => {
    const own = Number.parseInt(item.getAttribute('value') ?? '', 10)
    const number = Number.isNaN(own) ? next : own
    next = number + step
    return number
  })
}

function markerOf(number: number, style: Style): string {
  const marker = style.toLowerCase() === 'roman' ? roman(number) : letters(number)
  return style === style.toUpperCase() ? marker.toUpperCase() : marker
}

function letters(number: number): string {
  if (number < 1) return String(number)
  const rest = Math.floor((number - 1) / 26)
  return (rest > 0 ? letters(rest) : '') + String.fromCodePoint(97 + ((number - 1) % 26))
}

const ROMAN: readonly (readonly [number, string])[] = [
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function roman(number: number): string {
  const [value = 0, sign = ''] = ROMAN.find(([value]) => value <= number) ?? []
  return value === 0 ? '' : sign + roman(number - value)
}

function spellOut(list: Element, numbers: readonly number[], marker: (n: number) => string): void {
  const remaining = [...numbers]
  const blocks = [...list.childNodes].flatMap((child) => {
    if (!(child instanceof HTMLElement) || child.localName !== 'li') return [child]
    return paragraphsOf(child, marker(remaining.shift() ?? 1))
  })
  const { parentElement: parent, previousElementSibling: before } = list
  // Google Docs puts a nested list directly into the list, after its item.
  const isNested = parent?.localName === 'ol' || parent?.localName === 'ul'
  if (isNested && before?.localName === 'li') {
    before.append(...blocks)
    list.remove()
  } else list.replaceWith(...blocks)
}

const BLOCK = /^(?:p|ul|ol|div|h[1-6]|blockquote|pre|table|hr|section|article)$/

/** Returns the content of an item as blocks; the first begins with the marker. */
function paragraphsOf(item: Element, marker: string): Node[] {
  const nodes = [...item.childNodes]
  const isBlock = (node: Node) => node instanceof Element && BLOCK.test(node.localName)
  const filled = nodes.findIndex((node) => (node.textContent ?? '').trim() !== '')
  const first = nodes[filled]
  if (first instanceof Element && /^(?:p|div|h[1-6])$/.test(first.localName)) {
    first.prepend(`${marker} `)
    return nodes
  }
  const end = nodes.findIndex(isBlock)
  const words = document.createElement('p')
  words.append(`${marker} `, ...(end < 0 ? nodes : nodes.slice(0, end)))
  return [words, ...(end < 0 ? [] : nodes.slice(end))]
}

function split(list: HTMLElement, items: readonly HTMLElement[], numbers: readonly number[]): void {
  let target: Element = list
  list.setAttribute('start', String(numbers[0] ?? 1))
  items.forEach((item, place) => {
    const number = numbers[place] ?? 1
    item.removeAttribute('value')
    if (place === 0) return
    if (number !== (numbers[place - 1] ?? 0) + 1) {
      const next = document.createElement('ol')
      next.setAttribute('start', String(number))
      target.after(next)
      target = next
    }
    if (target !== list) target.append(item)
  })
}

/** Word for the web makes each item a list of its own, in a container that holds nothing else. */
function joinPrevious(list: Element, start: number): void {
  const wrapper = list.closest('.ListContainerWrapper')
  const before = (wrapper ?? list).previousElementSibling
  const other = before?.localName === 'ol' ? before : before?.querySelector(':scope > ol')
  list.setAttribute('start', String(start))
  if (wrapper === null || other?.nextElementSibling !== (wrapper === null ? list : null)) return
  const numbers = numbersOf(other, itemsOf(other))
  if (start !== (numbers.at(-1) ?? 0) + 1) return
  other.append(...list.childNodes)
  wrapper.remove()
}

type Sign = { readonly kind: 'ul' | 'ol' | 'text'; readonly number: number; readonly text: string }
type OpenList = {
  readonly list: Element
  readonly level: number
  readonly id: string
  readonly kind: string
  last: Element
  next: number
}

/** Converts Word's list items, which are paragraphs with an `mso-list` style, to lists. */
function convertWordLists(body: HTMLElement): void {
  let open: OpenList[] = []
  for (const item of [...body.querySelectorAll<HTMLElement>('p, h1, h2, h3, ul, ol, table')]) {
    const found = /mso-list:\s*(l\d+)\s+level(\d+)/i.exec(item.dataset.style ?? '')
    if (found === null) {
      open = []
      continue
    }
    const [, id = ''] = found
    const level = Number(found[2])
    const li = document.createElement('li')
    const words = document.createElement('p')
    words.append(...item.childNodes)
    const sign = signOf(words)
    li.append(words)
    open = open.filter((one) => one.level <= level)
    const current = open.at(-1)
    const isSame = current?.level === level
    if (isSame && current.id === id && current.kind === sign.kind && sign.number === current.next) {
      current.list.append(li)
      current.last = li
      current.next += sign.kind === 'ol' ? 1 : 0
      item.remove()
      continue
    }
    if (isSame) open.pop()
    const outer = open.at(-1)
    const block = sign.kind === 'text' ? paragraphsOf(li, sign.text) : [listOf(sign, li)]
    if (outer === undefined) item.replaceWith(...block)
    else {
      outer.last.append(...block)
      item.remove()
    }
    const [list] = block
    if (sign.kind === 'text' || !(list instanceof Element)) continue
    open.push({
      list,
      last: li,
      level,
      id,
      kind: sign.kind,
      next: sign.number + Number(sign.kind === 'ol'),
    })
  }
}

function listOf({ kind, number }: Sign, item: Element): Element {
  const list = document.createElement(kind)
  if (kind === 'ol') list.setAttribute('start', String(number))
  list.append(item)
  return list
}

/** Removes the marker of a list item and returns it. A marker that is no plain number or bullet stays text. */
function signOf(words: HTMLElement): Sign {
  const hidden = words.querySelector('[data-sign]')
  let text: string
  if (hidden !== null) {
    hidden.remove()
    text = hidden.textContent.replace(/[\s\u00a0]+/g, ' ').trim()
  } else {
    const first = document.createTreeWalker(words, NodeFilter.SHOW_TEXT).nextNode()
    const found = /^\s*([·•§-]|(?:\d+(?:\.\d+)*|[a-z]|[ivx]+)[.)])\s+/i.exec(first?.nodeValue ?? '')
    if (found !== null && first !== null) {
      first.nodeValue = (first.nodeValue ?? '').slice(found[0].length)
    }
    text = found?.[1] ?? ''
  }
  const number = /^(\d{1,3})[.)]?$/.exec(text)
  if (number !== null) return { kind: 'ol', number: Number(number[1]), text }
  // Bullets are letters of a symbol font: `·`, `o`, `§`, `Ø`.
  if (text.length < 2) return { kind: 'ul', number: 0, text }
  return { kind: 'text', number: 0, text }
}

/** Converts the line ends of elements with preserved white space, such as WhatsApp's messages, to line breaks. */
function keepLines(body: HTMLElement): void {
  const preserves = /white-space(?:-collapse)?:\s*(?:pre|break-spaces)/i
  for (const element of body.querySelectorAll<HTMLElement>('[data-style]')) {
    if (!preserves.test(element.dataset.style ?? '')) continue
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    const found: Text[] = []
    while (texts.nextNode()) found.push(texts.currentNode as Text)
    for (const text of found) {
      const lines = text.data.split(/\r?\n/)
      if (lines.length < 2 || text.data.trim() === '') continue
      text.replaceWith(...lines.flatMap((line, at) => (at === 0 ? [line] : [br(), line])))
    }
  }
}

function br(): HTMLElement {
  return document.createElement('br')
}

/** Converts a table to a paragraph per row, as the import from WordPress does. A single column is no table. */
function spellTable(table: HTMLTableElement): void {
  const rows = [...table.rows].filter((row) => row.closest('table') === table)
  const isLayout = rows.every(({ cells }) => cells.length < 2)
  const blocks = rows.flatMap((row): Node[] => {
    if (isLayout) return [...row.cells].flatMap((cell) => [...cell.childNodes])
    const line = document.createElement('p')
    for (const cell of row.cells) {
      if (line.textContent !== '') line.append(CELL_END)
      line.append(...inlinesOf(cell))
    }
    return [line]
  })
  const caption = document.createElement('p')
  caption.append(...(table.caption?.childNodes ?? []))
  table.replaceWith(...(caption.textContent === '' ? [] : [caption]), ...blocks)
}

/** Separates the cells of a row, as in the import from WordPress. */
export const CELL_END = ' \u2013 '
const BLOCKS = 'p, div, ul, ol, li, h1, h2, h3, h4, h5, h6, blockquote, pre'

/** Returns the content of a cell without its blocks; a blank stands between two of them. */
function inlinesOf(cell: Element): Node[] {
  for (const br of cell.querySelectorAll('br')) br.replaceWith(' ')
  for (const block of [...cell.querySelectorAll(BLOCKS)].reverse()) {
    block.replaceWith(' ', ...block.childNodes, ' ')
  }
  cell.normalize()
  const { firstChild, lastChild } = cell
  if (firstChild instanceof Text) firstChild.data = firstChild.data.trimStart()
  if (lastChild instanceof Text) lastChild.data = lastChild.data.trimEnd()
  return [...cell.childNodes]
}
