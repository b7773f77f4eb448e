import { describe, expect, it } from 'vitest'
import { mergeFields, resolveConflicts } from './merge-fields'

const ground = { title: 'Serata', description: 'Breve', url: '', imageUrl: '/a', imageFocusX: 50 }

describe('merge', () => {
  it('takes from each side what only that side changed', () => {
    const mine = { ...ground, title: 'Serata nuova' }
    const other = { ...ground, description: 'Lunga', url: null }
    const { values, clashes } = mergeFields(ground, mine, other)
    expect(values).toMatchObject({ title: 'Serata nuova', description: 'Lunga' })
    expect(clashes).toEqual([])
  })

  it('asks only where both changed the same field, and not to the same', () => {
    const mine = { ...ground, title: 'Mio', description: 'Uguale' }
    const other = { ...ground, title: 'Suo', description: 'Uguale' }
    expect(mergeFields(ground, mine, other).clashes).toEqual([
      { name: 'title', mine: 'Mio', other: 'Suo' },
    ])
  })

  it('lets the focus follow its picture', () => {
    const mine = { ...ground, imageUrl: '/b', imageFocusX: 10 }
    const other = { ...ground, imageUrl: '/c', imageFocusX: 90 }
    const merged = mergeFields(ground, mine, other)
    expect(merged.clashes.map(({ name }) => name)).toEqual(['imageUrl'])
    expect(resolveConflicts(merged, other, ['imageUrl'])).toMatchObject({
      imageUrl: '/c',
      imageFocusX: 90,
    })
    expect(resolveConflicts(merged, other, [])).toMatchObject({ imageUrl: '/b', imageFocusX: 10 })
  })
})
