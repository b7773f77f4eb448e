import { describe, expect, it } from 'vitest'
import { bodyOf, formValues, type Item, kindSpecs, pagePath, problemsOf, titleOf } from './schema'

const words = {
  count: 'numero',
  required: 'manca',
  url: 'indirizzo',
  email: 'mail',
  price: 'price',
  slug: 'slug',
}

function item(fields: Partial<Item>): Item {
  const times = { createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }
  return { id: '1', published: true, sortOrder: 0, ...times, ...fields }
}

describe('the tables as the panel reads them', () => {
  it('start a testimonial with five stars and published', () => {
    expect(formValues('course-testimonials', null)).toMatchObject({
      name: '',
      rating: 5,
      published: true,
    })
  })

  it('start an event as a draft and in the middle of its picture', () => {
    const values = formValues('events', null)
    expect(values).toMatchObject({ published: false, imageFocusX: 50, imageDecorative: false })
    expect(values).not.toHaveProperty('sortOrder')
  })

  it('keep the order of an item that exists', () => {
    expect(formValues('events', item({ title: 'Serata', sortOrder: 4 }))).toMatchObject({
      title: 'Serata',
      sortOrder: 4,
    })
  })

  it('refuse what is empty, blank or no address', () => {
    const values = { ...formValues('course-testimonials', null), name: '  ', testimonial: 'Sì' }
    expect(problemsOf('course-testimonials', values, words)).toEqual({ name: 'manca' })
    const event = { ...formValues('events', null), title: 'Serata', url: 'example.com' }
    // It only lacks its beginning, which is put there.
    expect(problemsOf('events', event, words)).toEqual({})
    const evil = { ...event, url: 'javascript:alert(1)' }
    expect(problemsOf('events', evil, words)).toEqual({ url: 'indirizzo' })
    for (const placesLeft of ['tre', '1.5', 10_000])
      expect(problemsOf('events', { ...event, placesLeft }, words)).toEqual({
        placesLeft: 'numero',
      })
    for (const placesLeft of ['', 0, 9_999])
      expect(problemsOf('events', { ...event, placesLeft }, words)).toEqual({})
  })

  it('send trimmed texts, and null for empty ones', () => {
    const values = { name: ' Marta ', url: 'sito.it ', profession: ' ', rating: 5 }
    expect(bodyOf(values, kindSpecs.events.fields)).toEqual({
      name: 'Marta',
      url: 'https://sito.it',
      profession: null,
      rating: 5,
    })
  })

  it('know where an item has its page', () => {
    expect(pagePath('events', item({ id: 'x1' }))).toBe('/evento/x1')
    expect(pagePath('blog', item({ slug: 'ciao' }))).toBe('/blog/ciao')
    expect(pagePath('photo-gallery', item({}))).toBeNull()
  })

  it('name an item by its title, its name, or say that it has none', () => {
    expect(titleOf(item({ name: 'Marta' }), 'Senza titolo')).toBe('Marta')
    expect(titleOf(item({ title: null }), 'Senza titolo')).toBe('Senza titolo')
  })
})
