import { expect, it } from 'vitest'
import { blockOf } from './block.fixture'
import type { Block, Field, Group } from './contract'
import { sumProblems } from './sums'

const line = (name: string): Field => ({ name, label: name, type: 'line' })
const list = (name: string, fields: readonly Field[]): Field => ({
  name,
  label: name,
  type: 'list',
  fields,
})
const euro = (whole: number) => ({ cents: whole * 100, currency: 'EUR' })

const session = { id: 'individual', price: euro(95) }
const base = {
  id: 'base',
  title: 'Base',
  price: euro(270),
  compare: 'saving',
  saving: '',
  parts: [{ id: '1', offer: 'individual', count: 3 }],
  description: 'Tre sessioni a 90 € invece di 95 €.',
}

const offers: Block = {
  ...blockOf([list('offers', [{ name: 'price', label: 'Prezzo', type: 'amount' }])], {
    offers: [session],
  }),
  id: 'servizi.offers',
}
const packages: Block = {
  ...blockOf([list('packages', [line('saving'), line('description')])], { packages: [base] }),
  id: 'pricing.packages',
}

/** What is said once these stand in the drafts. */
function said(drafts: Readonly<Record<string, Group>>) {
  return sumProblems([offers, packages], (block) => drafts[block.id] ?? block.value)
}

it('nothing is said while words and sums fit', () => {
  expect(said({})).toEqual([])
})

it('a saving in her own words is set beside the sum, and can be made right', () => {
  const own = { ...base, saving: 'Risparmi 25 €' }
  const [problem, ...others] = said({ 'pricing.packages': { packages: [own] } })
  expect(others).toEqual([])
  expect(problem?.path).toBe('packages[0].saving')
  expect(problem?.message).toBe('Il risparmio scritto è 25 €, il conto dice 15\u00a0€')
  expect(problem?.reckoning).toBe('3 × 95\u00a0€ - 270\u00a0€ = 15\u00a0€')
  expect(problem?.fix).toEqual({ label: 'Scrivi 15\u00a0€', text: 'Risparmi 15\u00a0€' })
})

it('an amount in words is named when the price behind it is another, and never rewritten', () => {
  const dearer = { offers: [{ ...session, price: euro(100) }] }
  const found = said({ 'servizi.offers': dearer })
  expect(found.map(({ path, fix }) => [path, fix])).toEqual([['packages[0].description', null]])
  expect(found[0]?.message).toContain('100\u00a0€')
})

it('a package that saves nothing any more is named at its price', () => {
  const cheap = { offers: [{ ...session, price: euro(80) }] }
  const paths = said({ 'servizi.offers': cheap }).map(({ path }) => path)
  expect(paths).toContain('packages[0].price')
})
