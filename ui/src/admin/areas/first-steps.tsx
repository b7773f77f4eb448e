export function useFirstSteps() {
  return { shown: false, finish: () => undefined }
}
export function FirstSteps(_: { onDone: () => void }) {
  return null
}
