// @vitest-environment node
import { EditorState, TextSelection, type Transaction } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../api/content-api'
import { paragraphsOf } from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'
import { fieldCodec } from './field-codec'

const known = {
  settings: { brand: 'Respiro' },
  settingLabels: { vatNumber: 'Partita IVA' },
  blocks: [],
}
const brand = { setting: 'brand' }
const vat = { either: [[', P. IVA ', { setting: 'vatNumber' }]] }

describe('rich text with chips', () => {
  const word: FieldValue = { text: ['*Ciao* da ', brand, vat, '.\n\n* Uno\n* ', brand, ' due'] }

  it('comes back as it was written where nobody typed', () => {
    const { read, write } = fieldCodec('rich', known)
    expect(write(read(word))).toEqual(word)
    expect(write(read('Nessun **segno**.'))).toBe('Nessun **segno**.')
  })

  it('keeps the source of a paragraph when another changes', () => {
    const { read, write } = fieldCodec('rich', known)
    const state = EditorState.create({ doc: read(word) })
    const after = state.apply(state.tr.insertText('Oh. ', 1))
    expect(write(after.doc)).toEqual({
      text: ['*Oh. Ciao* da ', brand, vat, '.\n\n* Uno\n* ', brand, ' due'],
    })
  })

  it('loses a chip as one sign', () => {
    const { read, write } = fieldCodec('rich', known)
    const state = EditorState.create({ doc: read({ text: ['Da ', brand, '.'] }) })
    const chip = TextSelection.create(state.doc, 4, 5)
    const after = state.apply(state.tr.setSelection(chip).deleteSelection())
    expect(write(after.doc)).toBe('Da .')
  })

  it('takes nothing that was typed for a chip', () => {
    const { read, write } = fieldCodec('rich', known)
    const sign = String.fromCodePoint(0xf0000)
    expect(write(read({ text: [`A${sign}B `, brand] }))).toEqual({ text: ['AB ', brand] })
    const state = EditorState.create({ doc: read({ text: ['Da ', brand] }) })
    expect(write(state.apply(state.tr.insertText(`${sign}!`, 1)).doc)).toEqual({
      text: ['!Da ', brand],
    })
  })
})

// Struck words and code looked so in the editor, and on the site stood the signs, or plain words.
describe('rich text', () => {
  const { read, write } = fieldCodec('rich', known)
  const shown = (word: string) => read(word).toString()

  it('shows as plain words what a page draws so', () => {
    expect(shown('Un `codice`')).toBe('doc(paragraph("Un codice"))')
    expect(shown('```\nuno\ndue\n```')).toBe('doc(paragraph("uno due"))')
    expect(shown('~~Via~~')).toBe('doc(paragraph("~~Via~~"))')
  })

  it('keeps line breaks, and lists in lists', () => {
    const word = 'Via Roma 1\\\n22100 Como\n\n1. uno\n   - sotto'
    expect(shown(word)).toBe(
      'doc(paragraph("Via Roma 1", hard_break, "22100 Como"), ' +
        'ordered_list(list_item(paragraph("uno"), bullet_list(list_item(paragraph("sotto"))))))',
    )
    expect(write(read(word).copy(read(word).content))).toBe(word)
    expect(stripMarkdown(word)).toBe('Via Roma 1\n22100 Como\n\n1. uno\n• sotto')
  })
})

describe('a text of several paragraphs', () => {
  const word: FieldValue = { text: ['Uno ', brand, '.\n\nDue.\n\nTre ', brand] }
  const edit = (value: FieldValue, change: (tr: Transaction) => Transaction) => {
    const { read, write } = fieldCodec('paragraphs', known)
    const state = EditorState.create({ doc: read(value) })
    return write(state.apply(change(state.tr)).doc)
  }

  it('is one document, with chips as characters', () => {
    expect(paragraphsOf(word)).toEqual([
      { text: ['Uno ', brand, '.'] },
      'Due.',
      { text: ['Tre ', brand] },
    ])
    const { read, write } = fieldCodec('paragraphs', known)
    expect(read(word).toString()).toBe(
      'doc(paragraph("Uno ", chip, "."), paragraph("Due."), paragraph("Tre ", chip))',
    )
    expect(write(read(word))).toEqual(word)
    expect(edit(word, (tr) => tr.insertText('!', 12))).toEqual({
      text: ['Uno ', brand, '.\n\nDue!.\n\nTre ', brand],
    })
  })

  it('joins and splits without a blank at an end', () => {
    expect(edit('Uno. Due.', (tr) => tr.split(6))).toBe('Uno.\n\nDue.')
    expect(edit('Uno.\n\nDue.', (tr) => tr.join(6))).toBe('Uno.Due.')
    expect(edit('Uno.\n\nDue.', (tr) => tr.split(11))).toBe('Uno.\n\nDue.\n\n')
    expect(edit(word, (tr) => tr.delete(2, 17))).toEqual({ text: ['Ue ', brand] })
  })

  it('keeps further blank lines of an unchanged text, and her own quotes of a changed one', () => {
    const { read, write } = fieldCodec('paragraphs', known)
    const former = "L'uno.\n\n\nE l'altro."
    expect(write(read(former))).toBe(former)
    const rendered = { children: [{ textContent: 'L’uno.' }, { textContent: 'E\u00a0l’altro.' }] }
    const doc = read("L'uno.\n\nE l'altro.", rendered as unknown as Element)
    expect(doc.textContent).toBe('L’uno.E\u00a0l’altro.')
    const state = EditorState.create({ doc })
    expect(write(state.apply(state.tr.insertText('?', 7)).doc)).toBe("L'uno.?\n\nE l'altro.")
  })

  it('is a line where the field is one', () => {
    const { read, write } = fieldCodec('line', known)
    const doc = read({ text: ['Ciao\n da ', brand] })
    expect(doc.toString()).toBe('doc("Ciao da ", chip)')
    const state = EditorState.create({ doc })
    expect(write(state.apply(state.tr.delete(0, 5)).doc)).toEqual({ text: ['da ', brand] })
  })
})
