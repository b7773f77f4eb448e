// How far a page is scrolled, and the scale of the button that leads back to the top.

const shownPastShare = 0.5

/** From 0 at the top to 1 at the end; 0 for a page that does not scroll. */
export function scrolledShare(top: number, topMax: number): number {
  return topMax > 0 ? Math.min(1, Math.max(0, top / topMax)) : 0
}

/** Null up to half of the page, then from 0.8 to 1.2 at its end. */
export function buttonScale(share: number): number | null {
  if (share <= shownPastShare) return null
  return Number((0.8 + (0.4 * (share - shownPastShare)) / (1 - shownPastShare)).toFixed(2))
}
