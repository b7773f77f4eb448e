import { expect, it } from 'vitest'
import type { Item, Kind } from '../../../api/schema'
import { itemSearchTexts, kindName } from './item-search-text'
import { matches } from './search-content'

const item: Item = {
  id: 'auzz5uvrf2026',
  published: true,
  sortOrder: 3,
  createdAt: '2026-11-23T18:49:55.022Z',
  updatedAt: '2026-11-23T18:49:55.022Z',
  imageUrl: '/objects/uploads/2026',
  slug: 'il-primo-respiro',
  title: 'Il primo respiro',
  description: 'Sul lago.',
  location: 'Como',
  date: '15 settembre 2027',
  time: '14:30',
  price: '45',
  content: 'Un **respiro**, [qui](/servizi).',
}
const finds = (kind: Kind, query: string) =>
  itemSearchTexts(kind, item).filter((text) => matches(text, query))

// Regression: '2026' found every item by its creation timestamp, and the result showed timestamp and id.
it('reads of an item what she reads of it, and nothing that the program keeps beside', () => {
  expect(itemSearchTexts('events', item)).toEqual([
    'Il primo respiro',
    'Sul lago.',
    'Un **respiro**, [qui](/servizi).',
    '15 settembre 2027',
    '14:30',
    'Como',
    '45\u00a0€',
  ])
  for (const query of ['auzz', '2026', '18:49', 'uploads'])
    expect([query, finds('events', query)]).toEqual([query, []])
  expect(finds('events', '45 euro')).toEqual(['45\u00a0€'])
})

it('reads an article without its signs, with the day it bears', () => {
  expect(itemSearchTexts('blog', item)).toEqual([
    'Il primo respiro',
    'Un respiro, qui.',
    '23 novembre 2026',
  ])
  expect(finds('blog', 'novembre 2026')).toEqual(['23 novembre 2026'])
})

// Regression: every kind was called 'Articoli'.
it('calls each kind as the panel does', () => {
  expect(kindName('events')).toBe('Eventi')
  expect(kindName('photo-gallery')).toBe('Galleria Fotografica')
  expect(kindName('blog')).toBe('Articoli')
})
