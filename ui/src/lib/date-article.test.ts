import { expect, it } from 'vitest'
import { withArticle } from './date-article'

it('a date takes the article that is spoken before its day', () => {
  expect(withArticle('il', '12 marzo 2027')).toBe('il 12 marzo 2027')
  expect(withArticle('il', '8 marzo 2027')).toBe('l’8 marzo 2027')
  expect(withArticle('dal', '11 marzo 2027')).toBe('dall’11 marzo 2027')
  expect(withArticle('del', '8 marzo')).toBe('dell’8 marzo')
  expect(withArticle('al', '18 marzo')).toBe('al 18 marzo')
  expect(withArticle('al', '11')).toBe('all’11')
})
