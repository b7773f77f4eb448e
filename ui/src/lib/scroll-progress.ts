// Computes the scroll progress of a page and the scale of the back-to-top button.

const shownPastShare = 0.5

/** Returns 0 at the top to 1 at the end; 0 for a page that does not scroll. */
export function scrolledShare(top: number, topMax: number): number {
  return topMax > 0 ? Math.min(1, Math.max(0, top / topMax)) : 0
}

/** Returns null (no button) in the first half of the page, then 0.8 rising to 1.2 at the end. */
export function buttonScale(share: number): number | null {
  if (share <= shownPastShare) return null
  return Number((0.8 + (0.4 * (share - shownPastShare)) / (1 - shownPastShare)).toFixed(2))
}
