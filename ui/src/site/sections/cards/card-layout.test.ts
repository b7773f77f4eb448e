import { describe, expect, test } from 'vitest'
import { cardLayout, cardSizes } from './card-layout'

const part = { third: 1 / 3, half: 1 / 2, whole: 1 } as const

/** Sums the shares of the cards in each row; full rows have the sum 1. */
function rows(parts: readonly number[]): number[] {
  const full: number[] = []
  let row = 0
  for (const one of parts) {
    if (row + one > 1.001) {
      full.push(row)
      row = 0
    }
    row += one
  }
  return row > 0 ? [...full, row] : full
}

describe('the places of cards', () => {
  test.each([false, true])(
    'fill every row on wide screens and on tablets (lead: %s)',
    (hasLead) => {
      for (let count = 0; count <= 30; count += 1) {
        const places = cardLayout(count, hasLead)
        expect(places).toHaveLength(count)
        for (const row of rows(places.map(({ share }) => part[share]))) expect(row).toBeCloseTo(1)
        for (const row of rows(places.map(({ isAlone }) => (isAlone ? 1 : 0.5))))
          expect(row, `${count} cards`).toBeCloseTo(1)
      }
    },
  )

  test('a lead has its own row, and two halves follow', () => {
    expect(cardLayout(6, true).map(({ share }) => share)).toEqual([
      'whole',
      'half',
      'half',
      'third',
      'third',
      'third',
    ])
  })

  test('four cards are two rows of two, never three and a lonely one', () => {
    expect(cardLayout(4).map(({ share }) => share)).toEqual(['half', 'half', 'half', 'half'])
  })

  test('a larger share asks for a larger picture', () => {
    const width = (share: keyof typeof part) =>
      Number(/76rem\) (\d+)rem/.exec(cardSizes({ share, isAlone: false }))?.[1])
    expect(width('third')).toBeLessThan(width('half'))
    expect(width('half')).toBeLessThan(width('whole'))
  })
})
