import { expect, it } from 'vitest'
import type { Block, Field, ObjectValue } from '../api/content-api'
import { blockOf } from '../model/block.fixture'
import { type PriceContext, priceContext } from '../model/price-context'
import { formerPrices } from './price-history'
import { findPriceMismatches } from './price-mismatch'

const line = (name: string): Field => ({ name, label: name, type: 'line' })
const list = (name: string, fields: readonly Field[]): Field => ({
  name,
  label: name,
  type: 'list',
  fields,
})
const euro = (whole: number) => ({ cents: whole * 100, currency: 'EUR' })

const session = { id: 'individual', title: 'Sessione', price: euro(95) }
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

const answers: Block = {
  ...blockOf([line('answer'), line('price')], { answer: '', price: '' }),
  id: 'contatti.faq',
}

/** Problems found with these drafts. */
function said(drafts: Readonly<Record<string, ObjectValue>>, earlier?: readonly PriceContext[]) {
  const blocks = [offers, packages, answers]
  return findPriceMismatches(blocks, (block) => drafts[block.id] ?? block.value, earlier)
}

const withPrice = (whole: number) => ({ offers: [{ ...session, price: euro(whole) }] })

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
  const found = said({ 'servizi.offers': withPrice(100) })
  expect(found.map(({ path, fix }) => [path, fix])).toEqual([['packages[0].description', null]])
  expect(found[0]?.message).toContain('100\u00a0€')
})

it('a package that saves nothing any more is named at its price', () => {
  const paths = said({ 'servizi.offers': withPrice(80) }).map(({ path }) => path)
  expect(paths).toContain('packages[0].price')
})

const answer = (text: string) => ({ [answers.id]: { answer: text, price: '' } })

// Regression: 100 € also was the default saving of ten sessions, so the message said 250 €.
it('an amount has become what it was last, and a price rather than what is reckoned', () => {
  const packagesAt = (whole: number) => ({ packages: [{ ...base, price: euro(whole) }] })
  const earlier = [
    priceContext(withPrice(100), packagesAt(200)),
    priceContext(withPrice(95), packagesAt(100)),
  ]
  const now = { 'servizi.offers': withPrice(110), ...answer('Una sessione costa 100 €') }
  const found = said(now, earlier).filter(({ path }) => path === 'answer')
  expect(found.map(({ message }) => message)).toEqual([
    'Anche «100 €» non torna: ora sono 110\u00a0€.',
  ])
})

it('each time that one of the two was saved is known as both stood then', () => {
  const version = (savedAt: string, value: ObjectValue | null) =>
    ({ savedAt, value, version: savedAt, hidden: false, account: null }) as const
  const past = formerPrices(
    { original: offers.default, versions: [version('3', withPrice(111)), version('1', null)] },
    { original: { packages: [] }, versions: [version('2', packages.default)] },
  )
  expect(past.map((sums) => sums.map(({ of, amount }) => `${of} ${amount}`)[0])).toEqual([
    'price 111\u00a0€',
    'price 95\u00a0€',
    'price 95\u00a0€',
  ])
  expect(past.map((sums) => sums.length)).toEqual([6, 6, 1])
  const [found] = said({ 'servizi.offers': withPrice(120), ...answer('Costa 111 €') }, past).slice(
    -1,
  )
  expect(found?.message).toBe('Anche «111 €» non torna: ora sono 120\u00a0€.')
})

it('an amount that was two things is named without what it is now', () => {
  const other = { ...base, id: 'other', title: 'Altro', price: euro(300) }
  const then = priceContext(withPrice(95), { packages: [{ ...base, price: euro(300) }, other] })
  const dear = { ...other, price: euro(310), compare: 'none', description: '' }
  const now = { 'pricing.packages': { packages: [base, dear] }, ...answer('In tutto 300 €') }
  expect(said(now, [then]).map(({ message }) => message)).toEqual([
    'Anche «300 €» non torna più con i prezzi di ora.',
  ])
})

it('another currency is another amount, and nothing is reckoned across the two', () => {
  const francs = { offers: [{ ...session, price: { cents: 9500, currency: 'CHF' } }] }
  const own = { ...base, saving: 'Risparmi 15 €', description: '' }
  const dear = { 'servizi.offers': francs, 'pricing.packages': { packages: [own] } }
  const found = said({ ...dear, ...answer('Costa 95 €') })
  expect(found.map(({ message }) => message)).toEqual([
    'Anche «95 €» non torna: ora sono 95\u00a0CHF.',
  ])
  expect(said({ ...dear, ...answer('Costa 95 CHF') })).toEqual([])
})

it('what is not offered any more is named where words and packages still count on it', () => {
  const chip = { text: ['da ', { price: 'individual' }] }
  const either = { text: [{ either: [['(', { price: 'individual' }, ')']] }] }
  const texts = { answer: 'Una sessione costa 95 euro', price: chip }
  const gone = { 'servizi.offers': { offers: [] } }
  const found = said({ ...gone, [answers.id]: texts })
  expect(found.map(({ path, message }) => [path, message])).toEqual([
    [
      'packages[0].parts[0].offer',
      'Il conto di questo pacchetto usa «Sessione», che non è più tra i servizi.',
    ],
    ['packages[0].description', "Anche «95 €» non torna: «Sessione» non c'è più."],
    ['answer', "Anche «95 euro» non torna: «Sessione» non c'è più."],
    [
      'price',
      'Qui sta il prezzo di «Sessione», che non è più tra i servizi: sul sito non si legge.',
    ],
  ])
  const quiet = { ...base, compare: 'none', description: '' }
  const unsaid = { 'pricing.packages': { packages: [quiet] }, [answers.id]: { answer: either } }
  expect(said({ ...gone, ...unsaid })).toEqual([])
  expect(said({ 'servizi.offers': withPrice(0), ...unsaid })).toEqual([])
})

// Regression: a removed service stayed in the structured data without a warning.
it('what engines are told of names services that are gone, and none that she named herself', () => {
  const services = [
    { id: '1', text: 'Sessioni individuali di Rebirthing' },
    { id: '5', text: 'Ritiri nel fine settimana' },
    { id: '4', text: 'Sessioni a domicilio di Rebirthing' },
    { id: 'f1', text: 'Camminate' },
  ]
  const fields = [list('services', [line('text')])]
  const told: Block = { ...blockOf(fields, { services }), id: 'seo.organization' }
  const items = [{ id: 'atHome', title: 'Sessioni a domicilio' }]
  const more: Block = {
    ...blockOf([list('items', [line('title')])], { items }),
    id: 'servizi.more',
  }
  const problems = (drafts: Readonly<Record<string, ObjectValue>>) =>
    findPriceMismatches([offers, packages, more, told], (block) => drafts[block.id] ?? block.value)
  const [gone, ...others] = problems({})
  expect(gone).toMatchObject({ block: told, path: 'services[1].text', fix: null })
  expect(gone?.message).toContain('«Ritiri nel fine settimana», che non è più tra i servizi')
  expect(others).toEqual([])
  const retreat = { ...session, id: 'retreat', title: 'Ritiri' }
  expect(problems({ 'servizi.offers': { offers: [session, retreat] } })).toEqual([])
  const renamed = services.map((one) =>
    one.id === '5' ? { ...one, text: 'Ritiri in barca' } : one,
  )
  expect(problems({ 'seo.organization': { services: renamed } })).toEqual([])
})
