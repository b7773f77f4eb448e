import { expect, it, vi } from 'vitest'
import { trackUpload, whenUploadsDone } from './pending-uploads'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('removeEventListener', () => undefined)

const [one, other] = [{}, {}]
const refused = new Error('refused')

it('waits for the last picture', async () => {
  trackUpload(one, true)
  trackUpload(other, true)
  let isDone = false
  const done = whenUploadsDone().then((failure) => {
    isDone = true
    return failure
  })
  trackUpload(one, false)
  await Promise.resolve()
  expect(isDone).toBe(false)
  trackUpload(other, false)
  expect(await done).toBe(null)
})

// Regression: publishing went on without the picture and reported success.
it('tells who waits of a picture that did not arrive', async () => {
  trackUpload(one, true)
  trackUpload(other, true)
  const done = whenUploadsDone()
  trackUpload(one, false, refused)
  trackUpload(other, false)
  expect(await done).toBe(refused)
})

it('says nothing of what failed before somebody waited', async () => {
  trackUpload(one, true)
  trackUpload(other, true)
  trackUpload(one, false, refused)
  const done = whenUploadsDone()
  trackUpload(other, false)
  expect(await done).toBe(null)
  expect(await whenUploadsDone()).toBe(null)
})
