// Converts between the value of a text field, with its chips, and the document of its editor.
import morphdom from 'morphdom'
import { DOMSerializer, Fragment, type Node, type Schema } from 'prosemirror-model'
import { visibleText } from '../../../../lib/invisible-characters'
import { sanitizeText } from '../../../../lib/sanitize-text'
import { parse, serialise, type Text } from '../../../rich-text/markdown'
import { CHIP_ATTRIBUTE, pageSchema, type TextKind } from '../../../rich-text/schema'
import type { FieldValue } from '../api/content-api'
import {
  type ChipContext,
  equalsTypeset,
  type Part,
  paragraphsOf,
  partsOfText,
  restoreTypography,
  settingsIn,
  shownPart,
  textOf,
} from '../model/rich-value'

const MISSING = 'data-words-missing'

export type FieldCodec = {
  readonly kind: TextKind
  readonly schema: Schema
  /** With the element that the server rendered, the document keeps its typography, and no line breaks elsewhere. */
  readonly read: (value: FieldValue, rendered?: Element) => Node
  readonly write: (doc: Node) => FieldValue
  /** Renders the value into an element that has no editor. */
  readonly render: (value: FieldValue, element: Element) => void
  /** Renders what chips show anew; returns false if nothing else is shown than before. */
  readonly showChips: (known: ChipContext, root: Element) => boolean
}

export function fieldCodec(kind: TextKind, context: ChipContext): FieldCodec {
  let known = context
  /** Chips that were never in this text are words: what is pasted names no setting. */
  const chips: string[] = []
  const schema = pageSchema(kind, {
    group: 'inline',
    inline: true,
    atom: true,
    selectable: false,
    attrs: { part: {} },
    leafText: ({ attrs }) => chipOf(String(attrs.part), known)[2],
    parseDOM: [
      {
        tag: `span[${CHIP_ATTRIBUTE}]`,
        getAttrs: (element) => {
          const part = element.getAttribute(CHIP_ATTRIBUTE) ?? ''
          return chips.includes(part) ? { part } : false
        },
      },
    ],
    toDOM: ({ attrs }) => chipOf(String(attrs.part), known),
  })
  const formats = { schema, chips }
  const { read, write } =
    kind === 'rich' ? richFormat(formats) : plainFormat(formats, kind === 'line', () => known)
  const render: FieldCodec['render'] = (value, element) => {
    const doc = read(value)
    if (kind !== 'rich' && isRendered(doc, element)) return
    const fresh = element.cloneNode(false) as Element
    const { ownerDocument: document } = element
    fresh.append(DOMSerializer.fromSchema(schema).serializeFragment(doc.content, { document }))
    // In place: a new text node makes the browser compute the styles of `:empty` and `:has()` around it again.
    morphdom(element, fresh, { childrenOnly: true })
  }
  const showChips: FieldCodec['showChips'] = (next, root) => {
    const isSame = next === known
    known = next
    if (isSame) return false
    for (const chip of root.querySelectorAll(`[${CHIP_ATTRIBUTE}]`)) {
      const [, attributes, text] = chipOf(chip.getAttribute(CHIP_ATTRIBUTE) ?? '', known)
      chip.toggleAttribute(MISSING, MISSING in attributes)
      chip.textContent = text
    }
    return true
  }
  return { kind, schema, read, write, render, showChips }
}

type Formats = { readonly schema: Schema; readonly chips: string[] }

