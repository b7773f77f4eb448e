import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasMarks, marked, markOf, partsOf, pathTo, placeOf, unmarked } from './word-marks'

describe('marks behind the words of a page', () => {
  it('tell where a text comes from, and leave it as it is', () => {
    const text = marked('95 €', 'servizi.offers:offers[2].price')
    expect(partsOf(text)).toEqual([{ text: '95 €', path: 'servizi.offers:offers[2].price' }])
    expect(unmarked(text)).toBe('95 €')
  })

  it('tell several in one text apart, also empty ones', () => {
    const text = `Da ${marked('', 'a:x')}${marked('Lago', 'b:y#1')}.`
    expect(partsOf(text)).toEqual([
      { text: 'Da ', path: 'a:x' },
      { text: 'Lago', path: 'b:y#1' },
      { text: '.', path: null },
    ])
  })

  it('survive any path and any text', () => {
    const path = fc.stringMatching(/^[ -~]{0,60}$/)
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !hasMarks(text))
    fc.assert(
      fc.property(plain, path, (text, where) => {
        expect(partsOf(marked(text, where))).toEqual([{ text, path: where }])
      }),
    )
  })

  it('are not made of what people write', () => {
    expect(hasMarks('❤️ 👩‍🏫 🏴󠁧󠁢󠁥󠁮󠁧󠁿 e\u0301')).toBe(false)
    expect(markOf('è')).toBe('')
  })

  it('of a mark that was cut nothing is left to see', () => {
    const cut = marked('Lago', 'a:x').slice(0, -4)
    expect(partsOf(cut)).toEqual([{ text: 'Lago', path: null }])
  })
})

describe('a path', () => {
  it('names block, field and paragraph', () => {
    const place = { block: 'chi-sono.biography', field: 'texts[1].body', paragraph: 3 }
    expect(placeOf(pathTo(place))).toEqual(place)
    expect(placeOf('home.quote:')).toEqual({ block: 'home.quote', field: '', paragraph: null })
  })

  it('of another shape is none', () => {
    expect(placeOf('home')).toBeNull()
    expect(placeOf('')).toBeNull()
  })
})
