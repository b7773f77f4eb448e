// ProseMirror schemas of the panel's texts: a line, paragraphs, and rich text, of which smaller texts (a content block)
// omit features.

import { type MarkSpec, type NodeSpec, Schema } from 'prosemirror-model'

export type Feature = 'headings' | 'lists' | 'quotes' | 'pictures' | 'buttons' | 'dividers'

export const ALL_FEATURES: readonly Feature[] = [
  'headings',
  'lists',
  'quotes',
  'pictures',
  'buttons',
  'dividers',
]

export const UPLOADS = '/objects/uploads/'

export type PictureAttributes = {
  id: string
  alt: string
  caption: string
  /** Focal point, which is never cropped, in percent. */
  x: number
  y: number
}

const paragraph: NodeSpec = {
  content: 'inline*',
  group: 'block',
  parseDOM: [{ tag: 'p' }],
  toDOM: () => ['p', 0],
}
const text: NodeSpec = { group: 'inline' }

const base = {
  // Offset between the heading level shown and the one in Markdown: old texts start at level 1.
  doc: { content: 'block+', attrs: { shift: { default: 0 } } },
  paragraph,
  text,
  hard_break: {
    inline: true,
    group: 'inline',
    selectable: false,
    parseDOM: [{ tag: 'br' }],
    toDOM: () => ['br'],
  },
  code_block: {
    content: 'text*',
    marks: '',
    group: 'block',
    code: true,
    defining: true,
    attrs: { language: { default: '' } },
    parseDOM: [{ tag: 'pre', preserveWhitespace: 'full' }],
    toDOM: () => ['pre', ['code', 0]],
  },
} satisfies Record<string, NodeSpec>

const featured: Record<Feature, Record<string, NodeSpec>> = {
  headings: {
    heading: {
      content: 'text*',
      group: 'block',
      defining: true,
      attrs: { level: { default: 2 } },
      parseDOM: [1, 2, 3, 4, 5, 6].map((level) => ({
        tag: `h${level}`,
        // Level 1 is the title of the page.
        attrs: { level: Math.max(2, level) },
      })),
      toDOM: (node) => [`h${Math.min(6, Number(node.attrs.level))}`, 0],
    },
  },
  lists: {
    bullet_list: {
      content: 'list_item+',
      group: 'block',
      attrs: { spread: { default: false } },
      parseDOM: [{ tag: 'ul' }],
      toDOM: () => ['ul', 0],
    },
    ordered_list: {
      content: 'list_item+',
      group: 'block',
      attrs: { order: { default: 1 }, spread: { default: false } },
      parseDOM: [{ tag: 'ol', getAttrs: (dom) => ({ order: startOf(dom) }) }],
      toDOM: (node) =>
        node.attrs.order === 1 ? ['ol', 0] : ['ol', { start: String(node.attrs.order) }, 0],
    },
    list_item: {
      content: 'block+',
      defining: true,
      parseDOM: [{ tag: 'li' }],
      toDOM: () => ['li', 0],
    },
  },
  quotes: {
    blockquote: {
      content: 'block+',
      group: 'block',
      defining: true,
      parseDOM: [{ tag: 'blockquote' }],
      toDOM: () => ['blockquote', 0],
    },
  },
  pictures: {
    picture: {
      group: 'block',
      atom: true,
      draggable: true,
      attrs: {
        id: { default: '' },
        alt: { default: '' },
        caption: { default: '' },
        x: { default: 50 },
        y: { default: 50 },
      },
      parseDOM: [
        {
          tag: 'img[src]',
          getAttrs: (dom) =>
            pictureOf(dom.getAttribute('src') ?? '', dom.getAttribute('alt') ?? ''),
        },
      ],
      toDOM: ({ attrs }) => [
        'figure',
        ['img', { src: UPLOADS + attrs.id, alt: attrs.alt }],
        ['figcaption', attrs.caption],
      ],
    },
    gallery: {
      // With `picture+`, deleting the last picture would create an empty one.
      content: 'picture*',
      group: 'block',
      isolating: true,
      parseDOM: [{ tag: 'div[data-gallery]' }],
      toDOM: () => ['div', { 'data-gallery': '' }, 0],
    },
  },
  buttons: {
    button: {
      group: 'block',
      atom: true,
      attrs: { words: { default: '' }, address: { default: '#messaggio' } },
      parseDOM: [
        {
          tag: 'a[data-button]',
          priority: 60,
          getAttrs: (dom) => ({ words: dom.textContent, address: dom.getAttribute('href') }),
        },
      ],
      toDOM: ({ attrs }) => ['a', { 'data-button': '', href: attrs.address }, String(attrs.words)],
    },
  },
  dividers: {
    divider: { group: 'block', parseDOM: [{ tag: 'hr' }], toDOM: () => ['hr'] },
  },
}