/** Words as they are, with a blank line between paragraphs. */
function plainFormat({ schema, chips }: Formats, isLine: boolean, known: () => ChipContext) {
  let last: { readonly doc: Node; readonly value: FieldValue } | null = null
  const inline = (part: Part): readonly Node[] => {
    if (typeof part !== 'string') {
      const kept = JSON.stringify(part)
      if (!chips.includes(kept)) chips.push(kept)
      return [schema.node('chip', { part: kept })]
    }
    const line = part.replace(/\s*\n\s*/g, ' ')
    return line === '' ? [] : [schema.text(line)]
  }
  const read = (value: FieldValue, rendered?: Element) => {
    const paragraphs = isLine ? [value] : (paragraphsOf(value) ?? [''])
    const shown = isLine ? [rendered] : [...(rendered?.children ?? [])]
    const isWhole = shown.length === paragraphs.length
    const content = paragraphs.map((one, index) => {
      const element = isWhole ? shown[index] : undefined
      return typesetParts(one, element?.textContent ?? null, known()).flatMap(inline)
    })
    const doc = isLine
      ? schema.node('doc', null, content.flat())
      : schema.node(
          'doc',
          null,
          content.map((nodes) => schema.node('paragraph', null, nodes)),
        )
    last = { doc, value }
    return doc
  }
  const write = (doc: Node): FieldValue => {
    if (last?.doc.eq(doc)) return last.value
    const blocks: Node[] = []
    if (isLine) blocks.push(doc)
    else blocks.push(...doc.children)
    const parts = blocks.flatMap((block, index) => [
      ...(index === 0 ? [] : ['\n\n']),
      ...partsIn(block),
    ])
    const value = restoreTypography(trimEnds(textOf(parts)), last?.value)
    last = { doc, value }
    return value
  }
  return { read, write }
}

/** The texts of a value as the server typeset them, which replaces characters one for one. */
function typesetParts(
  value: FieldValue,
  shown: string | null,
  known: ChipContext,
): readonly Part[] {
  const parts = partsOfText(value) ?? []
  const texts = parts.map((part) => shownPart(part, known))
  if (shown === null || !equalsTypeset(shown, texts.join(''))) return parts
  let at = 0
  return parts.map((part, index) => {
    const from = at
    at += texts[index]?.length ?? 0
    return typeof part === 'string' ? shown.slice(from, at) : part
  })
}

function partsIn(block: Node): readonly Part[] {
  const parts: Part[] = []
  block.forEach((node) => {
    if (node.isText) parts.push(visibleText(sanitizeText(node.text ?? '', true)))
    else parts.push(JSON.parse(String(node.attrs.part)) as Part)
  })
  return parts
}

/** A blank that stood between two sentences belongs to neither paragraph; the editor keeps it for their joining. */
function trimEnds(value: FieldValue): FieldValue {
  const trimmed = (part: Part) =>
    typeof part === 'string' ? part.replace(/[^\S\n]*\n\n[^\S\n]*/g, '\n\n') : part
  return textOf((partsOfText(value) ?? []).map(trimmed))
}

function isRendered(doc: Node, element: Element): boolean {
  const isLine = doc.inlineContent
  const blocks = isLine ? [doc] : doc.children
  const elements = isLine ? [element] : [...element.children]
  const chips = blocks.flatMap((block) => block.children.filter(({ isText }) => !isText))
  return (
    blocks.length === elements.length &&
    element.querySelectorAll(`[${CHIP_ATTRIBUTE}]`).length === chips.length &&
    blocks.every((block, index) => {
      const text = block.textBetween(0, block.content.size, '')
      return equalsTypeset(elements[index]?.textContent ?? '', text)
    })
  )
}

/** While Markdown is read and written a chip is one of these: no keyboard has them. */
const FIRST_SIGN = 0xf0000
const SIGNS = /[\u{f0000}-\u{f0fff}]/gu
const AT_SIGNS = /([\u{f0000}-\u{f0fff}])/u

/** Markdown. An unchanged paragraph is written as it was read. */
function richFormat({ schema, chips }: Formats) {
  let origin: Text | null = null
  const signOf = (part: Part) => {
    const kept = JSON.stringify(part)
    if (!chips.includes(kept)) chips.push(kept)
    return String.fromCodePoint(FIRST_SIGN + chips.indexOf(kept))
  }
  const partOf = (sign: string) => chips[(sign.codePointAt(0) ?? 0) - FIRST_SIGN]

  const read = (value: FieldValue) => {
    const markdown = (partsOfText(value) ?? [])
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

  return { read, write }
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

/** What stands for nothing yet says what is missing: an empty chip would be a caret that sticks. */
function chipOf(kept: string, known: ChipContext) {
  const part = JSON.parse(kept) as Part
  const shown = shownPart(part, known)
  const names = settingsIn(part as FieldValue).map((name) => known.settingLabels[name] ?? name)
  const missing = shown === '' ? { [MISSING]: '' } : {}
  const attributes = { [CHIP_ATTRIBUTE]: kept, contenteditable: 'false', ...missing }
  return ['span', attributes, shown === '' ? `[${names.join(', ')}]` : shown] as const
}
