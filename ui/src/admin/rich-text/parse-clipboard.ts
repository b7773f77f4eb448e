// Splits text pasted from a word processor into its paragraphs.
import { CELL_END, parseStructure, spellLists } from './pasted-structure'

const BLOCKS =
  'p, div, li, h1, h2, h3, h4, h5, h6, blockquote, pre, td, th, dt, dd, section, article'

/** Splits plain text at empty lines, and HTML at block elements. */
export function parseClipboard(pasted: DataTransfer | null): readonly string[] {
  const text = pasted?.getData('text/plain') ?? ''
  const html = pasted?.getData('text/html') ?? ''
  const blocks = html === '' ? [] : blocksOf(html)
  return blocks.length > 1 ? blocks : paragraphsIn(text.replace(/\r\n?/g, '\n'))
}

/** Writes the columns of a copied table apart; a tab after a list marker separates none. */
export function separateCells(text: string): string {
  return text
    .replace(/^(\s*(?:\S{1,4}[.)]|[-*\u2022\u00b7]))\t+/gm, '$1 ')
    .replace(/(?<=\S) *\t+ *(?=\S)/g, CELL_END)
}

function paragraphsIn(text: string): readonly string[] {
  const all = separateCells(text)
    .split(/\n[\t ]*\n/)
    .map(onOneLine)
  return all.filter((one) => one !== '')
}

function blocksOf(html: string): readonly string[] {
  const body = parseStructure(html)
  spellLists(body)
  for (const end of body.querySelectorAll('br')) end.replaceWith(' ')
  for (const block of body.querySelectorAll(BLOCKS)) {
    block.before(END)
    block.after(END)
  }
  const all = (body.textContent ?? '').split(END).map(onOneLine)
  return all.filter((one) => one !== '')
}

/** A Unicode noncharacter, which no clipboard contains. */
const END = '\ufdd0'

function onOneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
