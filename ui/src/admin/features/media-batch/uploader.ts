// Runs an upload queue: one step at a time, in order, stopping at the first failure.
import { reasonOf } from '../../api/client'
import {
  emptyQueue,
  isFinished,
  type NewFile,
  nextStep,
  type Queue,
  type QueueEvent,
  type Row,
  type StoredFile,
  step,
} from './upload-queue'

export type UploaderParts = {
  /** Sends the bytes; resolves to the path of the stored picture. */
  send: (file: File, onPercent: (percent: number) => void, signal: AbortSignal) => Promise<string>
  /** Creates the item of a stored file. `index` is its position in the batch. */
  save: (row: Row, imagePath: string, index: number) => Promise<void>
  onFailure: (reason: string | null) => void
  onFinish: (queue: Queue) => void
}

const UNKNOWN_REASON = 'Errore nel caricamento'

export class Uploader {
  #queue: Queue = emptyQueue
  #parts: UploaderParts
  #files = new Map<string, File>()
  #listeners = new Set<() => void>()
  #sending: { key: string; abort: AbortController } | null = null
  #count = 0
  #finished = false

  constructor(parts: UploaderParts) {
    this.#parts = parts
  }

  /** Replaces the callbacks after a re-render, so that `save` sees the latest texts. */
  update(parts: UploaderParts): void {
    this.#parts = parts
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly current = (): Queue => this.#queue

  fileOf(key: string): File | null {
    return this.#files.get(key) ?? null
  }

  add(files: readonly { file: File; refused: string | null }[]): void {
    const added = files.map(({ file, refused }): NewFile => {
      const key = this.#nextKey()
      this.#files.set(key, file)
      return { key, filename: file.name, bytes: file.size, refused }
    })
    this.#apply({ type: 'added', files: added })
    this.#pump()
  }

  /** Adds files that a previous visit uploaded. Returns their new keys, in the same order. */
  restore(files: readonly Omit<StoredFile, 'key'>[]): readonly string[] {
    const restored = files.map((file) => ({ ...file, key: this.#nextKey() }))
    this.#apply({ type: 'restored', files: restored })
    return restored.map(({ key }) => key)
  }

  remove(key: string): void {
    if (this.#sending?.key === key) this.#sending.abort.abort()
    this.#files.delete(key)
    this.#apply({ type: 'removed', key })
    this.#pump()
  }

  resume(): void {
    this.#apply({ type: 'resumed' })
    this.#pump()
  }

  submit(): void {
    this.#apply({ type: 'submitted' })
    this.#pump()
  }

  /** Aborts the running upload and drops all files. */
  close(): void {
    this.#sending?.abort.abort()
    this.#queue = emptyQueue
    this.#files.clear()
  }

  #nextKey(): string {
    this.#count += 1
    return `file-${this.#count}`
  }

  #apply(event: QueueEvent): void {
    this.#queue = step(this.#queue, event)
    for (const listener of this.#listeners) listener()
  }

  #pump(): void {
    if (isFinished(this.#queue) && !this.#finished) {
      this.#finished = true
      this.#parts.onFinish(this.#queue)
      return
    }
    const next = nextStep(this.#queue)
    if (next === null) return
    const work = next.act === 'send' ? this.#send(next.row) : this.#save(next.row)
    void work.then(() => this.#pump())
  }

  async #send(row: Row): Promise<void> {
    const { key } = row
    const file = this.#files.get(key)
    if (file === undefined) return
    const abort = new AbortController()
    this.#sending = { key, abort }
    this.#apply({ type: 'sending', key })
    const onPercent = (percent: number) => this.#apply({ type: 'progress', key, percent })
    try {
      const imagePath = await this.#parts.send(file, onPercent, abort.signal)
      this.#apply({ type: 'stored', key, imagePath })
    } catch (error) {
      if (!abort.signal.aborted) this.#fail(key, error)
    } finally {
      this.#sending = null
    }
  }

  async #save(row: Row): Promise<void> {
    const { key, imagePath } = row
    if (imagePath === null) return
    const usable = this.#queue.rows.filter(({ state }) => state !== 'skipped')
    const index = usable.findIndex((other) => other.key === key)
    this.#apply({ type: 'saving', key })
    try {
      await this.#parts.save(row, imagePath, index)
      this.#apply({ type: 'saved', key })
    } catch (error) {
      this.#fail(key, error)
    }
  }

  #fail(key: string, error: unknown): void {
    const reason = reasonOf(error)
    this.#apply({ type: 'failed', key, reason: reason ?? UNKNOWN_REASON })
    this.#parts.onFailure(reason)
  }
}
