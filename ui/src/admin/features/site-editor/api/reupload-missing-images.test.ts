import { beforeEach, expect, it, vi } from 'vitest'
import { blockOf } from '../model/block.fixture'
import { pictureOf } from '../model/field-path'
import { discardAll, edit, undo, usePages } from '../model/pages-store'
import type { Field, ObjectValue } from './content-api'
import { removeMissingImages } from './reupload-missing-images'

vi.stubGlobal('window', globalThis)
// Drafts are sent when the window is hidden or comes back, which these tests do not do.
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('navigator', {})
vi.stubGlobal('document', { addEventListener: () => undefined, hidden: false })
/** Paths that the server still has. */
let stored: readonly string[] = []
vi.stubGlobal('fetch', async (path: string) => ({ status: stored.includes(path) ? 200 : 404 }))

const picture: Field = { name: 'picture', label: 'Immagine', type: 'picture' }
const fields: readonly Field[] = [
  { name: 'title', label: 'Titolo', type: 'line' },
  picture,
  { name: 'cards', label: 'Schede', type: 'list', fields: [picture] },
]
const [old, fresh, kept] = ['/u/old', '/u/fresh', '/u/kept'].map(pictureOf) as [
  ObjectValue,
  ObjectValue,
  ObjectValue,
]
const cards = [
  { id: 'a', picture: old },
  { id: 'b', picture: null },
]
const draft = () => usePages.getState().drafts['x.y']?.draft.value

beforeEach(() => {
  discardAll()
  usePages.setState({ blocks: [blockOf(fields, { title: 'Titolo', picture: null, cards })] })
})

// Regression: a draft outlives its pictures, which the server deletes after a day; nothing could be published.
it('takes out of a draft what the server has no more, marks its places, and leaves the rest', async () => {
  stored = ['/u/kept']
  const moved = [
    { id: 'b', picture: kept },
    { id: 'a', picture: fresh },
  ]
  const value = { title: 'Mio', picture: fresh, cards: moved }
  edit({ block: 'x.y', path: 'title', what: 'Titolo', value })
  expect(await removeMissingImages()).toEqual(['x.y:picture', 'x.y:cards[1].picture'])
  expect(draft()).toEqual({
    title: 'Mio',
    picture: null,
    // The published picture of the entry, even if the entry has moved.
    cards: [moved[0], { id: 'a', picture: old }],
  })
  const { problems } = usePages.getState()
  expect(Object.keys(problems)).toEqual(['x.y:picture', 'x.y:cards[1].picture'])
  expect(problems['x.y:picture']).toContain('caricala di nuovo')
  undo()
  expect(draft()).toEqual(value)
})

it('asks about no picture that is published, and none is gone where nothing answers', async () => {
  stored = []
  edit({ block: 'x.y', path: 'title', what: 'T', value: { title: 'Mio', picture: old, cards } })
  expect(await removeMissingImages()).toEqual([])
  edit({ block: 'x.y', path: 'title', what: 'T', value: { title: 'M', picture: fresh, cards } })
  vi.stubGlobal('fetch', () => Promise.reject(new Error('offline')))
  expect(await removeMissingImages()).toEqual([])
  expect(draft()?.picture).toEqual(fresh)
})
