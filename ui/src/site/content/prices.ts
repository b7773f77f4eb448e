// What the services cost, each once: cards, packages and structured data read it here.

/** In euro. */
export const prices = {
  individual: 95,
  group: 45,
  training: 2500,
  online: 75,
  retreat: 450,
  couple: 160,
} as const

/** `2500` as `2.500 €`, with a space that does not break. */
export function euro(amount: number): string {
  return `${`${amount}`.replace(/\B(?=(?:\d{3})+$)/g, '.')}\u00a0€`
}
