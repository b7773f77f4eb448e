import { expect, it } from 'vitest'
import type { Field } from './contract'
import { printable, printableText } from './printable'

const fields: readonly Field[] = [
  { name: 'title', label: 'Titolo', type: 'line' },
  { name: 'text', label: 'Testo', type: 'paragraphs' },
  {
    name: 'items',
    label: 'Voci',
    type: 'list',
    fields: [{ name: 'text', label: 'Testo', type: 'richText' }],
  },
]

// One such sign had every drawing of the page refused: it stood still, and said nothing.
it('takes out what no page can show, and keeps where lines end', () => {
  expect(printableText('Uno\vdue\u0007, tre\r\nquattro\u0085', false)).toBe(
    'Uno\ndue, tre\nquattro\n',
  )
  expect(printableText('Uno\vdue \n tre\tquattro\u009f', true)).toBe('Uno due tre quattro')
  const chip = { setting: 'brand' }
  const value = {
    title: 'A\vB',
    text: { text: ['A\vB\n\nC', chip] },
    items: [{ id: 'a', text: '**A**\u0000' }],
  }
  expect(printable(fields, value)).toEqual({
    title: 'A B',
    text: { text: ['A\nB\n\nC', chip] },
    items: [{ id: 'a', text: '**A**' }],
  })
})

it('leaves a value alone that has nothing of the kind', () => {
  const value = { title: '👩\u200d👧 à', text: 'Uno\n\n\tdue', items: [{ id: 'a', text: '' }] }
  expect(printable(fields, value)).toBe(value)
})
