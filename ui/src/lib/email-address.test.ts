import { expect, test } from 'vitest'
// The examples of the server's test too, so that both rules stay one.
import examples from '../../../tests/data/email-addresses.json'
import { isEmailAddress } from './email-address'
import { visibleText } from './invisible-characters'

test('an address has a domain that mail can reach', () => {
  for (const [typed = '', stored = ''] of examples.valid) {
    expect(visibleText(typed).trim()).toBe(stored)
    expect(isEmailAddress(stored), stored).toBe(true)
  }
  expect(examples.invalid.filter(isEmailAddress)).toEqual([])
  expect(isEmailAddress(`${'a'.repeat(65)}@example.com`)).toBe(false)
})
