import { describe, expect, it } from 'vitest'
import { keyEntries } from './entry-keys'

describe('the key of an entry', () => {
  const [one, two, three] = [{ title: 'Uno' }, { title: 'Due' }, { title: 'Tre' }] as const
  const first = keyEntries([one, two, three], null)
  const [keyOne, keyTwo, keyThree] = first.keys

  it('follows a new entry that moves', () => {
    expect(keyEntries([two, one, three], first).keys).toEqual([keyTwo, keyOne, keyThree])
  })

  it('does not go to the neighbour of an entry that is removed', () => {
    expect(keyEntries([one, three], first).keys).toEqual([keyOne, keyThree])
  })

  it('is another one for an entry that is put in before', () => {
    const { keys } = keyEntries([{ title: '' }, one, two, three], first)
    expect(keys.slice(1)).toEqual(first.keys)
    expect(first.keys).not.toContain(keys[0])
  })

  it('stays while a new entry is edited, and when publishing gives it an id', () => {
    const edited = keyEntries([one, { title: 'Duetto' }, three], first)
    expect(edited.keys).toEqual(first.keys)
    const published = keyEntries([one, { id: 'due', title: 'Duetto' }, three], edited)
    expect(published.keys).toEqual(first.keys)
  })

  it('follows an id when the whole list is read anew', () => {
    const stored = keyEntries([{ id: 'a' }, { id: 'b' }], null)
    expect(keyEntries([{ id: 'b' }, { id: 'a' }], stored).keys).toEqual([...stored.keys].reverse())
  })

  it('never stands twice', () => {
    const same = keyEntries([one, one], null)
    expect(new Set(same.keys).size).toBe(2)
    expect(new Set(keyEntries([one, one, one], same).keys).size).toBe(3)
  })
})
