// Removes pasted characters that no page can show, such as Word's soft line break or a bell. The server
// refuses texts that contain them, and renders no preview either.
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { equal, flatten, isList, isObjectValue, setIn } from './field-path'

/** Separates paragraphs that are pasted as one text. */
export const PARAGRAPH_END = '\u2029'
/** Line ends of other programs. */
const ENDS = /\r\n?|[\v\f\u0085\u2028]/g
const CONTROL = /(?![\n\t])\p{Cc}/gu

/** In the text of a single line, line ends and tabs become blanks. */
export function sanitizeText(text: string, isLine: boolean): string {
  const lines = text.replaceAll(PARAGRAPH_END, '\n\n').replace(ENDS, '\n')
  const shown = lines.replace(CONTROL, '')
  return isLine ? shown.replace(/\s*[\n\t]\s*/g, ' ') : shown
}

/** Returns the same object when nothing has to be removed. */
export function sanitizeValue(fields: readonly Field[], value: ObjectValue): ObjectValue {
  return flatten(fields, value).reduce<ObjectValue>((clean, { path, field, word }) => {
    if (!['line', 'paragraphs', 'richText'].includes(field.type)) return clean
    const shown = printableWord(word, field.type === 'line')
    return equal(shown, word) ? clean : setIn(clean, path, shown)
  }, value)
}

function printableWord(word: FieldValue, isLine: boolean): FieldValue {
  if (typeof word === 'string') return sanitizeText(word, isLine)
  if (isList(word)) return word.map((part) => printableWord(part, isLine))
  if (!isObjectValue(word)) return word
  const parts = Object.entries(word).map(([name, part]) => [name, printableWord(part, isLine)])
  return Object.fromEntries(parts)
}
