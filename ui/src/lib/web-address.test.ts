import { expect, it } from 'vitest'
// The examples of the server's tests too, so that both rules stay one.
import examples from '../../../tests/data/web-addresses.json'
import { visibleText } from './invisible-characters'
import { completeWebAddress, isWebAddress } from './web-address'

const read = (typed: string) => completeWebAddress(visibleText(typed).trim())

it.each(examples.valid)('%j is read as the server reads it', (typed = '', stored = '') => {
  expect(isWebAddress(read(typed))).toBe(true)
  expect(read(typed).toLowerCase()).toBe(stored.toLowerCase())
})

it.each(examples.invalid)('%j is none, for the server too', (typed) => {
  expect(isWebAddress(read(typed))).toBe(false)
})
