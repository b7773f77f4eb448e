// Serializes the editor's document to Markdown in one canonical form.

import type * as Mdast from 'mdast'
import { gfmStrikethroughToMarkdown } from 'mdast-util-gfm-strikethrough'
import { defaultHandlers, type Handle, toMarkdown } from 'mdast-util-to-markdown'
import type { Mark, Node } from 'prosemirror-model'
import { BUTTON_TITLE, trimBlank } from './markdown-syntax'
import { addressOf, type PictureAttributes } from './schema'

/** Zero-width space between adjacent marks, so that their delimiters do not parse as one. */
const JOINT: Mdast.Html = { type: 'html', value: '&#8203;' }
/** Nesting order of marks that cover the same text, outermost first. */
const ORDER = ['link', 'strong', 'em', 'strike', 'code']

type Piece = { readonly text: string | null; readonly marks: readonly Mark[] }

export function written(doc: Node, sources: ReadonlyMap<Node, string> | null): string {
  const shift = Number(doc.attrs.shift)
  const children: Mdast.RootContent[] = []
  doc.forEach((node, _, index) => {
    const source = touchesList(doc, index) ? undefined : (sourceOf(node, sources) ?? plainOf(node))
    // A raw HTML node is written verbatim, which a source needs too.
    if (source === undefined) children.push(...block(node, shift))
    else children.push({ type: 'html', value: source })
  })
  const markdown = toMarkdown(
    { type: 'root', children },
    {
      extensions: [gfmStrikethroughToMarkdown()],
      bullet: '-',
      bulletOther: '*',
      emphasis: '*',
      fences: true,
      handlers: { listItem },
      incrementListMarker: true,
      listItemIndent: 'one',
      resourceLink: true,
      rule: '-',
    },
  )
  return markdown.replace(/\n$/, '')
}

/** Also finds an equal block, because a removed trailing line break leaves another node with the same text. */
function sourceOf(node: Node, sources: ReadonlyMap<Node, string> | null): string | undefined {
  const own = sources?.get(node)
  if (own !== undefined || sources === null) return own
  for (const [origin, source] of sources) if (origin.eq(node)) return source
  return undefined
}

