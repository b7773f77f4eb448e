import { expect, it, vi } from 'vitest'
import { tellUpload, uploadsDone } from './pending-uploads'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('removeEventListener', () => undefined)

const [one, other] = [{}, {}]
const refused = new Error('refused')

it('waits for the last picture', async () => {
  tellUpload(one, true)
  tellUpload(other, true)
  let isDone = false
  const done = uploadsDone().then((failure) => {
    isDone = true
    return failure
  })
  tellUpload(one, false)
  await Promise.resolve()
  expect(isDone).toBe(false)
  tellUpload(other, false)
  expect(await done).toBe(null)
})

// Publishing went on without the picture, and its success hid the failure.
it('tells who waits of a picture that did not arrive', async () => {
  tellUpload(one, true)
  tellUpload(other, true)
  const done = uploadsDone()
  tellUpload(one, false, refused)
  tellUpload(other, false)
  expect(await done).toBe(refused)
})

it('says nothing of what failed before somebody waited', async () => {
  tellUpload(one, true)
  tellUpload(other, true)
  tellUpload(one, false, refused)
  const done = uploadsDone()
  tellUpload(other, false)
  expect(await done).toBe(null)
  expect(await uploadsDone()).toBe(null)
})
