import { expect, it } from 'vitest'
import { lengthProblem, textLength } from './text-length'

it('counts characters as the server does: a pair of surrogates once, blanks at the ends not', () => {
  expect(textLength(' 🌊è ')).toBe(2)
  expect(lengthProblem(`${'🌊'.repeat(5)}  `, 5)).toBeNull()
})

it('says by how much a text is too long', () => {
  expect(lengthProblem('abcdef', 5)).toBe('Un carattere di troppo: accorcia il testo.')
  expect(lengthProblem('abcdefg', 5)).toBe('2 caratteri di troppo: accorcia il testo.')
})