/** Letters, the private-use characters of chips, and punctuation without a meaning in Markdown. */
const PLAIN = /^[\p{L}\p{Co}][\p{L}\p{M}\p{N}\p{Co} .,;:'’‘"“”«»?()/%€–—…·-]*$/u

/** Plain text is its own Markdown. Skips the search for characters to escape, which is slow and runs while typing. */
function plainOf(node: Node): string | undefined {
  if (node.type.name !== 'paragraph' || node.childCount !== 1) return undefined
  const { text, marks } = node.child(0)
  const words = text?.trim() ?? ''
  return marks.length === 0 && PLAIN.test(words) ? words : undefined
}

/** Adjacent lists need different markers, so their sources cannot be reused. */
function touchesList(doc: Node, index: number): boolean {
  const { type } = doc.child(index)
  if (!type.name.endsWith('_list')) return false
  return doc.maybeChild(index - 1)?.type === type || doc.maybeChild(index + 1)?.type === type
}

function block(node: Node, shift: number): Mdast.RootContent[] {
  switch (node.type.name) {
    case 'paragraph': {
      const children = inlines(node)
      return children.length === 0 ? [] : [{ type: 'paragraph', children }]
    }
    case 'heading': {
      const children = inlines(node)
      if (children.length === 0) return []
      const depth = Math.min(6, Math.max(1, Number(node.attrs.level) - shift))
      return [{ type: 'heading', depth: depth as 1 | 2 | 3 | 4 | 5 | 6, children }]
    }
    case 'blockquote': {
      const children = contents(node, shift)
      return children.length === 0 ? [] : [{ type: 'blockquote', children }]
    }
    case 'bullet_list':
    case 'ordered_list':
      return [list(node, shift)]
    case 'code_block':
      return [{ type: 'code', lang: node.attrs.language || null, value: node.textContent }]
    case 'divider':
      return [{ type: 'thematicBreak' }]
    case 'picture':
      return [{ type: 'paragraph', children: [picture(node)] }]
    case 'gallery': {
      const pictures: Mdast.PhrasingContent[] = []
      node.forEach((child) => {
        if (pictures.length > 0) pictures.push({ type: 'text', value: '\n' })
        pictures.push(picture(child))
      })
      return pictures.length === 0 ? [] : [{ type: 'paragraph', children: pictures }]
    }
    case 'button': {
      const words = String(node.attrs.words).trim()
      if (words === '') return []
      const url = String(node.attrs.address)
      const children: Mdast.PhrasingContent[] = [{ type: 'text', value: words }]
      return [
        { type: 'paragraph', children: [{ type: 'link', url, title: BUTTON_TITLE, children }] },
      ]
    }
    default:
      return []
  }
}

function contents(node: Node, shift: number): Mdast.BlockContent[] {
  const children: Mdast.RootContent[] = []
  node.forEach((child) => {
    children.push(...block(child, shift))
  })
  return children as Mdast.BlockContent[]
}

/** Resets the last bullet in nested lists: otherwise three equal bullets in a row became a thematic break. */
const listItem: Handle = (node, parent, state, info) => {
  state.bulletLastUsed = undefined
  return defaultHandlers.listItem(node, parent, state, info)
}

/** Thematic break in a list. Dashes would force another bullet on the list, maybe that of the previous list. */
const LINE_IN_LIST: Mdast.Html = { type: 'html', value: '___' }

function list(node: Node, shift: number): Mdast.List {
  const ordered = node.type.name === 'ordered_list'
  const items: Mdast.ListItem[] = []
  node.forEach((item) => {
    const children = contents(item, shift).map((child) =>
      child.type === 'thematicBreak' ? LINE_IN_LIST : child,
    )
    const spread = children.slice(1).some((child) => !followsClosely(child))
    items.push({ type: 'listItem', spread, children })
  })
  const start = ordered ? Number(node.attrs.order) : null
  const spread = node.attrs.spread === true || items.some((item) => item.spread === true)
  for (const item of items) item.spread = spread
  return { type: 'list', ordered, start, spread, children: items }
}

/** Whether the block may follow a paragraph without a blank line: a list that is unordered or starts at 1. */
function followsClosely(child: Mdast.BlockContent | Mdast.DefinitionContent): boolean {
  if (child.type !== 'list' || (child.ordered === true && child.start !== 1)) return false
  return (child.children[0]?.children.length ?? 0) > 0
}

function picture(node: Node): Mdast.Image {
  const attributes = node.attrs as PictureAttributes
  const { alt, caption } = attributes
  return { type: 'image', url: addressOf(attributes), alt, title: caption.trim() || null }
}

function inlines(node: Node): Mdast.PhrasingContent[] {
  const children: Node[] = []
  node.forEach((child) => {
    children.push(child)
  })
  return tree(withBareSpaces(pieces(trimBlank(children, node.type.schema))))
}

/** Splits text into words and spaces; code stays whole. */
function pieces(nodes: readonly Node[]): Piece[] {
  return nodes.flatMap((node): Piece[] => {
    const { marks } = node
    if (!node.isText) return [{ text: null, marks }]
    const isCode = marks.some((mark) => mark.type.name === 'code')
    const parts = isCode ? [node.text ?? ''] : (node.text ?? '').split(/(\s+)/)
    return parts.filter((text) => text !== '').map((text) => ({ text, marks }))
  })
}

/** Keeps on a space only the marks that both neighbours share, because no mark may begin or end with a space. */
function withBareSpaces(all: readonly Piece[]): Piece[] {
  const isBare = ({ text }: Piece) => text === null || text.trim() === ''
  const nexts: (Piece | undefined)[] = []
  let next: Piece | undefined
  for (const piece of all.toReversed()) {
    nexts.push(next)
    if (!isBare(piece)) next = piece
  }
  let before: Piece | undefined
  return all.map((piece) => {
    const after = nexts.pop()
    if (!isBare(piece)) {
      before = piece
      return piece
    }
    const both = (mark: Mark) =>
      mark.type.name !== 'code' && before && after
        ? mark.isInSet(before.marks) && mark.isInSet(after.marks)
        : false
    return { text: piece.text, marks: piece.marks.filter(both) }
  })
}

/** Nests the marks of flat pieces; the mark that reaches farthest is outermost. */
function tree(all: readonly Piece[]): Mdast.PhrasingContent[] {
  const result: Mdast.PhrasingContent[] = []
  for (let place = 0; place < all.length; ) {
    const piece = all[place] as Piece
    const [mark, end] = farthest(all, place)
    if (mark === null) {
      push(result, leaf(piece.text))
      place += 1
      continue
    }
    const inner = all.slice(place, end).map((one) => ({
      text: one.text,
      marks: one.marks.filter((other) => !other.eq(mark)),
    }))
    push(result, marked(mark, inner))
    place = end
  }
  return result
}

function farthest(all: readonly Piece[], from: number): [Mark | null, number] {
  let best: [Mark | null, number] = [null, from]
  const marks = [...(all[from]?.marks ?? [])]
  marks.sort((a, b) => ORDER.indexOf(a.type.name) - ORDER.indexOf(b.type.name))
  for (const mark of marks) {
    const isCode = mark.type.name === 'code'
    // Code cannot contain marks, so it ends where a piece has more marks.
    const reaches = ({ marks }: Piece) => mark.isInSet(marks) && (!isCode || marks.length === 1)
    let end = from
    while (end < all.length && reaches(all[end] as Piece)) end += 1
    if (isCode ? best[0] === null : end > best[1]) best = [mark, end]
  }
  return best
}

function marked(mark: Mark, inner: readonly Piece[]): Mdast.PhrasingContent {
  if (mark.type.name === 'code') {
    return { type: 'inlineCode', value: inner.map(({ text }) => text ?? ' ').join('') }
  }
  const children = tree(inner)
  switch (mark.type.name) {
    case 'strong':
      return { type: 'strong', children }
    case 'em':
      return { type: 'emphasis', children }
    case 'strike':
      return { type: 'delete', children }
    default: {
      const { href, title } = mark.attrs
      return { type: 'link', url: href, title: title || null, children }
    }
  }
}

function leaf(text: string | null): Mdast.PhrasingContent {
  return text === null ? { type: 'break' } : { type: 'text', value: text }
}

function push(result: Mdast.PhrasingContent[], node: Mdast.PhrasingContent): void {
  const last = result.at(-1)
  if (last?.type === 'text' && node.type === 'text') last.value += node.value
  else if (isSigned(last) && isSigned(node)) result.push(JOINT, node)
  else result.push(node)
}

function isSigned(node: Mdast.PhrasingContent | undefined): boolean {
  return ['strong', 'emphasis', 'delete', 'inlineCode'].includes(node?.type ?? '')
}
