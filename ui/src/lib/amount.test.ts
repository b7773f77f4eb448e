import { describe, expect, it } from 'vitest'
import table from '../../../tests/data/amounts.json'
import { type Price, readPrice, shownPrice } from './amount'
import { visibleText } from './invisible-characters'

/** The stored form, as src/content/amounts.rs writes it. */
function stored(price: Price | null): string | null {
  if (price === null) return null
  if (price.note === '' && price.cents === 0) return '0'
  const isPlain = price.note === '' && price.currency === 'EUR' && price.cents !== null
  const shown = shownPrice(price, '')
    .replace('\u00a0', ' ')
    .replace(/\.(?=\d{3})/g, '')
  return isPlain ? shown.replace(' €', '') : shown
}

describe('a price', () => {
  it.each(table)('%j is read as the server reads it', (text, expected) => {
    expect(stored(readPrice(visibleText(text ?? '')))).toBe(expected)
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
