// Estimates the reading time of a text, for the site and the editor.

/** Reading speed on a screen. */
const wordsPerMinute = 200

export function readingMinutes(words: number): number {
  return Math.max(1, Math.round(words / wordsPerMinute))
}

export function readingTime(words: number): string {
  const minutes = readingMinutes(words)
  return minutes === 1 ? '1 minuto di lettura' : `${minutes} minuti di lettura`
}
