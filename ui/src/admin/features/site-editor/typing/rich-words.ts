// Rich text with chips in it, between the words of a block and the document that is typed in.
import { Fragment, type Node, Schema } from 'prosemirror-model'
import { parse, serialise, type Text } from '../../../rich-text/markdown'
import { schemaWith } from '../../../rich-text/schema'
import type { FieldValue } from '../api/content-api'
import {
  CHIP,
  type ChipContext,
  type Part,
  partsOfText,
  settingsIn,
  shownPart,
  textOf,
} from '../model/rich-value'

/** While Markdown is read and written a chip is one of these: no keyboard has them. */
const FIRST_SIGN = 0xf0000
const SIGNS = /[\u{f0000}-\u{f0fff}]/gu
const AT_SIGNS = /([\u{f0000}-\u{f0fff}])/u

const MISSING = 'data-words-missing'

const { spec } = schemaWith(['lists'])
/** What a page does not draw is not to be had either: it would look so here alone. */
const marks = spec.marks.subtract({ strike: {}, code: {} })
const nodes = spec.nodes.remove('code_block')

export type ChipText = {
  readonly schema: Schema
  read: (word: FieldValue) => Node
  write: (doc: Node) => FieldValue
}

/** Chips that were never in this text are words: what is pasted names no setting. */
export function chipText(known: () => ChipContext): ChipText {
  const chips: string[] = []
  let origin: Text | null = null
  const schema = new Schema({
    marks,
    nodes: nodes.append({
      chip: {
        group: 'inline',
        inline: true,
        atom: true,
        selectable: false,
        attrs: { part: {} },
        parseDOM: [
          {
            tag: `span[${CHIP}]`,
            getAttrs: (element) => {
              const part = element.getAttribute(CHIP) ?? ''
              return chips.includes(part) ? { part } : false
            },
          },
        ],
        toDOM: ({ attrs }) => chipOf(String(attrs.part), known()),
      },
    }),
  })

  const signOf = (part: Part) => {
    const kept = JSON.stringify(part)
    if (!chips.includes(kept)) chips.push(kept)
    return String.fromCodePoint(FIRST_SIGN + chips.indexOf(kept))
  }
  const partOf = (sign: string) => chips[(sign.codePointAt(0) ?? 0) - FIRST_SIGN]

  const read = (word: FieldValue) => {
    const markdown = (partsOfText(word) ?? [])
      .map((part) => (typeof part === 'string' ? part.replace(SIGNS, '') : signOf(part)))
      .join('')
    origin = parse(markdown, schema)
    return mapped(origin.doc, ({ text = '', marks }) =>
      text.split(AT_SIGNS).flatMap((piece) => {
        const part = AT_SIGNS.test(piece) ? partOf(piece) : undefined
        if (part !== undefined) return schema.node('chip', { part }, undefined, marks)
        return piece === '' ? [] : schema.text(piece, marks)
      }),
    )
  }

  const write = (doc: Node) => {
    const signed = mapped(doc, (node) => {
      const chip = node.type.name === 'chip' ? String(node.attrs.part) : null
      const text =
        chip === null ? (node.text ?? '').replace(SIGNS, '') : signOf(JSON.parse(chip) as Part)
      return text === '' ? [] : [schema.text(text, node.marks)]
    })
    const parts = serialise(signed, origin)
      .split(AT_SIGNS)
      .map((piece): Part => {
        const part = AT_SIGNS.test(piece) ? partOf(piece) : undefined
        return part === undefined ? piece : (JSON.parse(part) as Part)
      })
    return textOf(parts)
  }

  return { schema, read, write }
}

/** The document with each text and chip made into something else. */
function mapped(node: Node, make: (leaf: Node) => Node | readonly Node[]): Node {
  const children: Node[] = []
  node.forEach((child) => {
    const isLeaf = child.isText || child.type.name === 'chip'
    children.push(...(isLeaf ? [make(child)].flat() : [mapped(child, make)]))
  })
  return node.copy(Fragment.fromArray(children))
}

/** What they stand for was read, or is another now: the text around them stays as it is. */
export function showChips(root: Element, known: ChipContext): void {
  for (const chip of root.querySelectorAll(`[${CHIP}]`)) {
    const [, attributes, text] = chipOf(chip.getAttribute(CHIP) ?? '', known)
    chip.toggleAttribute(MISSING, MISSING in attributes)
    chip.textContent = text
  }
}

/** What stands for nothing yet says what is missing: an empty chip would be a caret that sticks. */
function chipOf(kept: string, known: ChipContext) {
  const part = JSON.parse(kept) as Part
  const shown = shownPart(part, known)
  const names = settingsIn(part as FieldValue).map((name) => known.settingLabels[name] ?? name)
  const missing = shown === '' ? { [MISSING]: '' } : {}
  const attributes = { [CHIP]: kept, contenteditable: 'false', ...missing }
  return ['span', attributes, shown === '' ? `[${names.join(', ')}]` : shown] as const
}
