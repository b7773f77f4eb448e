// Parses Markdown to the editor's document and serializes it back (docs/decisions/015).
//
// An unchanged block is written back byte for byte: `sources` maps each unchanged node to its Markdown. The syntax is
// that of `src/content/markdown/`.

import type * as Mdast from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import {
  type Attrs,
  Fragment,
  type Mark,
  Node,
  type NodeType,
  type Schema,
} from 'prosemirror-model'
import { BUTTON_TITLE, joinTextNodes, trimBlank } from './markdown-syntax'
import { pictureOf } from './schema'
import { written } from './write-markdown'

/** Separates adjacent marks; written as a character reference and removed from the text when parsed. */
const JOINT = /\u200b/g

export type Text = {
  readonly doc: Node
  /** Markdown source of each top-level block that can be written back unchanged. */
  readonly sources: ReadonlyMap<Node, string>
  readonly markdown: string
}

type Inlines = readonly Mdast.PhrasingContent[]
type Piece = Node | { readonly picture: Node }

class Reader {
  readonly schema: Schema
  readonly definitions = new Map<string, Mdast.Definition>()
  readonly shift: number

  constructor(schema: Schema, root: Mdast.Root) {
    this.schema = schema
    let starts = 6
    visit(root, (node) => {
      if (node.type === 'heading') starts = Math.min(starts, node.depth)
      if (node.type === 'definition' && !this.definitions.has(node.identifier)) {
        this.definitions.set(node.identifier, node)
      }
    })
    this.shift = starts === 1 ? 1 : 0
  }

  blocks(nodes: readonly Mdast.Nodes[]): Node[] {
    return nodes.flatMap((node) => this.block(node))
  }

  block(node: Mdast.Nodes): Node[] {
    const { nodes } = this.schema
    switch (node.type) {
      case 'paragraph':
        return this.paragraph(node.children)
      case 'heading': {
        const content = this.words(node.children)
        const level = node.depth + this.shift
        return [nodes.heading?.create({ level }, content) ?? this.plain(content)]
      }
      case 'blockquote':
        return this.wrapped(nodes.blockquote, this.blocks(node.children))
      case 'list': {
        const items = node.children.map((item) => this.filled(this.blocks(item.children)))
        const spread = isSpread(node)
        const { bullet_list, ordered_list, list_item } = nodes
        const type = node.ordered === true ? ordered_list : bullet_list
        if (type === undefined || list_item === undefined) return items.flat()
        const order = node.ordered === true ? { order: node.start ?? 1 } : {}
        return [
          type.create(
            { ...order, spread },
            items.map((item) => list_item.create(null, item)),
          ),
        ]
      }
      case 'code':
        if (nodes.code_block === undefined) return [this.plain(this.text(flat(node.value)))]
        return [this.node('code_block', { language: node.lang ?? '' }, this.text(node.value))]
      case 'thematicBreak':
        return nodes.divider === undefined ? [] : [nodes.divider.create()]
      case 'html':
        return [this.plain(this.text(flat(node.value)))]
      default:
        return []
    }
  }

  /** Pictures are blocks: they split the paragraph around them, and several in a row form a gallery. */
  paragraph(children: Inlines): Node[] {
    const button = this.button(children)
    if (button !== null) return [button]
    const blocks: Node[] = []
    let words: Node[] = []
    let pictures: Node[] = []
    const end = (): void => {
      const content = trimBlank(words, this.schema)
      if (content.length > 0) {
        this.show(pictures, blocks)
        pictures = []
        const lonely = this.lonelyButton(content)
        blocks.push(lonely ?? this.plain(content))
      }
      words = []
    }
    for (const child of children) {
      const pieces = this.inline(child, [])
      words.push(...pieces.filter((piece): piece is Node => piece instanceof Node))
      const found = pieces.flatMap((piece) => (piece instanceof Node ? [] : [piece.picture]))
      if (found.length > 0) {
        end()
        pictures.push(...found)
      }
    }
    end()
    this.show(pictures, blocks)
    return blocks
  }

  show(pictures: readonly Node[], blocks: Node[]): void {
    const { gallery } = this.schema.nodes
    if (pictures.length > 1 && gallery !== undefined) blocks.push(gallery.create(null, pictures))
    else blocks.push(...pictures)
  }

  button(children: Inlines): Node | null {
    const type = this.schema.nodes.button
    const [link] = children
    if (type === undefined || children.length !== 1 || link === undefined) return null
    const target = link.type === 'linkReference' ? this.definitions.get(link.identifier) : link
    if (target?.type !== 'link' && target?.type !== 'definition') return null
    if (target.title !== BUTTON_TITLE || !('children' in link)) return null
    const pieces = link.children.flatMap((child) => this.inline(child, []))
    if (pieces.some((piece) => !(piece instanceof Node))) return null
    const words = wordsOf(pieces.filter((piece) => piece instanceof Node))
    return words === '' ? null : type.create({ words, address: target.url })
  }

  /** Returns the button of a paragraph that also contains pictures. */
  lonelyButton(content: readonly Node[]): Node | null {
    const type = this.schema.nodes.button
    const marks = content.map((node) => node.marks.find((mark) => mark.type.name === 'link'))
    const [first] = marks
    if (type === undefined || first?.attrs.title !== BUTTON_TITLE) return null
    if (!marks.every((mark) => mark?.eq(first))) return null
    return type.create({ words: wordsOf(content), address: first.attrs.href })
  }

