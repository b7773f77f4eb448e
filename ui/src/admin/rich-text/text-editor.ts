// Creates every ProseMirror view of the panel: articles and newsletters, texts on the edited page, texts in its form.

import { baseKeymap } from 'prosemirror-commands'
import { keymap } from 'prosemirror-keymap'
import type { Node, Schema } from 'prosemirror-model'
import { EditorState, Plugin, Selection, TextSelection } from 'prosemirror-state'
import { type EditorProps, EditorView } from 'prosemirror-view'
import { isImeKey } from '../../lib/ime-key'
import { linkAddresses, linkTyped, pasteLink } from './addresses'
import { keys } from './commands'
import { flushSelection } from './flush-selection'
import { markdownRules } from './input-rules'
import { cleanHtml, plainSlice } from './paste'
import { withDataStyles } from './pasted-structure'
import { keysOfLine, keysOfParagraphs } from './plain-keys'
import { pastePlainText } from './plain-paste'
import { kindOf } from './schema'

export type TextEditorOptions = {
  /** The element that becomes the editor, or the one that gets it as a child. */
  readonly place: HTMLElement | { readonly mount: HTMLElement }
  readonly state: EditorState
  /** Replaces the default, which applies the transaction. */
  readonly dispatch: (view: EditorView, transaction: Parameters<EditorView['dispatch']>[0]) => void
  /** Handles a key before the editor does. */
  readonly onKey: (view: EditorView, event: KeyboardEvent) => boolean
  readonly domEvents: NonNullable<EditorProps['handleDOMEvents']>
  readonly attributes?: () => Record<string, string>
  readonly nodeViews?: NonNullable<EditorProps['nodeViews']>
}

export type TextStateOptions = {
  readonly doc: Node
  readonly onFormattedPaste: () => void
  /** Plugins of this text alone; they come before those of all. */
  readonly plugins?: readonly Plugin[]
  readonly selection?: Selection
}

export function textState(options: TextStateOptions): EditorState {
  const { doc, onFormattedPaste, plugins = [], selection = Selection.atStart(doc) } = options
  const { schema } = doc.type
  const own = kindOf(schema) === 'rich' ? richPlugins(schema) : plainPlugins(schema)
  return EditorState.create({
    doc,
    selection,
    plugins: [
      flushSelection,
      pressedCaret(),
      ...plugins,
      ...own,
      keymap(baseKeymap),
      pastes(schema, onFormattedPaste),
    ],
  })
}

export function createTextEditor(options: TextEditorOptions): EditorView {
  const { place, state, dispatch, onKey, domEvents, nodeViews } = options
  const view: EditorView = new EditorView(place, {
    state,
    attributes: () => ({ lang: 'it', spellcheck: 'true', ...options.attributes?.() }),
    dispatchTransaction: (transaction) => dispatch(view, transaction),
    handleKeyDown: onKey,
    handleDOMEvents: {
      ...domEvents,
      keydown: (own, event) => endsComposition(event) || domEvents.keydown?.(own, event),
    },
    ...(nodeViews === undefined ? {} : { nodeViews }),
  })
  return view
}

/** Whether the key ended a composition: the editor would break the paragraph, too. Other keys of it are text. */
function endsComposition(event: KeyboardEvent): boolean {
  return isImeKey(event) && (event.key === 'Enter' || event.key === 'Escape')
}

function richPlugins(schema: Schema): readonly Plugin[] {
  return [markdownRules(schema), linkTyped(), keymap(keys(schema))]
}

function plainPlugins(schema: Schema): readonly Plugin[] {
  return [
    keymap(kindOf(schema) === 'line' ? keysOfLine : keysOfParagraphs),
    new Plugin({
      props: {
        handleDOMEvents: {
          // The browser's own bold, from a menu or a keyboard shortcut.
          beforeinput: (_, event) => {
            const isFormat = event.inputType.startsWith('format')
            if (isFormat) event.preventDefault()
            return isFormat
          },
        },
      },
    }),
  ]
}

/**
 * Reads where the press that focuses the text puts the caret. The editor restores its own selection 20 ms after the
 * focus, and Firefox may report a new one later than that: the caret jumped to the end of the text.
 */
function pressedCaret(): Plugin {
  let isPressed = false
  return new Plugin({
    props: {
      handleDOMEvents: {
        mousedown: () => {
          isPressed = true
          setTimeout(() => {
            isPressed = false
          })
        },
        focus: (view) => {
          const { anchorNode, anchorOffset = 0 } = view.dom.ownerDocument.getSelection() ?? {}
          if (!isPressed || !anchorNode || !view.dom.contains(anchorNode)) return
          const at = view.state.doc.resolve(view.posAtDOM(anchorNode, anchorOffset))
          view.dispatch(view.state.tr.setSelection(TextSelection.near(at)))
        },
      },
    },
  })
}

function pastes(schema: Schema, onFormattedPaste: () => void): Plugin {
  const isRich = kindOf(schema) === 'rich'
  const hasFormat = (data: DataTransfer | null) => data?.types.includes('text/html') === true
  return new Plugin({
    props: {
      handlePaste: (view, { clipboardData }) => {
        if (isRich && pasteLink(view, clipboardData)) return true
        const { doc } = view.state
        const isPasted = !isRich && pastePlainText(view, clipboardData)
        const isChanged = isRich || view.state.doc !== doc
        if (isChanged && hasFormat(clipboardData)) onFormattedPaste()
        return isPasted
      },
      handleDrop: (view, event, _, isMove) => {
        if (isRich || isMove) return false
        const at = view.posAtCoords({ left: event.clientX, top: event.clientY })
        return at !== null && pastePlainText(view, event.dataTransfer, at.pos)
      },
      ...(isRich
        ? {
            transformPastedHTML: cleanHtml,
            clipboardTextParser: (text) => plainSlice(text, schema),
            transformPasted: (slice) => linkAddresses(slice, schema),
          }
        : // ProseMirror parses the HTML before `handlePaste`, and the policy reports each style attribute.
          { transformPastedHTML: withDataStyles }),
    },
  })
}
