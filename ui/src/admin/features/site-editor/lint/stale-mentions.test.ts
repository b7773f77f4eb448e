import { expect, it } from 'vitest'
import type { Block, Field, ObjectValue } from '../api/content-api'
import { blockOf } from '../model/block.fixture'
import {
  correctionsOf,
  dismissalsOf,
  findStaleMentions,
  itemChanges,
  mentionsInBlocks,
  mentionsInItems,
  searchWords,
  sentencesOf,
  withItems,
  withoutDismissed,
} from './stale-mentions'

const line = (name: string): Field => ({ name, label: name, type: 'line' })
const list = (name: string, fields: readonly Field[]): Field => ({
  name,
  label: name,
  type: 'list',
  fields,
})
const euro = (whole: number) => ({ cents: whole * 100, currency: 'EUR' })

const entry = [
  line('title'),
  { name: 'price', label: 'Prezzo', type: 'amount' } as const,
  line('text'),
]
const session = {
  id: 'individual',
  title: 'Sessioni individuali',
  price: euro(95),
  text: 'Dura 90 minuti.',
}
const group = { id: 'group', title: 'Sessioni di gruppo', price: euro(45), text: '' }
const base = {
  id: 'base',
  title: 'Base',
  price: euro(270),
  compare: 'saving',
  saving: '',
  parts: [{ id: '1', offer: 'individual', count: 3 }],
  text: '3 sessioni individuali da 90 minuti',
}

const offers: Block = {
  ...blockOf([list('offers', entry)], { offers: [session, group] }),
  id: 'servizi.offers',
}
const packages: Block = {
  ...blockOf([list('packages', entry)], { packages: [base] }),
  id: 'pricing.packages',
}
const faq = (answer: ObjectValue[string]): Block => ({
  ...blockOf([line('answer')], { answer }),
  id: 'contatti.faq',
})

function mentionsOf(
  offer: object,
  answer: ObjectValue[string],
  others: readonly object[] = [group],
) {
  const draft = { offers: [{ ...session, ...offer }, ...others] } as ObjectValue
  const blocks = [offers, packages, faq(answer)]
  return findStaleMentions(blocks, (block) => (block.id === offers.id ? draft : block.value))
}

const known = { settings: {}, settingLabels: {}, blocks: [] }
const shown = (found: ReturnType<typeof mentionsOf>) =>
  sentencesOf(found, known).map(({ before, stale, after }) => `${before}[${stale}]${after}`)
const corrected = (found: ReturnType<typeof mentionsOf>) =>
  correctionsOf(found).map(({ word }) => word)

it('nothing is found while no draft changes a value', () => {
  expect(mentionsOf({}, 'Costa 95 €.')).toEqual([])
})

it('a changed price is found as a whole amount, and corrected as it was written', () => {
  const found = mentionsOf(
    { price: euro(100) },
    'Una costa 95 euro. Non 195 € né 95,50 €. Due da € 95!',
  )
  expect(shown(found)).toEqual(['Una costa [95 euro].', 'Due da [€ 95]!'])
  expect(corrected(found)).toEqual(['Una costa 100 euro. Non 195 € né 95,50 €. Due da € 100!'])
})

it('a price that another service has now is changed only where the service is named', () => {
  const answer = 'Il gruppo costa 95 €. Una sessione individuale costa 95 €.'
  const found = mentionsOf({ price: euro(100) }, answer, [{ ...group, price: euro(95) }])
  expect(corrected(found)).toEqual(['Il gruppo costa 95 €. Una sessione individuale costa 100 €.'])
})

it('of two services with one price only the named one is certain', () => {
  const draft = {
    offers: [
      { ...session, price: euro(100) },
      { ...group, price: euro(60) },
    ],
  }
  const both = { ...offers, value: { offers: [session, { ...group, price: euro(95) }] } }
  const blocks = [both, packages, faq('Costa 95 €. La sessione di gruppo costa 95 €.')]
  const found = findStaleMentions(blocks, (block) => (block === both ? draft : block.value))
  expect(found.map(({ fix }) => fix)).toEqual([null, '60 €'])
})

