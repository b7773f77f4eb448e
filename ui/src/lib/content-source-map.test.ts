import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeMarker,
  hasMarkers,
  parseFieldTarget,
  partsOf,
  stripMarkers,
} from './content-source-map'

const places = ['servizi.offers:offers[2].price', 'a:x', 'b:y#1']

describe('marks behind the words of a page', () => {
  it('tell where a text comes from, and leave it as it is', () => {
    const text = `95 €${encodeMarker(0)}`
    expect(partsOf(text, places)).toEqual([{ text: '95 €', path: places[0] }])
    expect(stripMarkers(text)).toBe('95 €')
  })

  it('tell several in one text apart, also empty ones', () => {
    const text = `Da ${encodeMarker(1)}Lago${encodeMarker(2)}.`
    expect(partsOf(text, places)).toEqual([
      { text: 'Da ', path: 'a:x' },
      { text: 'Lago', path: 'b:y#1' },
      { text: '.', path: null },
    ])
  })

  it('survive any number and any text', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => stripMarkers(text) === text)
    fc.assert(
      fc.property(plain, fc.nat(5000), (text, number) => {
        const known = Array.from({ length: 5001 }, (_, index) => `a:f${index}`)
        const marked = text + encodeMarker(number)
        expect(partsOf(marked, known)).toEqual([{ text, path: `a:f${number}` }])
      }),
    )
  })

  it('of a mark that was cut, or leads nowhere, nothing is left to see', () => {
    expect(partsOf(`Lago${encodeMarker(1)}`.slice(0, -1), places)).toEqual([
      { text: 'Lago', path: null },
    ])
    expect(partsOf(`Lago${encodeMarker(77)}`, places)).toEqual([{ text: 'Lago', path: null }])
    expect(hasMarkers('❤️ 👩‍🏫 e\u0301')).toBe(false)
  })
})

describe('a path', () => {
  it('names block, field and paragraph', () => {
    expect(parseFieldTarget('chi-sono.biography:texts[1].body#3')).toEqual({
      block: 'chi-sono.biography',
      field: 'texts[1].body',
      paragraph: 3,
    })
    expect(parseFieldTarget('home.quote:')).toEqual({
      block: 'home.quote',
      field: '',
      paragraph: null,
    })
  })

  it('of another shape is none', () => {
    expect(parseFieldTarget('home')).toBeNull()
    expect(parseFieldTarget('')).toBeNull()
  })
})
