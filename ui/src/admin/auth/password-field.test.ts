import { describe, expect, it } from 'vitest'
import { strengthOf } from './password-field'

describe('the strength of a password', () => {
  it('is none under twelve characters', () => {
    expect(strengthOf('Xk3!pq9#Lm2')).toBe(0)
  })

  it('grows with length and variety', () => {
    expect(strengthOf('aaaaaaaaaaaaaaaa')).toBe(1)
    expect(strengthOf('lago calmo 7!')).toBe(2)
    expect(strengthOf('lago calmo alle sette')).toBe(3)
  })
})
