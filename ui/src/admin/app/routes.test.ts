import { describe, expect, it } from 'vitest'
import { kindHref, parseRoute } from './routes'

describe('the places of the panel', () => {
  it('start at the testimonials', () => {
    expect(parseRoute('/')).toEqual({ area: 'contenuti', kind: 'course-testimonials', rest: [] })
  })

  it('are found again by their address', () => {
    expect(parseRoute(kindHref('events').slice(1))).toMatchObject({
      area: 'contenuti',
      kind: 'events',
    })
    expect(parseRoute(kindHref('blog').slice(1)).area).toBe('blog')
  })

  it('go down to a place on a page of the site', () => {
    expect(parseRoute('/pagine/servizi/servizi.offers%3Aoffers%5B2%5D.price')).toMatchObject({
      area: 'pagine',
      rest: ['servizi', 'servizi.offers:offers[2].price'],
    })
    expect(parseRoute('/pagine/%E0%A4%A')).toMatchObject({ rest: ['%E0%A4%A'] })
  })

  it('fall back when the address makes no sense', () => {
    expect(parseRoute('/altro/cosa')).toMatchObject({
      area: 'contenuti',
      kind: 'course-testimonials',
    })
    expect(parseRoute('/contenuti/blog').kind).toBe('course-testimonials')
  })
})
