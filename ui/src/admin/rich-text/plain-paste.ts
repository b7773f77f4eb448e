// Pastes into texts without formatting: words alone, and paragraphs where the text has some.

import { Fragment, type Node, type Schema, Slice } from 'prosemirror-model'
import { TextSelection } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { sanitizeText } from '../../lib/sanitize-text'
import { parseClipboard, separateCells } from './parse-clipboard'
import { CHIP_ATTRIBUTE } from './schema'

/** `at` is the position of a drop; a paste replaces the selection. Returns false for what the editor pastes itself. */
export function pastePlainText(view: EditorView, data: DataTransfer | null, at?: number): boolean {
  // Chips are copied within the text that has them.
  if (data?.getData('text/html').includes(CHIP_ATTRIBUTE) === true) return false
  const slice = plainSliceOf(data, view.state.schema)
  // A picture has no words: with nothing in their place the selected words went.
  if (slice === null) return true
  const { tr } = view.state
  if (at === undefined) tr.replaceSelection(slice)
  else {
    tr.replaceRange(at, at, slice)
    tr.setSelection(TextSelection.near(tr.doc.resolve(tr.mapping.map(at)), -1))
  }
  view.dispatch(tr.setMeta('paste', true).scrollIntoView())
  view.focus()
  return true
}

function plainSliceOf(data: DataTransfer | null, schema: Schema): Slice | null {
  const { paragraph } = schema.nodes
  const paragraphs = paragraph === undefined ? [] : parseClipboard(data)
  if (paragraph !== undefined && paragraphs.length > 1) {
    const nodes = paragraphs.map((text) => paragraph.create(null, inline(text, schema)))
    return new Slice(Fragment.from(nodes), 1, 1)
  }
  const text = (data?.getData('text/plain') ?? '').replace(/^[\r\n]+|[\r\n]+$/g, '')
  const [only] = inline(text, schema)
  return only === undefined ? null : new Slice(Fragment.from(only), 0, 0)
}

function inline(text: string, schema: Schema): readonly Node[] {
  const line = sanitizeText(separateCells(text), true)
  return line === '' ? [] : [schema.text(line)]
}
