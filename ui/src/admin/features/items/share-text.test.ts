import { describe, expect, it } from 'vitest'
import type { Item } from '../../api/schema'
import { wrap } from './share-picture'
import { factsOf, shareText } from './share-text'

const event = (fields: object) =>
  ({ id: 'e', published: true, sortOrder: 0, title: 'Cerchio', ...fields }) as unknown as Item

describe('the text to send', () => {
  it('has title, facts, description and address, each only where there is one', () => {
    const whole = event({
      date: 'sabato 12 dicembre 2026',
      time: '20:30',
      location: 'Sala Grande, Como',
      description: 'Una sera insieme.',
    })
    expect(shareText(whole, 'https://esempio.it/evento/e')).toBe(
      'Cerchio\n\nsabato 12 dicembre 2026\nore 20:30\nSala Grande, Como\n\nUna sera insieme.\n\nhttps://esempio.it/evento/e',
    )
    expect(shareText(event({}), 'https://esempio.it/evento/e')).toBe(
      'Cerchio\n\nhttps://esempio.it/evento/e',
    )
  })

  it('names an online event without a place, and leaves a time in words as it is', () => {
    expect(factsOf(event({ mode: 'Online', time: 'dopo cena' }))).toEqual(['dopo cena', 'Online'])
    expect(factsOf(event({ mode: 'In presenza', time: '' }))).toEqual([])
  })
})

describe('lines of a picture', () => {
  /** Each letter is one unit wide. */
  const letters = { measureText: (text: string) => ({ width: text.length }) as TextMetrics }

  it('break between words, within a word that has no room, and end in dots when there are too many', () => {
    expect(wrap(letters, 'Respirare bene per vivere', 14, 5)).toEqual([
      'Respirare bene',
      'per vivere',
    ])
    expect(wrap(letters, 'Un supercalifragilistico', 10, 5)).toEqual([
      'Un',
      'supercalif',
      'ragilistic',
      'o',
    ])
    expect(wrap(letters, 'uno due tre quattro cinque', 7, 2)).toEqual(['uno due', 'tre…'])
    expect(wrap(letters, 'abcdefghijkl', 4, 1)).toEqual(['abc…'])
    expect(wrap(letters, '  ', 4, 1)).toEqual([])
  })
})
