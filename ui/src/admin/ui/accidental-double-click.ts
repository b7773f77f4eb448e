let lastPressAt = 0
const DOUBLE_PRESS_MS = 400

/** Whether a click is the second of a double click or double tap: the first may have moved the list. */
export function isAccidentalDoubleClick(event: MouseEvent): boolean {
  const isSoon = event.timeStamp - lastPressAt < DOUBLE_PRESS_MS
  lastPressAt = event.timeStamp
  // Taps carry no count.
  return event.detail > 1 || (isSoon && window.matchMedia('(pointer: coarse)').matches)
}
