import { describe, expect, it } from 'vitest'
import { kindHref, placeOf } from './routes'

describe('the places of the panel', () => {
  it('start at the testimonials', () => {
    expect(placeOf('/')).toEqual({ area: 'contenuti', kind: 'course-testimonials' })
  })

  it('are found again by their address', () => {
    expect(placeOf(kindHref('events').slice(1))).toEqual({ area: 'contenuti', kind: 'events' })
    expect(placeOf(kindHref('blog').slice(1)).area).toBe('blog')
  })

  it('fall back when the address makes no sense', () => {
    expect(placeOf('/altro/cosa')).toEqual({ area: 'contenuti', kind: 'course-testimonials' })
    expect(placeOf('/contenuti/blog').kind).toBe('course-testimonials')
  })
})
