// Measures text against a length limit as the server does. Text is never cut.
import { counted } from './plural'

/** Share of the limit from which the counter is shown. */
export const NEAR_SHARE = 0.8

export const lengthWords = {
  tooLong: (over: number) =>
    counted(
      over,
      'Un carattere di troppo: accorcia il testo.',
      '{n} caratteri di troppo: accorcia il testo.',
    ),
  near: (left: number) => counted(left, 'Ancora 1 carattere', 'Ancora {n} caratteri'),
  spoken: (length: number, max: number) =>
    length > max
      ? `${length} caratteri su ${max}, ${length - max} di troppo`
      : `${length} caratteri su ${max}`,
}

/** Returns the number of Unicode code points, without white space at both ends. */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text.trim()) length += 1
  return length
}

/** Returns the error message for a text that is too long; null if it fits. */
export function lengthProblem(text: string, max: number): string | null {
  // A text never has more characters than code units, so most texts need no count.
  const over = text.length <= max ? 0 : textLength(text) - max
  if (over <= 0) return null
  return lengthWords.tooLong(over)
}
