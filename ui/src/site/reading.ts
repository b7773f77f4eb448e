// How long a text takes to read; the panel says the same while it is written.

import { article } from './content/article'

/** Slow enough for a screen. */
const wordsPerMinute = 200

export function readingMinutes(words: number): number {
  return Math.max(1, Math.round(words / wordsPerMinute))
}

export function readingTime(words: number): string {
  const minutes = readingMinutes(words)
  return minutes === 1 ? article.minuteOne : article.minutes.replace('{n}', String(minutes))
}
