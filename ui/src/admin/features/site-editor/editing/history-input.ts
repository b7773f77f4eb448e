// Undo and redo from the browser's menu, a shaken phone or a gesture of three fingers.

export type HistoryWay = 'undo' | 'redo'

const WAYS: Readonly<Record<string, HistoryWay>> = { historyUndo: 'undo', historyRedo: 'redo' }

export function historyWay({ inputType }: InputEvent): HistoryWay | null {
  return WAYS[inputType] ?? null
}
