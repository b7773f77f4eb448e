// State machine of a batch upload: pure, so that tests cover every order of events.

/** 'stored': on the server without an item. 'unsent': waits because an earlier file failed. */
export type RowState =
  | 'waiting'
  | 'sending'
  | 'stored'
  | 'saving'
  | 'done'
  | 'failed'
  | 'unsent'
  | 'skipped'

export type Row = {
  readonly key: string
  readonly filename: string
  readonly bytes: number
  readonly state: RowState
  readonly percent: number
  readonly reason: string | null
  /** Path of the picture, once it is stored. */
  readonly imagePath: string | null
}

/** `submitted`: the form was sent, so stored files become items. `halted`: a file failed. */
export type Queue = {
  readonly rows: readonly Row[]
  readonly submitted: boolean
  readonly halted: boolean
}

export type NewFile = { key: string; filename: string; bytes: number; refused: string | null }

/** A file that a previous visit uploaded. */
export type StoredFile = { key: string; filename: string; bytes: number; imagePath: string }

export type QueueEvent =
  | { type: 'added'; files: readonly NewFile[] }
  | { type: 'restored'; files: readonly StoredFile[] }
  | { type: 'removed'; key: string }
  | { type: 'sending'; key: string }
  | { type: 'progress'; key: string; percent: number }
  | { type: 'stored'; key: string; imagePath: string }
  | { type: 'saving'; key: string }
  | { type: 'saved'; key: string }
  | { type: 'failed'; key: string; reason: string }
  | { type: 'resumed' }
  | { type: 'submitted' }

export const emptyQueue: Queue = { rows: [], submitted: false, halted: false }

export function step(queue: Queue, event: QueueEvent): Queue {
  switch (event.type) {
    case 'added':
      return { ...queue, rows: [...queue.rows, ...event.files.map((file) => newRow(file, queue))] }
    case 'restored':
      return { ...queue, rows: [...queue.rows, ...event.files.map(storedRow)] }
    case 'removed':
      return removed(queue, event.key)
    case 'sending':
      return change(queue, event.key, { state: 'sending', percent: 0, reason: null })
    case 'progress':
      return change(queue, event.key, { percent: event.percent })
    case 'stored':
      return change(queue, event.key, {
        state: 'stored',
        percent: 100,
        imagePath: event.imagePath,
      })
    case 'saving':
      return change(queue, event.key, { state: 'saving' })
    case 'saved':
      return change(queue, event.key, { state: 'done' })
    case 'failed':
      return failed(queue, event.key, event.reason)
    case 'resumed':
      return resumed(queue)
    case 'submitted':
      return { ...resumed(queue), submitted: true }
  }
}

/** Returns the next step; null while a step runs and when none is left. Files go one after another. */
export function nextStep(queue: Queue): { act: 'send' | 'save'; row: Row } | null {
  if (queue.halted) return null
  for (const row of queue.rows) {
    if (row.state === 'sending' || row.state === 'saving') return null
    if (row.state === 'waiting') return { act: 'send', row }
    if (row.state === 'stored' && queue.submitted) return { act: 'save', row }
  }
  return null
}

/** Whether every accepted file has become an item. */
export function isFinished(queue: Queue): boolean {
  const open = queue.rows.some((row) => row.state !== 'done' && row.state !== 'skipped')
  return queue.submitted && !open && countOf(queue, 'done') > 0
}

export function countOf(queue: Queue, ...states: readonly RowState[]): number {
  return queue.rows.filter((row) => states.includes(row.state)).length
}

/** Files that are items or can become items, without the refused ones. */
export function usable(queue: Queue): readonly Row[] {
  return queue.rows.filter((row) => row.state !== 'skipped')
}

/** Whether closing now would lose chosen files. The draft keeps uploaded files until the form is sent. */
export function wouldLoseFiles(queue: Queue): boolean {
  const open = queue.rows.filter((row) => row.state !== 'done' && row.state !== 'skipped')
  return open.some((row) => queue.submitted || row.imagePath === null)
}

function newRow(file: NewFile, queue: Queue): Row {
  const state = file.refused === null ? (queue.halted ? 'unsent' : 'waiting') : 'skipped'
  const { key, filename, bytes, refused } = file
  return { key, filename, bytes, state, percent: 0, reason: refused, imagePath: null }
}

function storedRow({ key, filename, bytes, imagePath }: StoredFile): Row {
  return { key, filename, bytes, state: 'stored', percent: 100, reason: null, imagePath }
}

function change(queue: Queue, key: string, fields: Partial<Row>): Queue {
  const rows = queue.rows.map((row) => (row.key === key ? { ...row, ...fields } : row))
  return { ...queue, rows }
}

function removed(queue: Queue, key: string): Queue {
  const rows = queue.rows.filter((row) => row.key !== key)
  const open = rows.some((row) => row.state !== 'done' && row.state !== 'skipped')
  return { rows, submitted: queue.submitted && open, halted: queue.halted && open }
}

function failed(queue: Queue, key: string, reason: string): Queue {
  const rows = queue.rows.map((row): Row => {
    if (row.key === key) return { ...row, state: 'failed', reason }
    return row.state === 'waiting' ? { ...row, state: 'unsent' } : row
  })
  return { ...queue, rows, halted: true }
}

function resumed(queue: Queue): Queue {
  const rows = queue.rows.map((row): Row => {
    if (row.state === 'unsent') return { ...row, state: 'waiting' }
    if (row.state !== 'failed') return row
    return { ...row, state: row.imagePath === null ? 'waiting' : 'stored', reason: null }
  })
  return { ...queue, rows, halted: false }
}
