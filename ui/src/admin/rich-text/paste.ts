// Converts clipboard content of other programs to what the schema supports.

import { type Node as DocNode, Fragment, type Schema, Slice } from 'prosemirror-model'
import { pastedAddress } from './addresses'
import { parse } from './markdown'
import { CELL_END, parseStructure } from './pasted-structure'

/** Reduces HTML of Word, Google Docs and WhatsApp to plain elements of the schema. */
export function cleanHtml(html: string): string {
  const body = parseStructure(html)
  styledMarks(body)
  for (const image of body.querySelectorAll('img')) {
    // WhatsApp copies an emoji as an image with the emoji as alternative text.
    const face = /^\p{Emoji}/u.test(image.alt) && !/^\d/.test(image.alt)
    if (face) image.replaceWith(image.alt)
  }
  // Text copied within the editor keeps its anchors, such as `#messaggio`.
  if (body.querySelector('[data-pm-slice]') === null) {
    for (const anchor of body.querySelectorAll('a')) {
      const href = pastedAddress(anchor.getAttribute('href') ?? '')
      if (href === null) anchor.replaceWith(...anchor.childNodes)
      else anchor.setAttribute('href', href)
    }
  }
  return body.innerHTML.replace(/[\u00a0\u200b]/g, ' ')
}

const MARK_STYLES: readonly (readonly [RegExp, string])[] = [
  [/font-weight:\s*(?:bold|[6-9]00)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration[^;]*line-through/i, 's'],
]

/** Converts bold and italic styles to elements, and removes the <b> with normal weight that Google wraps around all. */
function styledMarks(body: HTMLElement): void {
  for (const element of [...body.querySelectorAll<HTMLElement>('[data-style]')]) {
    const style = element.dataset.style ?? ''
    if (element.localName === 'b' && /font-weight:\s*(?:normal|400)/i.test(style)) {
      if (!style.includes('mso-')) element.replaceWith(...element.childNodes)
      continue
    }
    if (!['span', 'a', 'font'].includes(element.localName)) continue
    for (const [pattern, name] of MARK_STYLES) {
      if (!pattern.test(style)) continue
      const mark = document.createElement(name)
      mark.append(...element.childNodes)
      element.append(mark)
    }
  }
}

const MESSAGE_HEAD = /^\[\d{1,2}[:.]\d{2}, \d{1,2}\/\d{1,2}\/\d{2,4}\] [^:\n]{1,60}: /gm

