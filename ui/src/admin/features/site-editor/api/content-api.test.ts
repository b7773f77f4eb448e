import { describe, expect, it, vi } from 'vitest'
import { blockOf } from '../model/block.fixture'
import { restoreVersion } from './content-api'

describe('a version that comes back', () => {
  it('names what it comes back over, so that nobody is overwritten', async () => {
    const send = vi.fn(async (_path: string, _init: RequestInit) => Response.json({}))
    vi.stubGlobal('fetch', send)
    await restoreVersion({ ...blockOf([], {}), version: 'now' }, 'then')
    const [path, init] = send.mock.calls[0] ?? []
    expect(path).toBe('/api/admin/words/x.y/versions/then/restore')
    expect(new Headers(init?.headers).get('If-Match')).toBe('"now"')
    vi.unstubAllGlobals()
  })
})
