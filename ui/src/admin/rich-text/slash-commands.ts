// Entries of the slash menu, filtered by the text typed after '/'.

import type { Schema } from 'prosemirror-model'
import type { Command, EditorState } from 'prosemirror-state'
import type { EditorView } from 'prosemirror-view'
import { chooseStoredPicture } from '../hooks/picture-dialogs'
import { heading, insertBlock, list, quote } from './commands'
import { chooseFiles, insertFiles, insertStored } from './image-uploads'
import { richTextMessages } from './messages'

export type Entry = {
  readonly name: keyof typeof richTextMessages.insert
  readonly label: string
  /** Markdown that has the same effect when typed. */
  readonly sign?: string
  readonly run: (view: EditorView) => void
}

const { insert } = richTextMessages

export function entriesOf(schema: Schema): readonly Entry[] {
  const { nodes } = schema
  const by = (command: Command) => (view: EditorView) => {
    command(view.state, view.dispatch)
  }
  const choose = (several: boolean) => (view: EditorView) => {
    const at = view.state.selection.from
    void chooseFiles(several).then((files) => insertFiles(view, files, at, several))
  }
  const chooseStored = (view: EditorView) => {
    const at = view.state.selection.from
    void chooseStoredPicture().then((stored) => {
      if (stored !== null) insertStored(view, stored, at)
    })
  }
  const all: readonly (Entry & { readonly needs: string })[] = [
    { name: 'heading', needs: 'heading', label: insert.heading, sign: '##', run: by(heading(2)) },
    {
      name: 'subheading',
      needs: 'heading',
      label: insert.subheading,
      sign: '###',
      run: by(heading(3)),
    },
    {
      name: 'list',
      needs: 'bullet_list',
      label: insert.list,
      sign: '-',
      run: by(list('bullet_list')),
    },
    {
      name: 'numbers',
      needs: 'ordered_list',
      label: insert.numbers,
      sign: '1.',
      run: by(list('ordered_list')),
    },
    { name: 'quote', needs: 'blockquote', label: insert.quote, sign: '>', run: by(quote) },
    { name: 'picture', needs: 'picture', label: insert.picture, run: choose(false) },
    { name: 'gallery', needs: 'gallery', label: insert.gallery, run: choose(true) },
    { name: 'stored', needs: 'picture', label: insert.stored, run: chooseStored },
    {
      name: 'button',
      needs: 'button',
      label: insert.button,
      run: by(insertBlock('button', { words: richTextMessages.button.born })),
    },
    {
      name: 'divider',
      needs: 'divider',
      label: insert.divider,
      sign: '---',
      run: by(insertBlock('divider')),
    },
  ]
  return all.filter(({ needs }) => nodes[needs] !== undefined)
}

/** Returns the text between '/' and the caret, and the position of '/'; null if there is none. */
export function queryAt(
  state: EditorState,
): { readonly text: string; readonly from: number } | null {
  const { $from, empty } = state.selection
  if (!empty || $from.parent.type.name !== 'paragraph') return null
  const before = $from.parent.textBetween(0, $from.parentOffset, undefined, '\ufffc')
  const found = /(?:^|\s)\/([\p{L} ]{0,20})$/u.exec(before)
  if (found === null) return null
  const text = found[1] ?? ''
  return { text, from: $from.pos - text.length - 1 }
}

export function matching(entries: readonly Entry[], text: string): readonly Entry[] {
  const wanted = folded(text)
  return entries.filter(({ label }) =>
    folded(label)
      .split(' ')
      .some((word, place, words) => words.slice(place).join(' ').startsWith(wanted) && word !== ''),
  )
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim()
}

/** Deletes '/' and the query, and runs the entry. */
export function choose(view: EditorView, entry: Entry, from: number): void {
  view.dispatch(view.state.tr.delete(from, view.state.selection.from))
  entry.run(view)
  view.focus()
}
