import { describe, expect, it } from 'vitest'
import {
  emptyQueue,
  isFinished,
  nextStep,
  type Queue,
  type QueueEvent,
  step,
  usable,
  wouldLoseFiles,
} from './upload-queue'

const files = (...keys: string[]) =>
  keys.map((key) => ({ key, filename: `${key}.jpg`, bytes: 1000, refused: null }))

const queueAfter = (...events: QueueEvent[]): Queue => events.reduce(step, emptyQueue)

const states = (queue: Queue) => queue.rows.map((row) => row.state)

describe('the upload queue', () => {
  it('sends one file at a time, in the order they were chosen', () => {
    const queue = queueAfter({ type: 'added', files: files('a', 'b') })
    expect(nextStep(queue)?.row.key).toBe('a')
    expect(nextStep(step(queue, { type: 'sending', key: 'a' }))).toBeNull()
  })

  it('keeps sending before the form is submitted but makes no item', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a', 'b') },
      { type: 'sending', key: 'a' },
      { type: 'stored', key: 'a', imagePath: '/objects/uploads/1' },
    )
    expect(nextStep(queue)).toMatchObject({ act: 'send', row: { key: 'b' } })
  })

  it('makes the item of a stored file before it sends the next one once submitted', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a', 'b') },
      { type: 'stored', key: 'a', imagePath: '/objects/uploads/1' },
      { type: 'submitted' },
    )
    expect(nextStep(queue)).toMatchObject({ act: 'save', row: { key: 'a' } })
  })

  it('stops at the first failing file and marks the later ones as not sent', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a', 'b', 'c') },
      { type: 'stored', key: 'a', imagePath: '/objects/uploads/1' },
      { type: 'sending', key: 'b' },
      { type: 'failed', key: 'b', reason: 'rete' },
    )
    expect(states(queue)).toEqual(['stored', 'failed', 'unsent'])
    expect(nextStep(queue)).toBeNull()
  })

  it('goes on from the failed file when resumed', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a', 'b') },
      { type: 'failed', key: 'a', reason: 'rete' },
      { type: 'resumed' },
    )
    expect(states(queue)).toEqual(['waiting', 'waiting'])
    expect(nextStep(queue)).toMatchObject({ act: 'send', row: { key: 'a', reason: null } })
  })

  it('does not send a stored file again when only its item failed', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a') },
      { type: 'stored', key: 'a', imagePath: '/objects/uploads/1' },
      { type: 'submitted' },
      { type: 'failed', key: 'a', reason: 'titolo' },
      { type: 'submitted' },
    )
    expect(nextStep(queue)).toMatchObject({ act: 'save', row: { key: 'a' } })
  })

  it('names a refused file and leaves it out', () => {
    const refused = { key: 'x', filename: 'x.png', bytes: 1, refused: 'troppo grande' }
    const queue = queueAfter({ type: 'added', files: [refused, ...files('a')] })
    expect(states(queue)).toEqual(['skipped', 'waiting'])
    expect(usable(queue).map((row) => row.key)).toEqual(['a'])
    expect(nextStep(queue)?.row.key).toBe('a')
  })

  it('is finished when every usable file is an item', () => {
    const submitted = queueAfter({ type: 'added', files: files('a') }, { type: 'submitted' })
    expect(isFinished(submitted)).toBe(false)
    expect(isFinished(step(submitted, { type: 'saved', key: 'a' }))).toBe(true)
  })

  it('is not finished when nothing but refused files was chosen', () => {
    const refused = { key: 'x', filename: 'x.png', bytes: 1, refused: 'troppo grande' }
    expect(isFinished(queueAfter({ type: 'added', files: [refused] }, { type: 'submitted' }))).toBe(
      false,
    )
  })

  it('asks before leaving only while a chosen file is no item yet', () => {
    expect(wouldLoseFiles(emptyQueue)).toBe(false)
    const chosen = queueAfter({ type: 'added', files: files('a') })
    expect(wouldLoseFiles(chosen)).toBe(true)
    expect(wouldLoseFiles(step(chosen, { type: 'saved', key: 'a' }))).toBe(false)
  })

  it('can go on after the failed file was taken out', () => {
    const queue = queueAfter(
      { type: 'added', files: files('a', 'b') },
      { type: 'failed', key: 'a', reason: 'no' },
      { type: 'removed', key: 'a' },
    )
    expect(states(queue)).toEqual(['unsent'])
    expect(nextStep(step(queue, { type: 'resumed' }))?.row.key).toBe('b')
  })
})
