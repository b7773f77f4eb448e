import { expect, it, vi } from 'vitest'
import { useItems } from './items-store'

const call = vi.hoisted(() => vi.fn(async () => ({ items: [], found: 0, total: 0 })))
vi.mock('./client', () => ({ call, isStatus: () => false }))
vi.mock('../conflicts/save-with-merge', () => ({}))

// At a planned moment the session had ended: in the middle of a sentence the sheet came, and the rest of it
// went into the password.
it('what reads a list by itself asks nobody who is writing for a password', async () => {
  const path = '/api/admin/events/page?limit=100&offset=0&search='
  await useItems.getState().load('events', true)
  expect(call).toHaveBeenLastCalledWith('GET', path, undefined, true)
  await useItems.getState().load('events')
  expect(call).toHaveBeenLastCalledWith('GET', path, undefined, false)
})
