import { beforeEach, expect, it, vi } from 'vitest'
import { ApiError } from '../../../api/client'
import { useToasts } from '../../../ui/toast-store'
import type { Block, Field } from '../api/content-api'
import { blockOf } from '../model/block.fixture'
import { usePages } from '../model/pages-store'
import { confirmClaim, isOwnText, statementsOf } from './claims-api'

let server: Block
vi.mock('../../../api/site-status', () => ({
  useStatus: { getState: () => ({ load: async () => null }) },
}))
vi.mock('../api/content-api', () => ({
  readBlocks: async () => [server],
  writeBlocks: async () => {
    throw new ApiError(412, '', 'changed')
  },
}))

const fields: readonly Field[] = [
  { name: 'title', label: 'Titolo', type: 'line' },
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
const block: Block = {
  ...blockOf(fields, { title: 'La mia storia', text: 'Uno.\n\nDue.', items }),
  toConfirm: true,
  asked: ['text', 'items'],
  confirmed: false,
}
const known = { settings: {}, settingLabels: {}, blocks: [] }

beforeEach(() => {
  server = { ...block, value: { text: 'Altro.', items: [] }, version: '2' }
  usePages.setState({ blocks: [block] })
})

it('says all of a passage that is asked about, to its last milestone', () => {
  const said = statementsOf(block, known)
  expect(said).toHaveLength(22)
  expect(said.slice(0, 3)).toEqual(['Uno.', 'Due.', '1987 · Una tappa del mio percorso'])
  expect(said.at(-1)).toBe('2006 · Una tappa del mio percorso')
})

it('asks about what stands as the program brought it, and about nothing else', () => {
  const first = { id: '0', year: '1987', title: 'Ci sono stata io' }
  const later = items.slice(1).reverse()
  const value = { title: 'La mia strada', text: 'Uno.  \n\nMio.', items: [first, ...later] }
  const said = statementsOf({ ...block, value }, known)
  expect(said).toHaveLength(20)
  expect(said.slice(0, 2)).toEqual(['Uno.  ', '2006 · Una tappa del mio percorso'])
  expect(isOwnText({ ...block, value }, known)).toBe(false)
  expect(isOwnText({ ...block, value: { ...value, text: 'Mio.', items: [first] } }, known)).toBe(
    true,
  )
  expect(isOwnText({ ...block, value: { ...block.value, title: 'Altro' } }, known)).toBe(false)
  // A confirmed block shows all its statements.
  expect(statementsOf({ ...block, value, confirmed: true }, known)).toHaveLength(22)
})

it('shows the new text where it has changed under an answer, and says so', async () => {
  expect(await confirmClaim(block)).toBe(false)
  expect(usePages.getState().blocks).toEqual([server])
  expect(useToasts.getState().toast?.title).toBe('Questo testo è cambiato anche altrove')
})