it('a new name is found as whole words, and keeps a small first letter', () => {
  const found = mentionsOf(
    { title: 'Incontri a due' },
    'Le sessioni individuali, non «sessioni individualissime».',
  )
  expect(corrected(found)).toEqual([
    '3 incontri a due da 90 minuti',
    'Le incontri a due, non «sessioni individualissime».',
  ])
})

it('a new duration is found where the service is named', () => {
  const found = mentionsOf(
    { text: 'Dura 75 minuti.' },
    'La sessione individuale dura 90 minuti. Il viaggio dura 90 minuti.',
  )
  expect(shown(found)).toEqual([
    '3 sessioni individuali da [90 minuti]',
    'La sessione individuale dura [90 minuti].',
  ])
})

it('chips stay in a corrected text', () => {
  const found = mentionsOf(
    { price: euro(100) },
    { text: ['Da ', { setting: 'brand' }, ' costa 95 €.'] },
  )
  expect(corrected(found)).toEqual([{ text: ['Da ', { setting: 'brand' }, ' costa 100 €.'] }])
})

it('what is left stays left until the value changes again', () => {
  const found = mentionsOf({ price: euro(100) }, 'Costa 95 €.')
  const left = Object.fromEntries(dismissalsOf(found))
  expect(withoutDismissed(found, left)).toEqual([])
  const again = mentionsOf({ price: euro(110) }, 'Costa 95 €.')
  expect(withoutDismissed(again, left)).toEqual(again)
})

const event = (id: string, fields: object) => ({
  id,
  published: true,
  sortOrder: 0,
  createdAt: '2026-11-01T10:00:00Z',
  updatedAt: '2026-11-01T10:00:00Z',
  ...fields,
})
// The server stores an amount in euros without its sign.
const walk = { title: 'Respiro nel bosco', price: '35', description: 'Costa 35 euro a testa.' }

function eventMentions(after: object, article: string, others: readonly object[] = []) {
  const changes = itemChanges('events', 'walk', { ...walk }, { ...walk, ...after })
  const items = [
    { kind: 'events' as const, item: event('walk', { ...walk, ...after }) },
    ...others.map((fields, place) => ({
      kind: 'events' as const,
      item: event(`other-${place}`, fields),
    })),
    { kind: 'blog' as const, item: event('article', { title: 'Novità', content: article }) },
  ]
  const current = withItems({ amounts: new Set(), titles: new Set() }, items)
  const answer = faq('«Respiro nel bosco» costa 35 €.')
  return [
    ...mentionsInBlocks([answer], ({ value }) => value, { changes, current }),
    ...mentionsInItems(items, { changes, current }),
  ]
}

it('a changed price of an event is found in its own text, in pages and in articles', () => {
  const found = eventMentions({ price: '40 €' }, 'Si va per **35 €** il 12 marzo.')
  expect(corrected(found)).toEqual([
    '«Respiro nel bosco» costa 40 €.',
    'Costa 40 euro a testa.',
    'Si va per **40 €** il 12 marzo.',
  ])
})

it('an amount that another event has now is changed only where the event is named', () => {
  const found = eventMentions({ price: '40 €' }, 'Si va per 35 €.', [{ price: '35', title: 'X' }])
  expect(corrected(found)).toEqual(['«Respiro nel bosco» costa 40 €.', 'Costa 40 euro a testa.'])
})

it('a new title of an event is found in articles, a price in words is none', () => {
  const found = eventMentions(
    { title: 'Respiro nel parco', price: 'offerta libera' },
    'Vieni a Respiro nel bosco!',
  )
  expect(corrected(found)).toEqual([
    '«Respiro nel parco» costa 35 €.',
    'Vieni a Respiro nel parco!',
  ])
})

it('items are searched for by digits that every spelling of an amount has', () => {
  const words = (was: string) =>
    searchWords({ kind: 'price', entry: '', titles: [], was, is: '1 €' })
  expect([words('95 €'), words('95,50 €'), words('1.200 €')]).toEqual(['95', '95', '200'])
})
