// Extracts the text of an element, and maps text offsets back to DOM ranges and screen rectangles.

/** Elements that begin a line of their own: a negation does not extend across them. */
const LINES = /^(?:P|LI|H[1-6]|BR|DIV|UL|OL|BLOCKQUOTE)$/
/** A chip shows a value that is stored elsewhere, so the lint skips its text. */
const CHIP = '[data-words-chip]'

export type Words = {
  readonly text: string
  /** Returns the DOM range between two offsets of `text`. */
  rangeOf: (from: number, to: number) => Range | null
}

export function textIn(element: HTMLElement): Words {
  const page = element.ownerDocument
  const pieces: { readonly node: Text; readonly at: number }[] = []
  let text = ''
  const walker = page.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node.nodeType !== Node.TEXT_NODE) {
      if (LINES.test(node.nodeName)) text += '\n'
      continue
    }
    const { data } = node as Text
    const isChip = node.parentElement?.closest(CHIP) !== null
    if (!isChip) pieces.push({ node: node as Text, at: text.length })
    text += isChip ? '\ufffc' : data
  }
  const pointAt = (place: number) => {
    const piece = pieces.findLast(({ at }) => at <= place)
    if (piece === undefined || place > piece.at + piece.node.length) return null
    return [piece.node, place - piece.at] as const
  }
  return {
    text,
    rangeOf: (from, to) => {
      const [start, last] = [pointAt(from), pointAt(to - 1)]
      if (start === null || last === null) return null
      const range = page.createRange()
      range.setStart(...start)
      range.setEnd(last[0], last[1] + 1)
      return range
    },
  }
}

/** Returns the rectangles of a text range in a form field, measured in an invisible copy of the field. */
export function rectsIn(
  field: HTMLInputElement | HTMLTextAreaElement,
  from: number,
  to: number,
): readonly DOMRect[] {
  const twin = document.createElement('div')
  const style = getComputedStyle(field)
  for (const name of SHAPE) twin.style.setProperty(name, style.getPropertyValue(name))
  const isLine = field instanceof HTMLInputElement
  twin.style.setProperty('position', 'fixed')
  twin.style.setProperty('visibility', 'hidden')
  twin.style.setProperty('white-space', isLine ? 'pre' : 'pre-wrap')
  twin.style.setProperty('overflow', 'hidden')
  const place = field.getBoundingClientRect()
  twin.style.setProperty('inset', `${place.top}px auto auto ${place.left}px`)
  twin.style.setProperty('inline-size', `${place.width}px`)
  twin.style.setProperty('block-size', `${place.height}px`)
  twin.textContent = field.value
  document.body.append(twin)
  const [text] = twin.childNodes
  const range = document.createRange()
  if (text !== undefined) {
    range.setStart(text, from)
    range.setEnd(text, to)
  }
  // A single-line input centres its text vertically.
  const whole = document.createRange()
  whole.selectNodeContents(twin)
  const inset = Number.parseFloat(style.paddingTop) + Number.parseFloat(style.borderTopWidth)
  const lift = isLine ? (place.height - whole.getBoundingClientRect().height) / 2 - inset : 0
  const rects = [...range.getClientRects()].map(
    ({ x, y, width, height }) =>
      new DOMRect(x - field.scrollLeft, y - field.scrollTop + lift, width, height),
  )
  twin.remove()
  return rects.filter(({ x, right, bottom, y }) => {
    const isAcross = x >= place.left && right <= place.right
    return isAcross && bottom <= place.bottom && y >= place.top
  })
}

const SHAPE = [
  'box-sizing',
  'padding',
  'border',
  'font-family',
  'font-size',
  'font-weight',
  'font-style',
  'line-height',
  'letter-spacing',
  'word-spacing',
  'text-indent',
  'overflow-wrap',
  'tab-size',
]

const ARTICLES =
  'il lo la i gli le un uno una del dello della dei degli delle al alla alle nel nella dal dalla ' +
  'sul sulla di questa questo'
const SHORT = 'l un dell all nell dall sull'
const ARTICLE = new RegExp(`(?:^|[\\s(«"])((?:${ways(ARTICLES)})\\s+|(?:${ways(SHORT)})['’])$`, 'i')

function ways(words: string): string {
  return words.replaceAll(' ', '|')
}

/** Returns the length of the article in front of a word: the practitioner must adapt it to a replacement. */
export function articleBefore(text: string): number {
  return ARTICLE.exec(text)?.[1]?.length ?? 0
}
