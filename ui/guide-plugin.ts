// Turns docs/uso.md, the practitioner's guide, into the module `virtual:guide`, which the panel renders.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Nodes } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import type { Plugin } from 'vite'
import type { GuideNode, GuideSection } from './src/admin/features/guide/guide-node'

const ID = 'virtual:guide'
const FILE = resolve(import.meta.dirname, '../docs/uso.md')

export const guide: Plugin = {
  name: 'guide',
  // In the development server the pictures are outside the root.
  config: () => ({ server: { fs: { allow: ['.', dirname(FILE)] } } }),
  resolveId: (id) => (id === ID ? `\0${ID}` : null),
  load(id) {
    if (id !== `\0${ID}`) return null
    this.addWatchFile(FILE)
    return moduleOf(parseGuide(readFileSync(FILE, 'utf8')))
  },
}

/** A picture's path becomes the address of the built asset. */
function moduleOf(sections: readonly GuideSection[]): string {
  const imports: string[] = []
  const json = JSON.stringify(sections).replace(/"src":"([^"]+)"/g, (_, path: string) => {
    const file = JSON.stringify(resolve(dirname(FILE), path))
    imports.push(`import picture${imports.length} from ${file}`)
    return `"src":picture${imports.length - 1}`
  })
  return `${imports.join('\n')}\nexport default ${json}`
}

const TABLE = /(?:^\|.*\|\n?)+/gm

/** Returns the sections from the first second-level heading on; throws for Markdown that it does not know. */
export function parseGuide(markdown: string): readonly GuideSection[] {
  const tables: string[] = []
  const source = markdown.replace(TABLE, (rows) => `<table ${tables.push(rows) - 1}>\n`)
  const sections: { id: string; title: string; level: 2 | 3; nodes: GuideNode[] }[] = []
  for (const node of fromMarkdown(source).children) {
    if (node.type === 'heading' && (node.depth === 2 || node.depth === 3)) {
      const title = textOf(node)
      sections.push({ id: idOf(title), title, level: node.depth, nodes: [] })
    } else sections.at(-1)?.nodes.push(...nodesOf(node, tables))
  }
  return sections
}

/** The id that GitHub gives to a heading: `Account e secondo passaggio` has `account-e-secondo-passaggio`. */
function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}

function textOf(node: Nodes): string {
  if ('children' in node) return node.children.map(textOf).join('')
  return 'value' in node ? node.value : ''
}

const TAGS: Readonly<Record<string, string>> = {
  listItem: 'li',
  strong: 'strong',
  emphasis: 'em',
}

function nodesOf(node: Nodes, tables: readonly string[]): readonly GuideNode[] {
  const children = () =>
    'children' in node ? node.children.flatMap((one) => nodesOf(one, tables)) : []
  switch (node.type) {
    case 'text':
      return [node.value.replaceAll('\n', ' ')]
    case 'inlineCode':
      return [{ tag: 'code', children: [node.value] }]
    case 'image':
      return [{ tag: 'img', src: node.url, alt: node.alt ?? '' }]
    case 'html':
      return [htmlNode(node.value, tables)]
    case 'list':
      return [{ tag: node.ordered ? 'ol' : 'ul', children: children() }]
    // The pages for hosts are not in the panel.
    case 'link':
      return /^https?:/.test(node.url)
        ? [{ tag: 'a', href: node.url, children: children() }]
        : children()
    case 'paragraph':
      // A picture stands by itself; the text of an entry of a list stands in the entry.
      if (node.children.every(({ type }) => type === 'image')) return children()
      return [{ tag: 'p', children: children() }]
    default: {
      const tag = TAGS[node.type]
      if (tag === undefined) throw new Error(`docs/uso.md has a ${node.type}`)
      return [{ tag, children: children().flatMap(unwrapped) }]
    }
  }
}

function unwrapped(node: GuideNode): readonly GuideNode[] {
  return typeof node !== 'string' && node.tag === 'p' ? (node.children ?? []) : [node]
}

function htmlNode(html: string, tables: readonly string[]): GuideNode {
  const table = /^<table (\d+)>/.exec(html)?.[1]
  if (table !== undefined) return tableOf(tables[Number(table)] ?? '')
  const src = /^<img src="([^"]+)"/.exec(html)?.[1]
  if (src === undefined) throw new Error(`docs/uso.md has ${html}`)
  return { tag: 'img', src, alt: /alt="([^"]*)"/.exec(html)?.[1] ?? '' }
}

function tableOf(text: string): GuideNode {
  const lines = text.trimEnd().split('\n')
  const rows = lines.filter((_, index) => index !== 1).map(cellsOf)
  const row = (tag: string, cells: readonly string[]): GuideNode => ({
    tag: 'tr',
    children: cells.map((cell) => ({ tag, children: inline(cell) })),
  })
  const [head = [], ...body] = rows
  return {
    tag: 'table',
    children: [
      { tag: 'thead', children: [row('th', head)] },
      { tag: 'tbody', children: body.map((cells) => row('td', cells)) },
    ],
  }
}

function cellsOf(line: string): readonly string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map((cell) => cell.trim())
}

function inline(markdown: string): readonly GuideNode[] {
  return fromMarkdown(markdown)
    .children.flatMap((node) => nodesOf(node, []))
    .flatMap(unwrapped)
}
