import { expect, test } from 'vitest'
// The examples of the server's test too, so that both rules stay one.
import examples from '../../../tests/data/email-addresses.json'
import { isEmailAddress } from './email-address'

test('an address has a domain that mail can reach', () => {
  expect(examples.valid.filter((address) => !isEmailAddress(address))).toEqual([])
  expect(examples.invalid.filter(isEmailAddress)).toEqual([])
  expect(isEmailAddress(`${'a'.repeat(65)}@example.com`)).toBe(false)
})
