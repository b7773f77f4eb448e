// What nobody sees makes way for what is seen.

/** Acts behind the next frame. */
export function afterPaint(act: () => void): void {
  requestAnimationFrame(() => setTimeout(act))
}
