// Undo and redo from the browser's menu, a shaken phone or a gesture of three fingers.

export type HistoryWay = 'undo' | 'redo'

const WAYS: Readonly<Record<string, HistoryWay>> = { historyUndo: 'undo', historyRedo: 'redo' }

/** Null also for a step that cannot be cancelled: the browser makes it, and one of the page would be a second. */
export function historyWay({ inputType, cancelable }: InputEvent): HistoryWay | null {
  return cancelable ? (WAYS[inputType] ?? null) : null
}
