import { describe, expect, it } from 'vitest'
import type { Field, ObjectValue } from '../api/content-api'
import { blockOf, namesField } from '../model/block.fixture'
import { formatValue } from '../model/format-value'
import { differs, otherPlaces, summaryOf, textsOf } from './version-field-texts'

const known = { settings: {}, settingLabels: {}, blocks: [] }
const fields: readonly Field[] = [
  { name: 'portrait', label: 'Ritratto', type: 'picture' },
  { name: 'icon', label: 'Icona', type: 'choice', choices: ['House', 'Presentation'] },
]
const portrait = {
  path: '/objects/uploads/a',
  alt: 'Anna sorride',
  decorative: false,
  focusX: 50,
  focusY: 50,
}
const texts = (value: ObjectValue) => textsOf(blockOf(fields, value), value, false, known)

describe('what is compared of a version', () => {
  it.each([
    ['the words of a picture', { alt: 'Tazza di caffè' }],
    ['the point that is not cut off', { focusX: 10 }],
    ['the picture itself', { path: '/objects/uploads/b' }],
  ])('is also %s', (_, change) => {
    const [now, then] = [portrait, { ...portrait, ...change }].map((one) =>
      texts({ portrait: one, icon: 'House' }).get('portrait'),
    )
    expect(differs(now, then)).toBe(true)
    expect(differs(now, now)).toBe(false)
    expect(then?.text).not.toContain('/objects')
    expect(then?.picture).toMatchObject(change)
  })

  it('calls an icon by its name', () => {
    expect(texts({ portrait: null, icon: 'House' }).get('icon')?.text).toBe('Casa')
  })

  it('reads both sides of a clash about a picture apart', () => {
    const read = (alt: string) => formatValue({ ...portrait, alt, focusX: 10 }, known)
    expect(read('Mio')).toBe("Mio\nPunto da non tagliare: 10% da sinistra, 50% dall'alto")
    expect(read('Altrui')).not.toBe(read('Mio'))
  })
})

describe('what a version made of the one before', () => {
  const own: readonly Field[] = [
    { name: 'text', label: 'Testo', type: 'paragraphs' },
    { name: 'price', label: 'Prezzo', type: 'amount' },
    namesField('list'),
  ]
  const list = [
    { id: 'a', name: 'Uno' },
    { id: 'b', name: 'Due' },
  ]
  const first = {
    text: 'Ti accompagno passo passo.',
    price: { cents: 9500, currency: 'EUR' },
    list,
  }
  const read = (value: ObjectValue, isHidden = false) =>
    textsOf(blockOf(own, first), value, isHidden, known)
  const made = (value: ObjectValue, isHidden = false) =>
    summaryOf(read(value, isHidden), read(first))

  it.each([
    ['una parola', { text: 'Ti accompagno, piano.' }],
    ['4 parole', { text: 'Ti accompagno passo passo. Senza fretta, un respiro.' }],
    ['un prezzo', { price: { cents: 9000, currency: 'EUR' } }],
    ["l'ordine", { list: [...list].reverse() }],
    ['una parola, un prezzo', { text: 'Ti accompagno passo.', price: null }],
    ['', {}],
  ])('is said in a few words: %s', (said, change) => {
    expect(made({ ...first, ...change })).toBe(said)
  })

  it('is also that it was hidden', () => {
    expect(made(first, true)).toBe('nascosta')
  })

  it('is no other order where only a title is another', () => {
    const renamed = { ...first, list: [{ id: 'a', name: 'Primo' }, ...list.slice(1)] }
    expect(otherPlaces(read(first), read(renamed))).toEqual(['list[a].name'])
  })
})
