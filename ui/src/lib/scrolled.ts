// How far a page is scrolled, and what that means for the button that leads back up.

const shownPastShare = 0.5
export const growthSteps = 10

/** From 0 at the top to 1 at the end; 0 for a page that does not scroll. */
export function scrolledShare(top: number, topMax: number): number {
  return topMax > 0 ? Math.min(1, Math.max(0, top / topMax)) : 0
}

/** Null up to half of the page, then 0 (scale 0.8) to 10 (scale 1.2) at its end. */
export function growthStep(share: number): number | null {
  if (share <= shownPastShare) return null
  return Math.round(((share - shownPastShare) / (1 - shownPastShare)) * growthSteps)
}
