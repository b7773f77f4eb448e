import { describe, expect, it } from 'vitest'
import { ApiError } from '../../api/client'
import { Uploader } from './uploader'

const picture = (name: string) => ({ file: new File(['x'], name), refused: null })

/** An uploader whose server fails for the named files, and a record of its requests. */
function harness(failing: { send?: string; save?: string } = {}) {
  const asked: string[] = []
  const failures: (string | null)[] = []
  const left = { ...failing }
  let finished = 0
  const problem = new ApiError(507, '{"detail":"Spazio di archiviazione esaurito"}', '')
  const uploader = new Uploader({
    send: async (file) => {
      asked.push(`send ${file.name}`)
      if (left.send === file.name) {
        delete left.send
        throw problem
      }
      return `/objects/uploads/${file.name}`
    },
    save: async (row, path, index) => {
      asked.push(`save ${path} as ${index}`)
      if (left.save === row.filename) {
        delete left.save
        throw problem
      }
    },
    onFailure: (reason) => failures.push(reason),
    onFinish: () => {
      finished += 1
    },
  })
  return { uploader, asked, failures, finished: () => finished }
}

const settle = () => new Promise((resolve) => setTimeout(resolve, 5))

describe('the uploader', () => {
  it('sends while the texts are typed, and makes the items once submitted', async () => {
    const { uploader, asked, finished } = harness()
    uploader.add([picture('a'), picture('b')])
    await settle()
    expect(asked).toEqual(['send a', 'send b'])
    uploader.submit()
    await settle()
    expect(asked.slice(2)).toEqual(['save /objects/uploads/a as 0', 'save /objects/uploads/b as 1'])
    expect(finished()).toBe(1)
  })

  it('finishes each file before the next when submitted at once', async () => {
    const { uploader, asked } = harness()
    uploader.add([picture('a'), picture('b')])
    uploader.submit()
    await settle()
    expect(asked.map((line) => line.slice(0, 4))).toEqual(['send', 'save', 'send', 'save'])
  })

  it('stops at the first failing file with its reason, and resumes from there', async () => {
    const { uploader, asked, failures, finished } = harness({ send: 'b' })
    uploader.add([picture('a'), picture('b'), picture('c')])
    uploader.submit()
    await settle()
    expect(asked).not.toContain('send c')
    expect(failures).toEqual(['Spazio di archiviazione esaurito'])
    expect(finished()).toBe(0)
    uploader.resume()
    await settle()
    expect(finished()).toBe(1)
    expect(asked.filter((line) => line === 'send a')).toHaveLength(1)
  })

  it('keeps the place of a file in the batch when its item failed at first', async () => {
    const { uploader, asked } = harness({ save: 'b' })
    uploader.add([picture('a'), picture('b')])
    uploader.submit()
    await settle()
    uploader.resume()
    await settle()
    expect(asked.filter((line) => line === 'save /objects/uploads/b as 1')).toHaveLength(2)
    expect(asked.filter((line) => line === 'send b')).toHaveLength(1)
  })

  it('goes on with the next file when the one being sent is taken out', async () => {
    const { uploader, asked } = harness()
    uploader.add([picture('a'), picture('b')])
    uploader.remove('file-1')
    await settle()
    expect(asked).toContain('send b')
    expect(uploader.current().rows.map((row) => row.filename)).toEqual(['b'])
  })
})
