// Where a text of a page comes from, told by characters that nobody sees: only in the page that the
// editor shows, never in one that is published.
//
// A mark stands behind its text: the path in ASCII, each character as a variation selector, then one
// that closes it. Nobody types these: emoji use VS1 to VS16 alone, and what comes in is cleared of them.
//
//   servizi.offers:offers[2].price      block, then the field as the server names it in a refusal
//   chi-sono.biography:text#1           the second paragraph of a text of several
//   home.quote:                         the block as a whole

const FIRST = 0xe0100
/** What the first of the supplementary variation selectors stands for: no path has characters below it. */
const FIRST_BYTE = 16
const END = String.fromCodePoint(0xe01ef)
const MARK = /([\u{e0100}-\u{e01ee}]*)\u{e01ef}/gu
const ANY = /[\u{e0100}-\u{e01ef}]/gu
/** A path of an entry of an entry has a third of that. */
const PATH_LENGTH_MAX = 300

export function markOf(path: string): string {
  if (!/^[\x20-\x7e]*$/.test(path) || path.length > PATH_LENGTH_MAX) return ''
  const codes = [...path].map((letter) => FIRST + letter.charCodeAt(0) - FIRST_BYTE)
  return String.fromCodePoint(...codes) + END
}

/** The text as the editor's page carries it. */
export function marked(text: string, path: string): string {
  return text + markOf(path)
}

/** The text as people read it. */
export function unmarked(text: string): string {
  return text.replace(ANY, '')
}

export function hasMarks(text: string): boolean {
  return text.search(ANY) >= 0
}

export type MarkedPart = {
  readonly text: string
  /** Where this part comes from; null for words of the program. */
  readonly path: string | null
}

/**
 * The parts of a text of the page, each with the path of the mark behind it. Where a program's words
 * stand before a marked text, only the page's author can tell them apart: they count as marked.
 */
export function partsOf(text: string): readonly MarkedPart[] {
  const parts: MarkedPart[] = []
  let from = 0
  for (const found of text.matchAll(MARK)) {
    parts.push({ text: unmarked(text.slice(from, found.index)), path: pathOf(found[1] ?? '') })
    from = found.index + found[0].length
  }
  const rest = unmarked(text.slice(from))
  return rest === '' ? parts : [...parts, { text: rest, path: null }]
}

function pathOf(letters: string): string {
  return [...letters]
    .map((letter) => String.fromCharCode((letter.codePointAt(0) ?? FIRST) - FIRST + FIRST_BYTE))
    .join('')
}

export type WordPlace = {
  readonly block: string
  /** Empty for the block as a whole. */
  readonly field: string
  /** Which of several paragraphs, from 0; null for a text that is one. */
  readonly paragraph: number | null
}

export function placeOf(path: string): WordPlace | null {
  const found = /^([^:#]+):([^#]*)(?:#(\d{1,4}))?$/.exec(path)
  if (found === null) return null
  const [, block = '', field = '', paragraph] = found
  return { block, field, paragraph: paragraph === undefined ? null : Number(paragraph) }
}

export function pathTo({ block, field, paragraph }: WordPlace): string {
  return `${block}:${field}${paragraph === null ? '' : `#${paragraph}`}`
}
