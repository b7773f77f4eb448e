import { describe, expect, it } from 'vitest'
import { moved, positionText } from './reorder'

describe('moving in a list', () => {
  it('moves down and up', () => {
    expect(moved(['a', 'b', 'c'], 0, 2)).toEqual(['b', 'c', 'a'])
    expect(moved(['a', 'b', 'c'], 2, 0)).toEqual(['c', 'a', 'b'])
    expect(moved(['a', 'b', 'c'], 1, 0)).toEqual(['b', 'a', 'c'])
  })

  it('gives the same list back when nothing can move', () => {
    const list = ['a', 'b']
    expect(moved(list, 0, 0)).toBe(list)
    expect(moved(list, 0, -1)).toBe(list)
    expect(moved(list, 1, 2)).toBe(list)
    expect(moved(list, 5, 0)).toBe(list)
  })

  it('says the position as people count it', () => {
    expect(positionText('Marta B.', 2, 12)).toBe('Marta B.: posizione 3 di 12')
  })
})
