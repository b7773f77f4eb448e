// Editor commands of toolbar buttons, keys and the slash menu.

import {
  chainCommands,
  exitCode,
  lift,
  setBlockType,
  toggleMark,
  wrapIn,
} from 'prosemirror-commands'
import { redo, redoDepth, undo, undoDepth } from 'prosemirror-history'
import type { Attrs, MarkType, NodeType, Schema } from 'prosemirror-model'
import { liftListItem, sinkListItem, splitListItem, wrapInList } from 'prosemirror-schema-list'
import {
  type Command,
  type EditorState,
  NodeSelection,
  Selection,
  TextSelection,
} from 'prosemirror-state'

export { redo, undo }

/** Whether undo (`back`) and redo (`forth`) are available. */
export function undoRedoAvailability(state: EditorState): { back: boolean; forth: boolean } {
  return { back: undoDepth(state) > 0, forth: redoDepth(state) > 0 }
}

/** Whether the mark applies to the selection, or to the text typed next. */
export function hasMark(state: EditorState, name: string): boolean {
  const type = state.schema.marks[name]
  if (type === undefined) return false
  const { from, to, empty, $from } = state.selection
  if (empty) return type.isInSet(state.storedMarks ?? $from.marks()) !== undefined
  return state.doc.rangeHasMark(from, to, type)
}

/** Whether the selection is in a node with this name and these attributes. */
export function isIn(state: EditorState, name: string, attrs: Attrs = {}): boolean {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth)
    const fits = Object.entries(attrs).every(([key, value]) => node.attrs[key] === value)
    if (node.type.name === name && fits) return true
  }
  return false
}

export function mark(name: string): Command {
  return (state, dispatch) => {
    const type: MarkType | undefined = state.schema.marks[name]
    return type !== undefined && toggleMark(type)(state, dispatch)
  }
}

/** Toggles between a heading of this level and a paragraph. */
export function heading(level: number): Command {
  return (state, dispatch) => {
    const { heading: type, paragraph } = state.schema.nodes
    if (type === undefined || paragraph === undefined) return false
    if (isIn(state, 'heading', { level })) return setBlockType(paragraph)(state, dispatch)
    return setBlockType(type, { level })(state, dispatch)
  }
}

export function list(name: 'bullet_list' | 'ordered_list'): Command {
  return (state, dispatch) => {
    const { [name]: type, list_item } = state.schema.nodes
    if (type === undefined || list_item === undefined) return false
    if (isIn(state, name)) return liftListItem(list_item)(state, dispatch)
    const other = name === 'bullet_list' ? 'ordered_list' : 'bullet_list'
    if (isIn(state, other)) return changeList(state, type, dispatch)
    return wrapInList(type)(state, dispatch)
  }
}

function changeList(state: EditorState, type: NodeType, dispatch: Parameters<Command>[1]): boolean {
  const { $from } = state.selection
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    if (!$from.node(depth).type.name.endsWith('_list')) continue
    dispatch?.(state.tr.setNodeMarkup($from.before(depth), type))
    return true
  }
  return false
}

export const quote: Command = (state, dispatch) => {
  const type = state.schema.nodes.blockquote
  if (type === undefined) return false
  return isIn(state, 'blockquote') ? lift(state, dispatch) : wrapIn(type)(state, dispatch)
}

/** Inserts a block at the caret. Selects a picture or button; else moves the caret to the paragraph after the block. */
export function insertBlock(name: string, attrs: Attrs | null = null): Command {
  return (state, dispatch) => {
    const node = state.schema.nodes[name]?.createAndFill(attrs)
    const { paragraph } = state.schema.nodes
    if (!node || paragraph === undefined) return false
    const { $from } = state.selection
    const empty = $from.parent.type === paragraph && $from.parent.content.size === 0
    const depth = Math.max(1, $from.depth)
    const from = empty ? $from.before(depth) : $from.depth === 0 ? $from.pos : $from.after(depth)
    const to = empty ? $from.after(depth) : from
    const { tr } = state
    tr.replaceWith(from, to, [node])
    const after = from + node.nodeSize
    const next = tr.doc.resolve(after).nodeAfter
    if (next?.isTextblock !== true) tr.insert(after, paragraph.create())
    const chosen = node.isAtom && node.type.name !== 'divider'
    tr.setSelection(
      chosen ? NodeSelection.create(tr.doc, from) : TextSelection.create(tr.doc, after + 1),
    )
    dispatch?.(tr.scrollIntoView())
    return true
  }
}

