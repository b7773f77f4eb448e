import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type Price, readPrice, shownPrice } from './amount'

const table = readFileSync('../tests/data/amounts.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(/ = (?=[^=]*$)/))

/** The stored form, as src/content/amounts.rs writes it. */
function stored(price: Price | null): string {
  if (price === null) return 'unreadable'
  if (price.note === '' && price.cents === 0) return '0'
  const isPlain = price.note === '' && price.currency === 'EUR' && price.cents !== null
  const shown = shownPrice(price, '')
    .replace('\u00a0', ' ')
    .replace(/\.(?=\d{3})/g, '')
  return isPlain ? shown.replace(' €', '') : shown
}

describe('a price', () => {
  it.each(table)('%s is read as the server reads it', (text = '', expected = '') => {
    expect(stored(readPrice(text))).toBe(expected)
  })

  it('is shown as the site shows it', () => {
    const shown = (text: string) => {
      const price = readPrice(text)
      return price && shownPrice(price, 'Gratuito').replace('\u00a0', ' ')
    }
    expect(shown('1250')).toBe('1.250 €')
    expect(shown('45,50 CHF')).toBe('45,50 CHF')
    expect(shown('0')).toBe('Gratuito')
    expect(shown('15 € a persona')).toBe('15 € a persona')
  })
})
