import { expect, it } from 'vitest'
import { blockOf, namesField } from './block.fixture'
import { reuseUnchanged } from './reuse-unchanged'

const block = (id: string, version: string) => ({
  ...blockOf([namesField('list')], {}),
  id,
  version,
})

it('what says the same is the very same, block by block', () => {
  const former = [block('a', '1'), block('b', '1')]
  expect(reuseUnchanged(former, structuredClone(former))).toBe(former)
  const mixed = reuseUnchanged(former, [block('a', '1'), block('b', '2')])
  expect(mixed).not.toBe(former)
  expect(mixed[0]).toBe(former[0])
  expect(mixed[1]?.version).toBe('2')
})

it('what came, went or moved is another list', () => {
  const former = [block('a', '1'), block('b', '1')]
  expect(reuseUnchanged(null, former)).toEqual(former)
  expect(reuseUnchanged(former, [block('a', '1')])).toHaveLength(1)
  const moved = reuseUnchanged(former, [block('b', '1'), block('a', '1')])
  expect(moved.map(({ id }) => id)).toEqual(['b', 'a'])
})
