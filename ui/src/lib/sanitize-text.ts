// Removes pasted characters that no page can show, such as Word's soft line break or a bell.

/** Line ends of other programs. */
const ENDS = /\r\n?|[\v\f\u0085\u2028]/g
const PARAGRAPH_ENDS = /\u2029/g
const CONTROL = /(?![\n\t])\p{Cc}/gu

/** In the text of a single line, line ends and tabs become blanks. */
export function sanitizeText(text: string, isLine: boolean): string {
  const lines = text.replace(PARAGRAPH_ENDS, '\n\n').replace(ENDS, '\n')
  const shown = lines.replace(CONTROL, '')
  return isLine ? shown.replace(/\s*[\n\t]\s*/g, ' ') : shown
}
