import { expect, it } from 'vitest'
import type { Field, ImageValue } from '../api/content-api'
import { blockOf } from './block.fixture'
import { isFirstPhotograph, isSilent, picturesIn } from './block-pictures'

// Regression: a photograph without alternative text was published without a warning.
it('finds the pictures that say nothing to who cannot see them', () => {
  const picture = { path: '/uploads/a', alt: '', decorative: false, focusX: 50, focusY: 50 }
  const field: Field = { name: 'picture', label: 'Immagine', type: 'picture' }
  const fields = [field, { name: 'list', label: 'Voci', type: 'list', fields: [field] }] as const
  const list = [
    { id: 'a', picture: { ...picture, alt: 'Dieci persone sedute in cerchio' } },
    { id: 'b', picture: { ...picture, decorative: true } },
    { id: 'c', picture: { ...picture, alt: ' ' } },
    { id: 'd', picture: null },
  ]
  const value = { picture: null, list }
  const silent = picturesIn(blockOf(fields, value), value)
    .filter((one: { picture: ImageValue }) => isSilent(one.picture))
    .map(({ path }) => path)
  expect(silent).toEqual(['list[2].picture'])
})

// Regression: the illustrations of other pages changed without notice.
it('knows the first photograph of the site, which is none of a thing', () => {
  const fields = [{ name: 'picture', label: 'Immagine', type: 'picture' }] as const
  const picture = { path: '/uploads/a', alt: '', decorative: false, focusX: 50, focusY: 50 }
  const hero = { ...blockOf(fields, { picture }), id: 'servizi.hero' }
  const book = { ...hero, id: 'chi-sono.book' }
  const settings = { brand: 'Respiro', heroImageOne: null }
  const isFirst = (known: object, field = 'w-servizi.hero-picture') =>
    isFirstPhotograph(field, { settings, settingLabels: {}, blocks: [], ...known })
  expect(isFirst({})).toBe(true)
  expect(isFirst({ blocks: [book, { ...hero, hidden: true }] })).toBe(true)
  expect(isFirst({ blocks: [book, hero] })).toBe(false)
  expect(isFirst({ settings: { ...settings, portraitImage: '/uploads/b' } })).toBe(false)
  expect(isFirst({}, 'w-footer.certificate-picture')).toBe(false)
  expect(isFirst({ settings: {} }), 'not read yet').toBe(false)
})
