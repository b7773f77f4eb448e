// What a paste brings and no page can show: a soft line break of Word, a bell. The server refuses the
// text and the drawing with it, and nobody sees why.
import type { Field, Group, Word } from './contract'
import { equal, isGroup, isList, leavesOf, withAt } from './value'

/** Between two paragraphs that are pasted as one text. */
export const PARAGRAPH_END = '\u2029'
/** Ends of lines as other programs write them. */
const ENDS = /\r\n?|[\v\f\u0085\u2028]/g
const UNSEEN = /(?![\n\t])\p{Cc}/gu

/** Of a line its own ends are blanks. */
export function printableText(text: string, isLine: boolean): string {
  const lines = text.replaceAll(PARAGRAPH_END, '\n\n').replace(ENDS, '\n')
  const shown = lines.replace(UNSEEN, '')
  return isLine ? shown.replace(/\s*[\n\t]\s*/g, ' ') : shown
}

/** The same value where nothing of it has to go. */
export function printable(fields: readonly Field[], value: Group): Group {
  return leavesOf(fields, value).reduce<Group>((clean, { path, field, word }) => {
    if (!['line', 'paragraphs', 'richText'].includes(field.type)) return clean
    const shown = printableWord(word, field.type === 'line')
    return equal(shown, word) ? clean : withAt(clean, path, shown)
  }, value)
}

function printableWord(word: Word, isLine: boolean): Word {
  if (typeof word === 'string') return printableText(word, isLine)
  if (isList(word)) return word.map((part) => printableWord(part, isLine))
  if (!isGroup(word)) return word
  const parts = Object.entries(word).map(([name, part]) => [name, printableWord(part, isLine)])
  return Object.fromEntries(parts)
}
