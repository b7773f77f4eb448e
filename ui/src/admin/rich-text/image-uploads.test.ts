import { afterEach, describe, expect, it, vi } from 'vitest'
import { localUrlOf, rememberLocalFile } from './image-uploads'

afterEach(() => vi.restoreAllMocks())

describe('the local files of uploaded pictures', () => {
  // Regression: a hundred files of ten megabytes stayed in memory.
  it('are forgotten, the oldest first, when they take up too much memory', () => {
    let made = 0
    vi.spyOn(URL, 'createObjectURL').mockImplementation(() => {
      made += 1
      return `blob:${made}`
    })
    const revoked = vi.spyOn(URL, 'revokeObjectURL').mockReturnValue(undefined)
    const file = Object.defineProperty(new File([], 'a.jpg'), 'size', { value: 9_000_000 })
    for (let id = 1; id <= 10; id += 1) rememberLocalFile(`${id}`, file)
    expect(revoked.mock.calls).toEqual([['blob:1'], ['blob:2'], ['blob:3'], ['blob:4']])
    expect([localUrlOf('4'), localUrlOf('5')]).toEqual([null, 'blob:5'])
    rememberLocalFile('5', file)
    expect(localUrlOf('5')).toBe('blob:11')
  })
})
