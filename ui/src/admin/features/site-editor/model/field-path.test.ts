import { describe, expect, it } from 'vitest'
import type { Field, FieldValue } from '../api/content-api'
import {
  emptyEntry,
  entryNames,
  entryOf,
  entryTitle,
  fieldAt,
  flatten,
  formatPath,
  getIn,
  parsePath,
  pictureOf,
  setIn,
  withEntry,
  withMoved,
  withoutEntry,
  withPicturesOf,
} from './field-path'

const fields: readonly Field[] = [
  { name: 'title', label: 'Titolo', type: 'line', max: 60 },
  {
    name: 'offers',
    label: 'Servizi',
    type: 'list',
    fields: [
      { name: 'name', label: 'Nome', type: 'line' },
      { name: 'price', label: 'Prezzo', type: 'amount' },
      {
        name: 'rows',
        label: 'Righe',
        type: 'list',
        fields: [{ name: 'text', label: 'Riga', type: 'line' }],
      },
    ],
  },
]
const price = { cents: 9500, currency: 'EUR' }
const value = {
  title: 'I Nostri Servizi',
  offers: [
    { id: 'a', name: 'Uno', price, rows: [{ id: '1', text: 'Prima' }] },
    { id: 'b', name: 'Due', price, rows: [] },
  ],
}
const texts: readonly Field[] = [
  { name: 'name', label: 'Nome', type: 'line' },
  { name: 'text', label: 'Testo', type: 'richText' },
]

describe('a place in a block', () => {
  it('is read, and written without touching the rest', () => {
    expect(getIn(value, 'offers[0].rows[0].text')).toBe('Prima')
    const changed = setIn(value, 'offers[1].name', 'Tre')
    expect(getIn(changed, 'offers[1].name')).toBe('Tre')
    expect(changed.title).toBe(value.title)
    expect(getIn(value, 'offers[1].name')).toBe('Due')
  })

  it('that is not there is none, and is not made', () => {
    expect(getIn(value, 'offers[7].name')).toBeUndefined()
    expect(getIn(value, 'constructor')).toBeUndefined()
    expect(setIn(value, 'offers[7].name', 'Tre')).toEqual(value)
  })

  it('is a path there and back', () => {
    expect(formatPath(parsePath('offers[2].rows[0].text'))).toBe('offers[2].rows[0].text')
    expect(fieldAt(fields, 'offers[2].rows[0].text')?.label).toBe('Riga')
    expect(fieldAt(fields, 'offers[2].nothing')).toBeUndefined()
    expect(entryOf('offers[2].rows[0].text')).toBe('offers[2].rows[0]')
    expect(entryOf('title')).toBeNull()
  })
})

it('keeps her pictures with the words that came with the site', () => {
  const picture: Field = { name: 'picture', label: 'Immagine', type: 'picture' }
  const title: Field = { name: 'title', label: 'Titolo', type: 'line' }
  const cards: Field = { name: 'cards', label: 'Schede', type: 'list', fields: [title, picture] }
  const hers = pictureOf('/objects/uploads/a')
  const own = { title: 'Mio', picture: hers, cards: [{ id: 'b', title: 'Mia', picture: hers }] }
  const original = {
    title: 'Suo',
    picture: null,
    cards: ['a', 'b'].map((id) => ({ id, title: 'Sua', picture: null })),
  }
  expect(withPicturesOf(own, [title, picture, cards], original)).toEqual({
    title: 'Suo',
    picture: hers,
    cards: [
      { id: 'a', title: 'Sua', picture: null },
      { id: 'b', title: 'Sua', picture: hers },
    ],
  })
})

describe('a list', () => {
  it('grows by an empty entry without an id, shrinks and changes its order', () => {
    const entry = emptyEntry(fields[1]?.fields ?? [])
    expect(entry).toEqual({ name: '', price: { cents: 0, currency: 'EUR' }, rows: [] })
    const grown = withEntry(value, 'offers', 1, entry)
    expect(getIn(grown, 'offers[1]')).toEqual(entry)
    expect(getIn(withoutEntry(grown, 'offers', 1), 'offers')).toEqual(value.offers)
    expect(getIn(withMoved(value, 'offers', 0, 1), 'offers[1].name')).toBe('Uno')
  })

  it('gives its places in the order of the form', () => {
    expect(flatten(fields, value).map(({ path }) => path)).toEqual([
      'title',
      'offers[0].name',
      'offers[0].price',
      'offers[0].rows[0].text',
      'offers[1].name',
      'offers[1].price',
    ])
  })

  it('calls an entry by the start of its first text, for a name is read aloud whole', () => {
    expect(entryTitle({ name: ' ', text: 'Due\nrighe' }, texts, 'Nuova')).toBe('Due righe')
    expect(entryTitle({ name: '', text: 'a'.repeat(8_000) }, texts, 'Nuova')).toHaveLength(81)
    expect(entryTitle({ name: null, text: '' }, texts, 'Nuova')).toBe('Nuova')
    // Regression: sections of legal pages were named by their Markdown.
    const named = (text: string) => entryTitle({ name: '', text }, texts, 'Nuova')
    expect(named('**Statistiche.** Il [server](/privacy) conta')).toBe(
      'Statistiche. Il server conta',
    )
    expect(named('- Copie di sicurezza\n- Altro')).toBe('Copie di sicurezza • Altro')
    // Regression: a title that consists of a setting gave no name.
    const chip = (...text: FieldValue[]) => entryTitle({ name: { text } }, texts, 'Nuova')
    expect(chip({ setting: 'phone' })).toBe('Telefono')
    const either = [['Seguimi su ', { setting: 'socialName' }], ['Seguimi sui social']]
    expect(chip('Qui: ', { either })).toBe('Qui: Seguimi su Nome del social network')
  })

  it('calls an entry by its title, whatever stands before it, and a stage by its year too', () => {
    const named = (names: readonly string[]) =>
      names.map((name): Field => ({ name, label: name, type: 'line' }))
    const offer = { badge: 'Più popolare', title: 'Completo' }
    expect(entryTitle(offer, named(['badge', 'title']), 'Nuova')).toBe('Completo')
    expect(entryTitle({ ...offer, title: '' }, named(['badge', 'title']), '')).toBe('Più popolare')
    const stage = { year: '1990', title: 'La scuola' }
    expect(entryTitle(stage, named(['year', 'title']), 'Nuova')).toBe('1990, La scuola')
    expect(entryTitle({ ...stage, title: '' }, named(['year', 'title']), 'Nuova')).toBe('1990')
  })

  it('tells entries apart by their titles, and by numbers where those do not', () => {
    const texts = ['title', 'text'] as const
    const fields = texts.map((name) => ({ name, label: name, type: 'line' as const }))
    const entries = ['Uno', '', 'Due', 'Uno'].map((title) => ({ title, text: 'Parole' }))
    expect(entryNames(entries, { label: 'Voci', fields })).toEqual([
      'Uno 1',
      'Voci 2',
      'Due',
      'Uno 4',
    ])
  })
})
