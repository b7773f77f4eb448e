import { expect, test } from 'vitest'
import { encodeMarker } from '../../lib/content-source-map'
import { fitOf, isLongName } from './header-fit'

type Labels = readonly string[]

function menu(left: Labels, right: Labels) {
  const entries = (labels: Labels) =>
    labels.map((label) => ({ id: label, label, labelLink: '/contatti' }))
  return { left: entries(left), right: entries(right) }
}

const left = ['Home', 'Chi Sono', "Cos'è il Rebirthing"]
const right = ['Testimonianze', 'Eventi', 'Contatti']
const long = 'Maria Addolorata Quattrocchi Della Valle'

test('the entries stand beside the name while there is room for them', () => {
  expect(fitOf(menu(left, right), 'Respiro')).toBe('roomy')
  expect(fitOf(menu(left, right), long)).toBe('roomy')
  expect(fitOf(menu([...left, 'Servizi e prezzi'], [...right, 'Blog']), 'Respiro')).toBe('roomy')
})

// Regression: source markers counted as letters, and the page in the editor had no menu to type in.
test('what tells the editor where an entry comes from takes no room', () => {
  const marked = (labels: Labels) =>
    labels.map((label, index) => label + encodeMarker(1000 + index))
  expect(fitOf(menu(marked(left), marked(right)), 'Respiro')).toBe('roomy')
})

test('more entries, longer ones and a longer name leave room on large screens, then nowhere', () => {
  const more = [...left, 'Servizi e prezzi', 'Aziende e sport']
  expect(fitOf(menu(more, [...right, 'Blog']), 'Respiro')).toBe('crowded')
  expect(fitOf(menu(more, [...right, 'Blog', 'Domande frequenti']), 'Respiro')).toBe('full')
  expect(fitOf(menu(more, [...right, 'Blog']), long)).toBe('full')
  expect(fitOf(menu(['W'.repeat(40)], ['W'.repeat(40)]), 'Respiro')).toBe('full')
})

test('a name is long by its letters, or by those of one word', () => {
  expect(isLongName('Respiro')).toBe(false)
  expect(isLongName('Respiro Consapevole')).toBe(false)
  expect(isLongName('Rebirthingconsapevole')).toBe(true)
  expect(isLongName(long)).toBe(true)
})
