import { expect, it } from 'vitest'
import { blockOf } from './block.fixture'
import type { Field } from './contract'
import { statementsOf } from './facts'

const fields: readonly Field[] = [
  { name: 'text', label: 'Testo', type: 'paragraphs' },
  {
    name: 'items',
    label: 'Tappe',
    type: 'list',
    fields: [
      { name: 'year', label: 'Anno', type: 'line' },
      { name: 'title', label: 'Titolo', type: 'line' },
    ],
  },
]
const items = Array.from({ length: 20 }, (_, index) => ({
  id: `${index}`,
  year: `${1987 + index}`,
  title: 'Una tappa del mio percorso',
}))
const block = blockOf(fields, { text: 'Uno.\n\nDue.', items })

it('says all of a passage that is asked about, to its last milestone', () => {
  const said = statementsOf(block, { settings: {}, settingLabels: {}, blocks: [] })
  expect(said).toHaveLength(22)
  expect(said.slice(0, 3)).toEqual(['Uno.', 'Due.', '1987 · Una tappa del mio percorso'])
  expect(said.at(-1)).toBe('2006 · Una tappa del mio percorso')
})
