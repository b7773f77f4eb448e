import { expect, it } from 'vitest'
import { isBroken } from './links'

it('says of an address of the site that no page of it is there', () => {
  expect(['/non-esiste', '/non-esiste/', '/non-esiste#qui'].filter(isBroken)).toHaveLength(3)
  const good = ['/', '/servizi', '/servizi/#prezzi', '/privacy?da=menu', '#qui', '', '/feed.xml']
  const unknown = ['/evento/abc', '/contatti/per/ritiro', 'https://example.com/non-esiste']
  expect([...good, ...unknown].filter(isBroken)).toEqual([])
})