/** Parses plain text as Markdown if it looks like Markdown, else as lines with WhatsApp's formatting. */
export function plainSlice(text: string, schema: Schema): Slice {
  const lines = text.replace(/\r\n?/g, '\n').replace(MESSAGE_HEAD, '')
  const isMarkdown = /^(?:#{1,6} |> |```)|\*\*\S|\]\(\S/m.test(lines)
  const prepared = isMarkdown ? escapeYears(lines) : fromMessage(lines)
  const { content } = parse(prepared, schema).doc
  const only = content.childCount === 1 ? content.firstChild : null
  // A single paragraph is inserted inline at the caret.
  const slice =
    only?.type.name === 'paragraph' ? new Slice(content, 1, 1) : Slice.maxOpen(content, false)
  return withUsableLinks(slice, schema)
}

/** Lines that begin with a year and a full stop stay lines: a list would count on from the first year. */
function escapeYears(markdown: string): string {
  if (/^\s*(?:```|~~~)/m.test(markdown)) return markdown
  return markdown
    .replace(/^(\s*(?:>\s*)*\d{4,9})(?=[.)]\s)/gm, '$1\\')
    .replace(/([^\s\\])\n(?=[ \t]*\d{4,9}\\[.)])/g, '$1\\\n')
}

const ITEM = /^(\s*)(?:(\d{1,3})[.)]|[-*\u2022\u00b7\u25aa\u25e6\u2023])\s+(?=\S)/

/** Converts WhatsApp's `*bold*`, `_italic_`, `~struck~`, lists and line breaks to Markdown. */
function fromMessage(text: string): string {
  const signed = text
    .replace(/[\\`[\]<>]|&(?=#?\w+;)/g, (sign) => `\\${sign}`)
    .replace(/(^|[\s(])\*([^\s*](?:[^*\n]*[^\s*])?)\*(?=$|[\s.,;:!?)])/gm, '$1**$2**')
  const blocks: { readonly isList: boolean; readonly lines: string[] }[] = []
  for (const line of signed.split('\n')) {
    const last = blocks.at(-1)
    if (line.trim() === '') blocks.push({ isList: false, lines: [] })
    else if (last !== undefined && last.lines.length > 0 && last.isList === ITEM.test(line)) {
      last.lines.push(line)
    } else blocks.push({ isList: ITEM.test(line), lines: [line] })
  }
  return joinBlocks(blocks).map(writeBlock).join('\n\n')
}

type Lines = { readonly isList: boolean; readonly lines: readonly string[] }

/** Joins a numbered line that is no list, such as the rest of a sentence in a PDF, to the lines around it. */
function joinBlocks(blocks: readonly Lines[]): Lines[] {
  const all: Lines[] = []
  let isOpen = false
  for (const block of blocks) {
    const last = all.at(-1)
    const { lines } = block
    const isAlone = lines.length === 1 && /^\s*\d/.test(lines[0] ?? '') && isOpen
    const isList = block.isList && isCounted(lines) && !isAlone
    if (isOpen && last !== undefined && !last.isList && !isList && lines.length > 0) {
      all[all.length - 1] = { isList: false, lines: [...last.lines, ...lines] }
    } else if (lines.length > 0) all.push({ isList, lines })
    isOpen = lines.length > 0
  }
  return all
}

/** Whether Markdown, which counts on from the first number, keeps the numbers of the lines. */
function isCounted(lines: readonly string[]): boolean {
  const next = new Map<number, number>()
  return lines.every((line) => {
    const [, indent = '', digits] = ITEM.exec(line) ?? []
    for (const depth of next.keys()) if (depth > indent.length) next.delete(depth)
    if (digits === undefined) return true
    const number = Number(digits)
    const expected = next.get(indent.length) ?? number
    next.set(indent.length, number + 1)
    return number === expected
  })
}

function writeBlock({ isList, lines }: Lines): string {
  if (isList) {
    const bullets = lines.map((line) =>
      line.replace(/^(\s*)[*\u2022\u00b7\u25aa\u25e6\u2023]\s+/, '$1- '),
    )
    return bullets.map((line) => line.replace(/\t+/g, ' ')).join('\n')
  }
  const texts = lines.map((line) => line.trim().replace(/^(\d+)(?=[.)]\s)/, '$1\\'))
  return texts
    .map((line) => line.replace(/^([-*+])(?=\s)/, '\\$1').replace(/[ ]*\t+[ ]*/g, CELL_END))
    .join('\\\n')
}

/** Removes links that lead nowhere, keeping their text. */
function withUsableLinks(slice: Slice, schema: Schema): Slice {
  const { link } = schema.marks
  const cleaned = (fragment: Fragment): Fragment => {
    const nodes: DocNode[] = []
    fragment.forEach((node) => {
      const mark = link?.isInSet(node.marks)
      const href = mark === undefined ? null : pastedAddress(String(mark.attrs.href))
      const marks = mark?.removeFromSet(node.marks) ?? node.marks
      const own = mark && href ? mark.type.create({ ...mark.attrs, href }).addToSet(marks) : marks
      // A line break within a link has its mark too.
      nodes.push((node.isLeaf ? node : node.copy(cleaned(node.content))).mark(own))
    })
    return Fragment.fromArray(nodes)
  }
  return new Slice(cleaned(slice.content), slice.openStart, slice.openEnd)
}
