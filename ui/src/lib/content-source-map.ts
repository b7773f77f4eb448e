// Maps texts of a rendered page to the content fields they come from, with invisible markers in the text. Only the
// editor's preview contains markers, never a published page.
//
// A marker follows its text: the index of a field path in binary, between two delimiters. The three characters are
// removed from all typed text. The page carries the list of paths:
//
//   servizi.offers:offers[2].price      block, then the field path as in the server's validation errors
//   chi-sono.biography:text#1           the second paragraph of a text with several paragraphs

const EDGE = '\u2063'
const ZERO = '\u200b'
const ONE = '\u200c'
const MARK = new RegExp(`${EDGE}([${ZERO}${ONE}]*)${EDGE}`, 'g')
const ANY = new RegExp(`[${EDGE}${ZERO}${ONE}]`, 'g')

export function encodeMarker(number: number): string {
  return EDGE + number.toString(2).replaceAll('0', ZERO).replaceAll('1', ONE) + EDGE
}

/** Returns the text without markers. */
export function stripMarkers(text: string): string {
  return text.replace(ANY, '')
}

export function hasMarkers(text: string): boolean {
  return text.includes(EDGE)
}

export type MarkedPart = {
  readonly text: string
  /** Field path of this part; null for built-in text. */
  readonly path: string | null
}

/**
 * Splits a text of the page at its markers and resolves the path of each part. Built-in text in front of a marked text
 * cannot be told apart and belongs to the marked part.
 */
export function partsOf(text: string, places: readonly string[]): readonly MarkedPart[] {
  const parts: MarkedPart[] = []
  let from = 0
  for (const found of text.matchAll(MARK)) {
    const bits = (found[1] ?? '').replaceAll(ZERO, '0').replaceAll(ONE, '1')
    const path = places[Number.parseInt(bits, 2)] ?? null
    parts.push({ text: stripMarkers(text.slice(from, found.index)), path })
    from = found.index + found[0].length
  }
  const rest = stripMarkers(text.slice(from))
  return rest === '' ? parts : [...parts, { text: rest, path: null }]
}

export type FieldTarget = {
  readonly block: string
  /** Empty for the whole block. */
  readonly field: string
  /** Index of the paragraph, from 0; null for a text that is not split into paragraphs. */
  readonly paragraph: number | null
}

export function parseFieldTarget(path: string): FieldTarget | null {
  const found = /^([^:#]+):([^#]*)(?:#(\d{1,4}))?$/.exec(path)
  if (found === null) return null
  const [, block = '', field = '', paragraph] = found
  return { block, field, paragraph: paragraph === undefined ? null : Number(paragraph) }
}