/** Whether the caret is at the start of the document. */
export function isAtStart({ doc, selection }: EditorState): boolean {
  return selection.empty && selection.from === Selection.atStart(doc).from
}

/** Whether text is selected; a range from the end of a block to the next block contains none. */
export function hasWords({ doc, selection: { from, to } }: EditorState): boolean {
  return from < to && doc.textBetween(from, to) !== ''
}

/** Returns the link at the caret or selection, with its range. */
export function linkAt(state: EditorState): { href: string; from: number; to: number } | null {
  const type = state.schema.marks.link
  if (type === undefined) return null
  const { $from, from, to, empty } = state.selection
  const at = type.isInSet(empty ? $from.marks() : (state.doc.nodeAt(from)?.marks ?? []))
  if (at === undefined) return null
  if (!empty) return { href: String(at.attrs.href), from, to }
  let [start, end] = [$from.pos, $from.pos]
  $from.parent.forEach((node, offset) => {
    const begins = $from.start() + offset
    const inside = begins <= $from.pos && $from.pos <= begins + node.nodeSize
    if (at.isInSet(node.marks) && inside) [start, end] = [begins, begins + node.nodeSize]
  })
  return { href: String(at.attrs.href), from: start, to: end }
}

/** Sets or (with null) removes the link of the selection. */
export function setLink(href: string | null): Command {
  return (state, dispatch) => {
    const type = state.schema.marks.link
    if (type === undefined) return false
    const around = linkAt(state)
    const { from, empty } = state.selection
    const to = hasWords(state) ? state.selection.to : from
    const range = empty && around !== null ? around : { from, to }
    const { tr } = state
    tr.removeMark(range.from, range.to, type)
    if (href !== null && range.from === range.to) {
      tr.insert(range.from, state.schema.text(href, [type.create({ href })]))
    } else if (href !== null) tr.addMark(range.from, range.to, type.create({ href }))
    dispatch?.(tr)
    return true
  }
}

const lineBreak: Command = (state, dispatch) => {
  const type = state.schema.nodes.hard_break
  if (type === undefined || state.selection.$from.parent.type.name === 'heading') return false
  dispatch?.(state.tr.replaceSelectionWith(type.create()).scrollIntoView())
  return true
}

/** Inserts a paragraph after a selected picture or button. */
const wordsAfter: Command = (state, dispatch) => {
  const { selection, schema } = state
  const { paragraph } = schema.nodes
  if (!(selection instanceof NodeSelection) || paragraph === undefined) return false
  if (selection.$from.depth > 0) return false
  const { tr } = state
  tr.insert(selection.to, paragraph.create())
  tr.setSelection(TextSelection.create(tr.doc, selection.to + 1))
  dispatch?.(tr.scrollIntoView())
  return true
}

/** Returns the key bindings. Only lists use Tab, so that it moves the focus everywhere else. */
export function keys(schema: Schema): Record<string, Command> {
  const { list_item } = schema.nodes
  const ofLists: Record<string, Command> =
    list_item === undefined
      ? {}
      : {
          Enter: chainCommands(splitListItem(list_item), wordsAfter),
          Tab: sinkListItem(list_item),
          'Shift-Tab': liftListItem(list_item),
        }
  return {
    Enter: wordsAfter,
    ...ofLists,
    'Mod-b': mark('strong'),
    'Mod-i': mark('em'),
    'Mod-Alt-2': heading(2),
    'Mod-Alt-3': heading(3),
    'Mod-z': undo,
    'Mod-Shift-z': redo,
    'Mod-y': redo,
    'Shift-Enter': chainCommands(exitCode, lineBreak),
  }
}
