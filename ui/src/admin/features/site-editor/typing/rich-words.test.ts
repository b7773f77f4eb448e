// @vitest-environment node
import { EditorState, TextSelection } from 'prosemirror-state'
import { describe, expect, it } from 'vitest'
import type { FieldValue } from '../api/content-api'
import { paragraphsOf, withParagraph } from '../model/rich-value'
import { stripMarkdown } from '../model/strip-markdown'
import { chipText } from './rich-words'

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
    const { read, write } = chipText(() => known)
    expect(write(read(word))).toEqual(word)
    expect(write(read('Nessun **segno**.'))).toBe('Nessun **segno**.')
  })

  it('keeps the source of a paragraph when another changes', () => {
    const { read, write } = chipText(() => known)
    const state = EditorState.create({ doc: read(word) })
    const after = state.apply(state.tr.insertText('Oh. ', 1))
    expect(write(after.doc)).toEqual({
      text: ['*Oh. Ciao* da ', brand, vat, '.\n\n* Uno\n* ', brand, ' due'],
    })
  })

  it('loses a chip as one sign', () => {
    const { read, write } = chipText(() => known)
    const state = EditorState.create({ doc: read({ text: ['Da ', brand, '.'] }) })
    const chip = TextSelection.create(state.doc, 4, 5)
    const after = state.apply(state.tr.setSelection(chip).deleteSelection())
    expect(write(after.doc)).toBe('Da .')
  })

  it('takes nothing that was typed for a chip', () => {
    const { read, write } = chipText(() => known)
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
  const { read, write } = chipText(() => known)
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

describe('paragraphs with chips', () => {
  const word: FieldValue = { text: ['Uno ', brand, '.\n\nDue.\n\nTre ', brand] }

  it('are told apart, and put together with another in the place of one', () => {
    expect(paragraphsOf(word)).toEqual([
      { text: ['Uno ', brand, '.'] },
      'Due.',
      { text: ['Tre ', brand] },
    ])
    expect(withParagraph(word, 1, 'Altro.')).toEqual({
      text: ['Uno ', brand, '.\n\nAltro.\n\nTre ', brand],
    })
    expect(withParagraph('Uno.\n\nDue.', 0, 'Nuovo.')).toBe('Nuovo.\n\nDue.')
  })
})
