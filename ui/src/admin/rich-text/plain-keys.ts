// Keys of texts without formatting: a line, and a text of several paragraphs.

import { type Command, TextSelection } from 'prosemirror-state'

/** A blank for Enter in a line: without it the words around the key became one. */
const separateWords: Command = (state, dispatch) => {
  const { from } = state.selection
  const before = state.doc.textBetween(0, from, undefined, '\ufffc')
  if (before !== '' && !/\s$/.test(before)) dispatch?.(state.tr.insertText(' ').scrollIntoView())
  return true
}

/** Splits the paragraph behind the blank that follows the caret: the next one begins with a word. */
const splitParagraph: Command = (state, dispatch) => {
  const tr = state.tr.deleteSelection()
  const { $from } = tr.selection
  const behind = $from.parent.textBetween(
    $from.parentOffset,
    $from.parent.content.size,
    undefined,
    '\ufffc',
  )
  const at = $from.pos + (/^\s*/.exec(behind)?.[0].length ?? 0)
  tr.split(at)
  dispatch?.(tr.setSelection(TextSelection.near(tr.doc.resolve(at + 2))).scrollIntoView())
  return true
}

const nothing: Command = () => true

/** The browser would make the words bold on the page, and the text has no bold. */
const unformatted = { 'Mod-b': nothing, 'Mod-i': nothing, 'Mod-u': nothing }

export const keysOfLine: Record<string, Command> = {
  ...unformatted,
  Enter: separateWords,
  'Shift-Enter': separateWords,
}

export const keysOfParagraphs: Record<string, Command> = {
  ...unformatted,
  Enter: splitParagraph,
  'Shift-Enter': splitParagraph,
}
