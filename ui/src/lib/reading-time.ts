// Estimates the reading time of a text, for the site and the editor.
import { counted } from './plural'

/** Reading speed on a screen. */
const wordsPerMinute = 200

export function readingMinutes(words: number): number {
  return Math.max(1, Math.round(words / wordsPerMinute))
}

export function readingTime(words: number): string {
  const minutes = readingMinutes(words)
  return counted(minutes, '1 minuto di lettura', '{n} minuti di lettura')
}
