import { expect, it } from 'vitest'
import { changeText, isEvent, pageName, partName, sourceName } from './statistics-report'

it('compares with the period before, and says when there is none', () => {
  expect(changeText(15, 10)).toBe('50% in più del periodo prima')
  expect(changeText(5, 10)).toBe('50% in meno del periodo prima')
  expect(changeText(1001, 1000)).toBe('Come nel periodo prima')
  expect(changeText(3, 0)).toBe('Ancora senza confronto')
  expect(changeText(3, undefined)).toBe('Ancora senza confronto')
})

it('names days, months, pages and sources', () => {
  expect(partName('days', '2026-11-22')).toBe('22 novembre')
  expect(partName('months', '2026-11-01')).toBe('novembre 2026')
  expect(pageName({ is: 'page', path: '/', title: null })).toBe('Home')
  expect(pageName({ is: 'page', path: '/eventi/pagina/2', title: null })).toBe('/eventi/pagina/2')
  expect(pageName({ is: 'page', path: '/evento/x', title: 'Cerchio' })).toBe('Cerchio')
  expect(pageName({ is: 'removed', path: '/evento/x' })).toBe('Pagina non più pubblicata')
  expect(isEvent({ is: 'removed', path: '/evento/x' })).toBe(true)
  expect(sourceName({ is: 'direct' })).toBe('Indirizzo scritto o messaggio')
  expect(sourceName({ is: 'host', host: 'a.example' })).toBe('a.example')
  expect(sourceName({ is: 'host', host: 'facebook.com' })).toBe('Facebook')
  expect(sourceName({ is: 'host', host: 'mail.google.com' })).toBe('Gmail')
})
