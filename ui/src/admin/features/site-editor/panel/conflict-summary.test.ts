import { describe, expect, it } from 'vitest'
import type { Field, ObjectValue } from '../api/content-api'
import { blockOf } from '../model/block.fixture'
import { mergeBlock } from '../model/merge-block'
import { conflictLabel, conflictNote, conflictText, sameCount } from './conflict-summary'

const known = { settings: {}, settingLabels: {}, blocks: [] }
const questions: Field = {
  name: 'items',
  label: 'Domande',
  type: 'list',
  max: 3,
  min: 2,
  fields: [
    { name: 'question', label: 'Domanda', type: 'line' },
    { name: 'answer', label: 'Risposta', type: 'paragraphs' },
    { name: 'price', label: 'Prezzo', type: 'amount' },
    {
      name: 'rows',
      label: 'Righe',
      type: 'list',
      fields: [
        { name: 'text', label: 'Riga', type: 'line' },
        { name: 'more', label: 'Altro', type: 'line' },
      ],
    },
  ],
}
const fields: readonly Field[] = [{ name: 'title', label: 'Titolo', type: 'line' }, questions]

// Keys in the alphabetical order of the server.
const entry = (id: string, rest: ObjectValue = {}): ObjectValue => ({
  answer: `Risposta ${id}.`,
  id,
  price: { cents: 9500, currency: 'EUR' },
  question: `Domanda ${id}?`,
  rows: [{ id: 'r', more: 'poi', text: 'Riga' }],
  ...rest,
})
const of = (...items: readonly ObjectValue[]): ObjectValue => ({ title: 'Titolo', items })

function read(ground: ObjectValue, mine: ObjectValue, other: ObjectValue) {
  const block = { ...blockOf(fields, other), label: 'Domande frequenti' }
  const { clashes } = mergeBlock(ground, mine, other, { fields })
  return clashes.map((clash) => ({
    label: conflictLabel(block, clash, known),
    note: conflictNote(block, clash),
    mine: conflictText(block, clash, 'mine', known),
    other: conflictText(block, clash, 'other', known),
  }))
}

describe('what is read before choosing', () => {
  const [a, b] = [entry('a'), entry('b')]

  it('names the entry that a field belongs to', () => {
    const price = (cents: number) => ({ price: { cents, currency: 'EUR' } })
    const rows = (text: string) => ({ rows: [{ id: 'r', more: 'poi', text }] })
    const mine = of(entry('a', { ...price(11000), ...rows('Mia') }), b)
    const other = of(entry('a', { ...price(12000), ...rows('Sua') }), b)
    expect(read(of(a, b), mine, other)).toEqual([
      { label: 'Domanda a?, Prezzo', note: null, mine: '110\u00a0€', other: '120\u00a0€' },
      { label: 'Domanda a?, Mia, Riga', note: null, mine: 'Mia', other: 'Sua' },
    ])
  })

  it('says what one side wrote in an entry that the other took away', () => {
    const wrote = entry('a', {
      price: { cents: 11000, currency: 'EUR' },
      rows: [{ id: 'r', more: 'dopo', text: 'Riga' }],
    })
    const gone = 'Voce tolta: non è più in questo elenco.'
    const text = 'Prezzo: 110\u00a0€\nRighe: Riga · dopo'
    expect(read(of(a, b, entry('c')), of(b, entry('c')), of(wrote, b, entry('c')))).toEqual([
      { label: 'Domanda a?', note: null, mine: gone, other: text },
    ])
    expect(read(of(a, b, entry('c')), of(wrote, b, entry('c')), of(b, entry('c')))).toEqual([
      { label: 'Domanda a?', note: null, mine: text, other: gone },
    ])
  })

  // Regression: a part of a package, which has no text of its own, was named 'Nuova voce'.
  it('calls a part of a package by its service', () => {
    const titles: readonly Field[] = [{ name: 'title', label: 'Titolo', type: 'line' }]
    const list: Field = { name: 'offers', label: 'Servizi', type: 'list', fields: titles }
    const group = { id: 'group', title: 'Sessioni di gruppo' }
    const offers = { ...blockOf([list], { offers: [group] }), id: 'servizi.offers' }
    const inner: readonly Field[] = [
      { name: 'offer', label: 'Servizio', type: 'entry', of: 'servizi.offers:offers' },
      { name: 'count', label: 'Quante volte', type: 'integer' },
    ]
    const parts: readonly Field[] = [{ name: 'parts', label: 'Parti', type: 'list', fields: inner }]
    const made = (count: number): ObjectValue => ({ parts: [{ id: '1', offer: 'group', count }] })
    const { clashes } = mergeBlock(made(3), made(4), made(5), { fields: parts })
    const label = clashes.map((clash) =>
      conflictLabel(blockOf(parts, made(5)), clash, { ...known, blocks: [offers] }),
    )
    expect(label).toEqual(['Sessioni di gruppo, Quante volte'])
  })

  // Regression: questions were named by their answers, which come first in alphabetical order.
  it('calls questions by what they ask, and says why a list is asked about', () => {
    const full = [a, b]
    expect(read(of(...full), of(...full, entry('m')), of(...full, entry('o')))).toEqual([
      {
        label: 'Domande',
        note: expect.stringMatching(/sarebbero 4, e il massimo è 3\..* togli prima una voce\.$/),
        mine: 'Domanda m?',
        other: 'Domanda o?',
      },
    ])
    const three = [a, b, entry('c')]
    expect(read(of(...three), of(a, b), of(b, entry('c')))).toEqual([
      {
        label: 'Domande',
        note: expect.stringContaining('resterebbe una voce, e ne servono almeno 2'),
        mine: 'Domanda a?\nDomanda b?',
        other: 'Domanda b?\nDomanda c?',
      },
    ])
  })

  // Regression: 'Gli altri 72 campi sono uguali' counted fields that the lists did not show.
  it('counts as the same what is the same, wherever it stands', () => {
    expect(sameCount(fields, of(a, b), of(b, a))).toBe(11)
    expect(sameCount(fields, of(a, entry('m')), of(entry('a', { answer: 'Altra.' })))).toBe(5)
  })
})
