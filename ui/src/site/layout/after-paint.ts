// Defers invisible work until after the next paint.

/** Calls `act` after the next frame. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act))
}
