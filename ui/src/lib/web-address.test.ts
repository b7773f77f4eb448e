import { expect, it } from 'vitest'
import { normaliseUrl } from './web-address'

it.each([
  ['www.sito.it', 'https://www.sito.it'],
  [' sito.it/pagina?a=1 ', 'https://sito.it/pagina?a=1'],
  ['città.example:8080/x', 'https://città.example:8080/x'],
])('completes %s', (written, whole) => {
  expect(normaliseUrl(written)).toBe(whole)
})

it.each([
  '',
  'https://sito.it',
  'http://sito.it',
  'mailto:a@b.it',
  'a@b.it',
  'www.sito',
  'sito',
  'due parole.it',
  'javascript:alert(1)',
  '//sito.it',
  '.it',
])('leaves %s alone', (written) => {
  expect(normaliseUrl(written)).toBe(written)
})
