// The editor of an article or a newsletter: history, pictures, buttons and placeholder on top of the shared text editor.

import { dropCursor } from 'prosemirror-dropcursor'
import { gapCursor } from 'prosemirror-gapcursor'
import { history } from 'prosemirror-history'
import {
  type EditorState,
  NodeSelection,
  Plugin,
  TextSelection,
  type Transaction,
} from 'prosemirror-state'
import { Decoration, DecorationSet, type EditorView } from 'prosemirror-view'
import { linkAtCaret } from './addresses'
import { blockView } from './block-view'
import { ButtonBlock } from './button-block'
import { filesOf, insertFiles, uploadsPlugin } from './image-uploads'
import type { Text } from './markdown'
import { PictureBlock } from './picture-block'
import styles from './rich-text.module.css'
import { createTextEditor, textState } from './text-editor'

type StateParts = {
  readonly text: Text
  readonly placeholder: string
  readonly onFormattedPaste: () => void
}

export type Parts = StateParts & {
  readonly host: HTMLElement
  readonly attributes: () => Record<string, string>
  /** Handles keys of an open menu and of the form before the editor does. */
  readonly onKey: (view: EditorView, event: KeyboardEvent) => boolean
  /** Called on Ctrl+Enter, before the event reaches the page. */
  readonly onSend: () => void
  readonly onChange: (view: EditorView, transaction: Transaction) => void
}

export function stateOf({ text, placeholder, onFormattedPaste }: StateParts): EditorState {
  return textState({
    doc: text.doc,
    onFormattedPaste,
    plugins: [
      history(),
      dropCursor({ class: styles.drop ?? '', width: 2 }),
      gapCursor(),
      uploadsPlugin(styles.uploading ?? ''),
      blocks,
      placeholderPlugin(placeholder),
    ],
  })
}

export function createView(parts: Parts): EditorView {
  return createTextEditor({
    place: parts.host,
    state: stateOf(parts),
    attributes: parts.attributes,
    nodeViews: { picture: blockView(PictureBlock), button: blockView(ButtonBlock) },
    dispatch: (view, transaction) => {
      view.updateState(view.state.apply(transaction))
      parts.onChange(view, transaction)
    },
    onKey: parts.onKey,
    domEvents: { keydown: (view, event) => leaveToPage(view, event, parts.onSend) },
  })
}

/** Files that become pictures, text typed on a selected picture, galleries without a picture. */
const blocks = new Plugin({
  props: {
    handleTextInput: (view, _from, _to, text) => writeAfter(view, text),
    handlePaste: (view, event) => {
      const files = filesOf(event.clipboardData)
      if (files.length > 0) void insertFiles(view, files, view.state.selection.from, false)
      return files.length > 0
    },
    handleDrop: (view, event) => {
      const files = filesOf(event.dataTransfer)
      if (files.length === 0) return false
      const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
      void insertFiles(view, files, at?.pos ?? view.state.doc.content.size, false)
      return true
    },
  },
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
