// How much of a title and a description search engines show: they measure pixels of their own font.

export type Verdict = {
  readonly kind: 'empty' | 'short' | 'fits' | 'long'
  /** How full, from 0 to 1. */
  readonly share: number
  /** Where it is cut off, of what is too long. */
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

/** Whole words of what fits. */
export function cutAt(text: string, pixels: number, measure: Measure): string {
  const words = text.split(' ')
  let kept = words.length
  while (kept > 1 && measure(`${words.slice(0, kept).join(' ')} ...`) > pixels) kept -= 1
  return words.slice(0, kept).join(' ')
}

function lastWords(text: string): string {
  return text.split(' ').slice(-3).join(' ')
}

/** Letters of about half their size, where nothing can be measured. */
const ROUGH = 0.5

export function measureIn(font: string): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return (text) => text.length * Number.parseInt(font, 10) * ROUGH
  context.font = font
  return (text) => context.measureText(text).width
}
