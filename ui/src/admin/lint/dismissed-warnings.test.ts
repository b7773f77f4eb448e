import { beforeEach, expect, it, vi } from 'vitest'
import { dismissedTexts, dismissWarning, watchDismissedWarnings } from './dismissed-warnings'

const shelf = new Map<string, string>()
let isFull = false
const localStorage = {
  getItem: (name: string) => shelf.get(name) ?? null,
  setItem: (name: string, text: string) => {
    if (isFull) throw new Error('full')
    shelf.set(name, text)
  },
  removeItem: (name: string) => void shelf.delete(name),
}
vi.stubGlobal('window', Object.assign(new EventTarget(), { localStorage }))

beforeEach(() => {
  isFull = false
  shelf.clear()
})

// Regression: the second dismissal of a visit overwrote those of another tab.
it('keeps what another tab left meanwhile', () => {
  dismissWarning('words', 'a', 'Uno')
  shelf.set('words', JSON.stringify({ a: 'Uno', b: 'Due' }))
  dismissWarning('words', 'c', 'Tre')
  expect(dismissedTexts('words')).toEqual({ a: 'Uno', b: 'Due', c: 'Tre' })
})

it('is kept for this visit where the device keeps nothing', () => {
  isFull = true
  dismissWarning('words', 'a', 'Uno')
  dismissWarning('words', 'b', 'Due')
  expect(dismissedTexts('words')).toEqual({ a: 'Uno', b: 'Due' })
  isFull = false
  dismissWarning('words', 'c', 'Tre')
  expect(JSON.parse(shelf.get('words') ?? '')).toEqual({ a: 'Uno', b: 'Due', c: 'Tre' })
})

it('is told wherever the same hint is shown', () => {
  const told = vi.fn()
  const end = watchDismissedWarnings(told)
  dismissWarning('words', 'a', 'Uno')
  expect(told).toHaveBeenCalledTimes(1)
  end()
  dismissWarning('words', 'b', 'Due')
  expect(told).toHaveBeenCalledTimes(1)
})
