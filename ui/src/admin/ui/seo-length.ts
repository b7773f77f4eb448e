// Length limits of titles and descriptions in search results, measured in pixels of their font.

export type Verdict = {
  readonly kind: 'empty' | 'short' | 'fits' | 'long'
  /** Share of the limit, 0 to 1. */
  readonly share: number
  /** The text as a search result would truncate it. */
  readonly cut: string
}

export type Measure = (text: string) => number

export const RESULT = {
  title: { font: '20px Arial', pixels: 580, short: 0.4 },
  description: { font: '14px Arial', pixels: 990, short: 0.6 },
} as const

export type Part = keyof typeof RESULT

export function verdictOn(text: string, part: Part, measure: Measure): Verdict {
  const { pixels, short } = RESULT[part]
  const width = measure(text)
  const share = Math.min(1, width / pixels)
  if (text.trim() === '') return { kind: 'empty', share: 0, cut: '' }
  if (width > pixels) return { kind: 'long', share, cut: lastWords(cutAt(text, pixels, measure)) }
  return { kind: share < short ? 'short' : 'fits', share, cut: '' }
}

/** Truncates at a word boundary. */
export function cutAt(text: string, pixels: number, measure: Measure): string {
  const words = text.split(' ')
  let kept = words.length
  while (kept > 1 && measure(`${words.slice(0, kept).join(' ')} ...`) > pixels) kept -= 1
  return words.slice(0, kept).join(' ')
}

function lastWords(text: string): string {
  return text.split(' ').slice(-3).join(' ')
}

/** Width of a character in em when no canvas can measure. */
const ROUGH = 0.5

export function measureIn(font: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return (text) => text.length * Number.parseInt(font, 10) * ROUGH
  context.font = font
  return (text) => context.measureText(text).width
}