  inline(node: Mdast.PhrasingContent, marks: readonly Mark[]): Piece[] {
    const { schema } = this
    const inner = (children: Inlines, mark: Mark | undefined) =>
      children.flatMap((child) => this.inline(child, mark ? mark.addToSet(marks) : marks))
    switch (node.type) {
      case 'text':
        return this.text(flat(node.value), marks)
      case 'html':
        return this.text(flat(node.value), marks)
      case 'inlineCode':
        // The parser keeps line endings in code, and a heading with one would be written as a setext heading.
        return this.text(
          node.value.replace(/\r\n?|\n/g, ' '),
          schema.marks.code?.create().addToSet(marks) ?? marks,
        )
      case 'break':
        return [schema.node('hard_break', null, undefined, marks)]
      case 'emphasis':
        return inner(node.children, schema.mark('em'))
      case 'strong':
        return inner(node.children, schema.mark('strong'))
      case 'delete':
        return inner(node.children, schema.marks.strike?.create())
      case 'link':
        return inner(node.children, this.link(node.url, node.title))
      case 'linkReference': {
        const target = this.definitions.get(node.identifier)
        return inner(node.children, target && this.link(target.url, target.title))
      }
      case 'image':
        return this.picture(node.url, node.alt, node.title, marks)
      case 'imageReference': {
        const target = this.definitions.get(node.identifier)
        return this.picture(target?.url ?? '', node.alt, target?.title, marks)
      }
      default:
        return []
    }
  }

  link(href: string, title: string | null | undefined): Mark {
    return this.schema.mark('link', { href, title: title ?? '' })
  }

  /** A picture of another site is not shown; its alternative text remains. */
  picture(
    url: string,
    alt: string | null | undefined,
    title: string | null | undefined,
    marks: readonly Mark[],
  ): Piece[] {
    const attributes = pictureOf(url, alt ?? '', title ?? '')
    const { picture } = this.schema.nodes
    if (attributes === false || picture === undefined) return this.text(alt ?? '', marks)
    return [{ picture: picture.create(attributes) }]
  }

  /** Returns the content of a heading: text on one line. */
  words(children: Inlines): Node[] {
    const pieces = children.flatMap((child) => this.inline(child, []))
    const nodes = pieces.flatMap((piece) => {
      if (!(piece instanceof Node)) return this.text(String(piece.picture.attrs.alt))
      return piece.isText ? [piece] : this.text(' ', piece.marks)
    })
    return trimBlank(nodes, this.schema)
  }

  text(value: string, marks: readonly Mark[] = []): Node[] {
    const clean = value.replace(JOINT, '')
    return clean === '' ? [] : [this.schema.text(clean, marks)]
  }

  plain(content: readonly Node[]): Node {
    return this.node('paragraph', null, content)
  }

  node(name: string, attrs: Attrs | null, content: readonly Node[]): Node {
    return this.schema.node(name, attrs, Fragment.fromArray(joinTextNodes(content)))
  }

  wrapped(type: NodeType | undefined, content: Node[]): Node[] {
    return type === undefined ? content : [type.create(null, this.filled(content))]
  }

  filled(content: Node[]): Node[] {
    return content.length === 0 ? [this.plain([])] : content
  }
}

export function parse(markdown: string, schema: Schema): Text {
  const strikes = schema.marks.strike !== undefined
  const root = fromMarkdown(markdown, {
    extensions: strikes ? [gfmStrikethrough()] : [],
    mdastExtensions: strikes ? [gfmStrikethroughFromMarkdown()] : [],
  })
  const reader = new Reader(schema, root)
  const sources = new Map<Node, string>()
  const content = root.children.flatMap((block) => {
    const nodes = reader.block(block)
    const [only] = nodes
    // Link definitions are inlined where they are used; code and HTML may extend to the end of the text.
    const stands = reader.definitions.size === 0 && block.type !== 'code' && block.type !== 'html'
    if (stands && nodes.length === 1 && only) sources.set(only, sourceOf(markdown, block))
    return nodes
  })
  const doc = schema.node('doc', { shift: reader.shift }, reader.filled(content))
  return { doc, sources, markdown }
}

/** Returns the Markdown of a document: the original text if nothing changed. */
export function serialise(doc: Node, origin: Text | null = null): string {
  if (origin?.doc.eq(doc) === true) return origin.markdown
  return written(doc, origin?.sources ?? null)
}

/** Whether blank lines separate the items or their blocks. The parser's `spread` counts the end of a quote as one. */
function isSpread({ children }: Mdast.List): boolean {
  return hasGaps(children) || children.some((item) => hasGaps(item.children))
}

function hasGaps(nodes: readonly Mdast.Nodes[]): boolean {
  return nodes.some((node, place) => {
    const next = nodes[place + 1]?.position?.start.line ?? 0
    return next > (node.position?.end.line ?? 0) + 1
  })
}

/** Includes the indentation of the first line: without it the further lines would be indented deeper. */
function sourceOf(markdown: string, block: Mdast.Nodes): string {
  const start = block.position?.start.offset ?? 0
  const line = markdown.lastIndexOf('\n', start - 1) + 1
  return markdown.slice(line, block.position?.end.offset)
}

/** A soft line break in the source renders as a space. */
function flat(text: string): string {
  return text.replace(/\s*\n\s*/g, ' ')
}

function wordsOf(nodes: readonly Node[]): string {
  return nodes
    .map((node) => node.text ?? ' ')
    .join('')
    .trim()
}

function visit(node: Mdast.Nodes, see: (node: Mdast.Nodes) => void): void {
  see(node)
  if ('children' in node) for (const child of node.children) visit(child, see)
}