const marks: Record<string, MarkSpec> = {
  link: {
    attrs: { href: {}, title: { default: '' } },
    inclusive: false,
    parseDOM: [
      {
        tag: 'a[href]',
        getAttrs: (dom) => {
          const href = dom.getAttribute('href') ?? ''
          return isSafe(href) ? { href, title: dom.getAttribute('title') ?? '' } : false
        },
      },
    ],
    toDOM: ({ attrs }) => [
      'a',
      // A stored text may contain any URL: the page drops unsafe ones, and the editor renders them without `href`.
      {
        ...(isSafe(attrs.href) && { href: attrs.href }),
        ...(attrs.title && { title: attrs.title }),
      },
      0,
    ],
  },
  strong: {
    parseDOM: [{ tag: 'strong' }, { tag: 'b' }],
    toDOM: () => ['strong', 0],
  },
  em: {
    parseDOM: [{ tag: 'em' }, { tag: 'i' }],
    toDOM: () => ['em', 0],
  },
  strike: {
    parseDOM: [{ tag: 's' }, { tag: 'del' }],
    toDOM: () => ['s', 0],
  },
  code: { parseDOM: [{ tag: 'code' }], toDOM: () => ['code', 0] },
}

/** How a text is edited: words alone, words in paragraphs, or with marks, lists and links. */
export type TextKind = 'line' | 'paragraphs' | 'rich'

export function kindOf({ nodes, marks }: Schema): TextKind {
  if (marks.link !== undefined) return 'rich'
  return nodes.paragraph === undefined ? 'line' : 'paragraphs'
}

/** Attribute of an element that shows a setting, a price or a date inside a text. */
export const CHIP_ATTRIBUTE = 'data-words-chip'

/** Nodes and marks of a text on a page; `chip` is the node of a value that comes from elsewhere. */
export function pageSchema(kind: TextKind, chip: NodeSpec): Schema {
  if (kind === 'line') return new Schema({ nodes: { doc: { content: 'inline*' }, text, chip } })
  if (kind === 'paragraphs') {
    const doc = { content: 'paragraph+' }
    return new Schema({ nodes: { doc, paragraph, text, chip } })
  }
  const { code_block: _, ...nodes } = { ...base, ...featured.lists }
  const { strike: _strike, code: _code, ...shown } = marks
  // Without what a page does not render: only the editor would show it.
  return new Schema({ nodes: { ...nodes, chip }, marks: shown })
}

export function schemaWith(features: readonly Feature[]): Schema {
  const nodes = features.map((feature) => featured[feature])
  return new Schema({ nodes: Object.assign({}, base, ...nodes), marks })
}

/** Whether the site allows a link to this URL; the server decides in the end (`src/content/markdown/mod.rs`). */
export function isSafe(address: string): boolean {
  if (/^(https?:\/\/|mailto:|tel:)/i.test(address)) return true
  return address.startsWith('#') || /^\/(?![/\\])/.test(address)
}

/** Parses the URL of an uploaded picture; false for a picture of another site. */
export function pictureOf(source: string, alt: string, caption = ''): PictureAttributes | false {
  const found = /^\/objects\/uploads\/([a-z2-7]{26})(?:#(\d{1,3}),(\d{1,3}))?(?:#.*)?$/.exec(source)
  if (found === null) return false
  const [, id = '', x = '50', y = '50'] = found
  const inside = Number(x) <= 100 && Number(y) <= 100
  return { id, alt, caption, x: inside ? Number(x) : 50, y: inside ? Number(y) : 50 }
}

export function addressOf({ id, x, y }: PictureAttributes): string {
  return UPLOADS + id + (x === 50 && y === 50 ? '' : `#${x},${y}`)
}

function startOf(list: HTMLElement): number {
  const start = Number(list.getAttribute('start') ?? 1)
  return Number.isInteger(start) && start >= 0 && start < 1e9 ? start : 1
}
