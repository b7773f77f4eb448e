import { beforeEach, expect, it, vi } from 'vitest'
import { imagePathsIn, reuploadMissing, withReuploadedPaths } from './reupload'
import { cachedFile, cacheFile, evictFiles } from './upload-cache'

const sent: File[] = []
/** What the server answers instead of taking a file. */
let refusal: number | null = null
vi.mock('./client', () => ({
  isStatus: (error: unknown, status: number) => error === status,
  uploadFile: async (file: File) => {
    if (refusal !== null) throw refusal
    sent.push(file)
    return pathOf(String(sent.length + 1))
  },
}))

const pathOf = (digit: string) => `/objects/uploads/${digit.padStart(26, 'a')}`

/** As browsers keep answers by their address. */
class Answers {
  readonly all = new Map<string, Response>()
  put = async (path: string, answer: Response) => void this.all.set(path, answer)
  match = async (path: string) => this.all.get(path)?.clone()
  keys = async () => [...this.all.keys()]
  delete = async (path: string) => this.all.delete(path)
}

let store = new Answers()
/** What the server still has. */
let there: readonly string[] = []

beforeEach(() => {
  store = new Answers()
  sent.length = 0
  vi.stubGlobal('caches', { open: async () => store })
  vi.stubGlobal('fetch', async (path: string) => ({ status: there.includes(path) ? 200 : 404 }))
})

const file = (name: string, bytes = 3) =>
  new File([new Uint8Array(bytes)], name, { type: 'image/png' })

it('sends what is kept here, names what is nowhere, and leaves alone what is there', async () => {
  const [mine, other, kept] = ['7', '6', '5'].map(pathOf) as [string, string, string]
  there = [kept]
  await cacheFile(mine, file('città.png'))
  const { fresh, gone } = await reuploadMissing([mine, mine, other, kept])
  expect([...fresh]).toEqual([[mine, pathOf('2')]])
  expect([...gone]).toEqual([other])
  expect(sent.map(({ name, type, size }) => [name, type, size])).toEqual([
    ['città.png', 'image/png', 3],
  ])
})

// Taken out of the draft, and lost, where the session had ended or the disk was full.
it('is gone where the file is refused, and not where the server takes none now', async () => {
  there = []
  const mine = pathOf('7')
  await cacheFile(mine, file('a.png'))
  for (const [status, isGone] of [
    [0, false],
    [401, false],
    [429, false],
    [503, false],
    [507, false],
    [415, true],
    [422, true],
  ] as const) {
    refusal = status
    const { fresh, gone } = await reuploadMissing([mine])
    expect([status, fresh.size, gone.has(mine)]).toEqual([status, 0, isGone])
  }
  refusal = null
})

it('gives each text of a form the new path', async () => {
  there = []
  const mine = pathOf('7')
  await cacheFile(mine, file('a.png'))
  const content = `Prima.\n\n![](${mine})\n\n![](${pathOf('4')})`
  const fields = { title: 'Mio', content, imageUrl: mine, rating: 5 }
  expect(imagePathsIn(fields)).toHaveLength(3)
  const fresh = pathOf('2')
  expect(await withReuploadedPaths(fields)).toEqual({
    content: content.replace(mine, fresh),
    imageUrl: fresh,
  })
})

it('keeps the newest, within a number and a size, and forgets what is published', async () => {
  for (let at = 0; at < 30; at += 1) await cacheFile(`/u/${at}`, file(`${at}.png`))
  expect(store.all.size).toBe(24)
  await evictFiles(store.all.keys())
  const large = 40 * 1_048_576
  for (const path of ['/u/a', '/u/b', '/u/c']) {
    vi.setSystemTime(Date.now() + 1_000)
    await cacheFile(path, file(path, large))
  }
  vi.useRealTimers()
  expect([...store.all.keys()]).toEqual(['/u/b', '/u/c'])
})

it('does without where the browser keeps nothing', async () => {
  vi.stubGlobal('caches', undefined)
  there = []
  await cacheFile(pathOf('7'), file('a.png'))
  expect(await cachedFile(pathOf('7'))).toBeNull()
  expect([...(await reuploadMissing([pathOf('7')])).gone]).toEqual([pathOf('7')])
})
