// Removes characters from a block's texts that the server refuses; it renders no preview of them either.
import { sanitizeText } from '../../../../lib/sanitize-text'
import type { Field, FieldValue, ObjectValue } from '../api/content-api'
import { equal, flatten, isList, isObjectValue, setIn } from './field-path'

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
