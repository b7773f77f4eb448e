import { expect, it } from 'vitest'
import { counted } from './plural'

it('agrees with 0, 1, 2 and 21', () => {
  const events = [0, 1, 2, 21].map((n) => counted(n, '1 evento', '{n} eventi'))
  expect(events).toEqual(['0 eventi', '1 evento', '2 eventi', '21 eventi'])
  const pages = [0, 1, 2, 21].map((n) => counted(n, 'un’altra', 'altre {n}', 'nessun’altra'))
  expect(pages).toEqual(['nessun’altra', 'un’altra', 'altre 2', 'altre 21'])
})
