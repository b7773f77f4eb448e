// Creates the ProseMirror view: document, plugins, keys, input rules and paste handling.

import { baseKeymap } from 'prosemirror-commands'
import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import { keymap } from 'prosemirror-keymap'
import type { Schema } from 'prosemirror-model'
import {
  EditorState,
  NodeSelection,
  Plugin,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { Decoration, DecorationSet, EditorView } from 'prosemirror-view'
import { linkAddresses, linkAtCaret, linkTyped, pasteLink } from './addresses'
import { blockView } from './block-view'
import { ButtonBlock } from './button-block'
import { keys } from './commands'
import { flushSelection } from './flush-selection'
import { filesOf, insertFiles, uploadsPlugin } from './image-uploads'
import { markdownRules } from './input-rules'
import type { Text } from './markdown'
import { cleanHtml, plainSlice } from './paste'
import { PictureBlock } from './picture-block'
import styles from './rich-text.module.css'

export type Parts = {
  readonly host: HTMLElement
  readonly schema: Schema
  readonly text: Text
  readonly attributes: () => Record<string, string>
  readonly placeholder: string
  /** Handles keys of an open menu and of the form before the editor does. */
  readonly onKey: (view: EditorView, event: KeyboardEvent) => boolean
  /** Called on Ctrl+Enter, before the event reaches the page. */
  readonly onSend: () => void
  readonly onChange: (view: EditorView, transaction: Transaction) => void
  readonly onPasted: (html: boolean) => void
}

export function stateOf(parts: Pick<Parts, 'schema' | 'placeholder' | 'text'>): EditorState {
  const { schema, placeholder, text } = parts
  return EditorState.create({
    doc: text.doc,
    plugins: [
      flushSelection,
      markdownRules(schema),
      linkTyped(),
      keymap(keys(schema)),
      keymap(baseKeymap),
      history(),
      dropCursor({ class: styles.drop ?? '', width: 2 }),
      gapCursor(),
      uploadsPlugin(styles.uploading ?? ''),
      placeholderPlugin(placeholder),
      emptyGalleries,
    ],
  })
}

export function createView(parts: Parts): EditorView {
  const { host, schema } = parts
  const view: EditorView = new EditorView(host, {
    state: stateOf(parts),
    attributes: parts.attributes,
    nodeViews: { picture: blockView(PictureBlock), button: blockView(ButtonBlock) },
    dispatchTransaction: (transaction) => {
      view.updateState(view.state.apply(transaction))
      parts.onChange(view, transaction)
    },
    handleKeyDown: (own, event) => parts.onKey(own, event),
    handleDOMEvents: { keydown: (own, event) => leaveToPage(own, event, parts.onSend) },
    handleTextInput: (own, _from, _to, text) => writeAfter(own, text),
    transformPastedHTML: cleanHtml,
    clipboardTextParser: (text) => plainSlice(text, schema),
    transformPasted: (slice) => linkAddresses(slice, schema),
    handlePaste: (own, event) => {
      const files = filesOf(event.clipboardData)
      if (files.length === 0 && pasteLink(own, event.clipboardData)) return true
      if (files.length === 0) {
        parts.onPasted(event.clipboardData?.types.includes('text/html') === true)
        return false
      }
      void insertFiles(own, files, own.state.selection.from, false)
      return true
    },
    handleDrop: (own, event) => {
      const files = filesOf(event.dataTransfer)
      if (files.length === 0) return false
      const at = own.posAtCoords({ left: event.clientX, top: event.clientY })
      void insertFiles(own, files, at?.pos ?? own.state.doc.content.size, false)
      return true
    },
  })
  return view
}

/**
 * Keeps Ctrl+Enter from the editor, which would prevent its default, and the page ignores prevented keys, so that
 * nothing was published from within a text. Prevents the default at the window, so that no line break is inserted.
 */
function leaveToPage(view: EditorView, event: KeyboardEvent, onSend: () => void): boolean {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return false
  linkAtCaret(view)
  onSend()
  const end = (late: Event) => {
    if (late === event) late.preventDefault()
  }
  window.addEventListener('keydown', end, { once: true })
  return true
}

/** Inserts text typed on a selected picture or button in a paragraph after it, instead of replacing the block. */
function writeAfter(view: EditorView, text: string): boolean {
  const { selection, schema, tr } = view.state
  const { paragraph } = schema.nodes
  if (!(selection instanceof NodeSelection) || paragraph === undefined) return false
  const { $to } = selection
  const after = $to.depth === 0 ? $to.pos : $to.after(1)
  tr.insert(after, paragraph.create(null, schema.text(text)))
  tr.setSelection(TextSelection.create(tr.doc, after + 1 + text.length))
  view.dispatch(tr.scrollIntoView())
  return true
}

/** Deletes a gallery whose last picture was deleted. */
const emptyGalleries = new Plugin({
  appendTransaction: (transactions, _, { doc, tr }) => {
    if (!transactions.some(({ docChanged }) => docChanged)) return null
    doc.forEach((node, offset) => {
      if (node.type.name !== 'gallery' || node.childCount > 0) return
      const from = tr.mapping.map(offset)
      tr.delete(from, from + node.nodeSize)
    })
    return tr.docChanged ? tr : null
  },
})

function placeholderPlugin(text: string): Plugin {
  return new Plugin({
    props: {
      decorations: ({ doc }) => {
        const { firstChild } = doc
        const bare = doc.childCount === 1 && firstChild?.type.name === 'paragraph'
        if (!bare || firstChild.content.size > 0) return null
        const node = Decoration.node(0, firstChild.nodeSize, {
          class: styles.empty ?? '',
          'data-placeholder': text,
        })
        return DecorationSet.create(doc, [node])
      },
    },
  })
}
