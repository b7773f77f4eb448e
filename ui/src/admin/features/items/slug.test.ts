import { describe, expect, it } from 'vitest'
import { SLUG_CHARACTERS_MAX, slugOf } from './slug'

describe('the address made from a title', () => {
  it('loses accents, capitals and punctuation', () => {
    expect(slugOf("Perché respirare? L'aria è già qui!")).toBe('perche-respirare-l-aria-e-gia-qui')
  })

  it('has no hyphen at its ends and none twice', () => {
    expect(slugOf('  — Ciao  --  mondo …')).toBe('ciao-mondo')
  })

  it('is empty when there is nothing to make it from', () => {
    expect(slugOf('🙂 …')).toBe('')
  })

  it('ends at a whole word when the title is long', () => {
    const slug = slugOf('respiro '.repeat(40))
    expect(slug.length).toBeLessThanOrEqual(SLUG_CHARACTERS_MAX)
    expect(slug.endsWith('respiro')).toBe(true)
  })
})
