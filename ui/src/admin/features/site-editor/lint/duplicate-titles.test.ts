import { expect, it } from 'vitest'
import type { Block, Field } from '../api/content-api'
import { blockOf } from '../model/block.fixture'
import { findDuplicateTitle } from './duplicate-titles'

const fields: readonly Field[] = [{ name: 'title', label: 'Titolo', type: 'line' }]
const known = { settings: {}, settingLabels: {}, blocks: [] }

function searchOf(name: string, page: string, title: string): Block {
  return { ...blockOf(fields, { title }), id: `seo.${name}`, pages: [page] }
}

const services = searchOf('servizi', '/servizi', 'Sessioni di respiro')
const others = [
  searchOf('home', '/', 'Rebirthing'),
  searchOf('privacy', '/privacy', 'Sessioni di respiro'),
  searchOf('evento-not-found', '/evento/{id}', 'Sessioni di respiro'),
]

it('names another page of the same title, as it stands in the drafts', () => {
  const same = (block: Block, title: string) =>
    findDuplicateTitle(
      services,
      [services, ...others],
      (one) => (one === block ? { title } : one.value),
      known,
    )
  expect(same(services, 'Sessioni di respiro')).toBeUndefined()
  expect(same(services, ' rebirthing')?.name).toBe('home')
  expect(same(services, '')).toBeUndefined()
})
