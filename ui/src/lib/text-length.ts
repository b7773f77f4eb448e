// How long a text may be: counted as the server counts it, and never cut.

/** From this share of the limit on, the counter shows. */
export const NEAR_SHARE = 0.8

export const lengthWords = {
  messageOne: 'Un carattere di troppo: accorcia il testo.',
  message: (over: number) => `${over} caratteri di troppo: accorcia il testo.`,
  near: (left: number) => (left === 1 ? 'Ancora 1 carattere' : `Ancora ${left} caratteri`),
  spoken: (length: number, max: number) =>
    length > max
      ? `${length} caratteri su ${max}, ${length - max} di troppo`
      : `${length} caratteri su ${max}`,
}

/** Characters as Unicode counts them, without the blanks at both ends. */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text.trim()) length += 1
  return length
}

/** What is wrong with the length; null when nothing is. */
export function lengthProblem(text: string, max: number): string | null {
  // No text has more characters than code units: the common case costs nothing.
  const over = text.length <= max ? 0 : textLength(text) - max
  if (over <= 0) return null
  return over === 1 ? lengthWords.messageOne : lengthWords.message(over)
}
