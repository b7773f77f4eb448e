import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { debounceWithMaxWait, type TypingSpan } from './debounce'

describe('work in the pauses of typing', () => {
  let done: number[] = []
  const pauses = debounceWithMaxWait(() => done.push(performance.now()), 100)

  beforeEach(() => {
    vi.useFakeTimers({ now: 0 })
    done = []
  })
  afterEach(() => {
    pauses.cancel()
    vi.useRealTimers()
  })

  it('waits for a pause', () => {
    for (let letter = 0; letter < 5; letter += 1) {
      pauses.schedule()
      vi.advanceTimersByTime(50)
    }
    expect(done).toEqual([])
    vi.advanceTimersByTime(50)
    expect(done).toHaveLength(1)
  })

  it('is done now and then where there is none', () => {
    for (let letter = 0; letter < 130; letter += 1) {
      pauses.schedule()
      vi.advanceTimersByTime(50)
    }
    expect(done).toHaveLength(2)
  })

  it('keeps alone where there is none, and does the rest in the pause', () => {
    const kept: number[] = []
    const own = debounceWithMaxWait(() => done.push(performance.now()), 100, {
      keep: () => kept.push(performance.now()),
      pauseMs: 100,
    })
    for (let letter = 0; letter < 130; letter += 1) {
      own.schedule()
      vi.advanceTimersByTime(50)
    }
    expect(done).toEqual([])
    expect(kept).toHaveLength(2)
    vi.advanceTimersByTime(50)
    expect(done).toEqual([6_550])
  })

  it('keeps in a shorter pause, and tells when the letters were typed', () => {
    const kept: number[] = []
    const told: TypingSpan[] = []
    const own = debounceWithMaxWait((letters) => told.push(letters), 650, {
      keep: () => kept.push(performance.now()),
      pauseMs: 250,
    })
    for (let letter = 0; letter < 3; letter += 1) {
      own.schedule()
      vi.advanceTimersByTime(300)
    }
    expect(kept).toEqual([250, 550, 850])
    expect(told).toEqual([])
    vi.advanceTimersByTime(350)
    expect(told).toEqual([{ from: 0, to: 600 }])
    vi.advanceTimersByTime(5_000)
    expect([kept.length, told.length]).toEqual([3, 1])
  })

  it('is done at once where it cannot wait, and then no more', () => {
    pauses.schedule()
    pauses.flush()
    expect(done).toHaveLength(1)
    vi.advanceTimersByTime(5_000)
    expect(done).toHaveLength(1)
  })

  it('is left undone where it is not wanted any more', () => {
    pauses.schedule()
    pauses.cancel()
    vi.advanceTimersByTime(5_000)
    expect(done).toEqual([])
  })
})
