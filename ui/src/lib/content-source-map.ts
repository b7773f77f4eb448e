// Where a text of a page comes from, told by characters that nobody sees: only in the page that the
// editor shows, never in one that is published.
//
// A mark stands behind its text: the number of a place in binary, between two signs. What comes in
// from people is cleared of all three. The places by their numbers come with the page:
//
//   servizi.offers:offers[2].price      block, then the field as the server names it in a refusal
//   chi-sono.biography:text#1           the second paragraph of a text of several

const EDGE = '\u2063'
const ZERO = '\u200b'
const ONE = '\u200c'
const MARK = new RegExp(`${EDGE}([${ZERO}${ONE}]*)${EDGE}`, 'g')
const ANY = new RegExp(`[${EDGE}${ZERO}${ONE}]`, 'g')

export function encodeMarker(number: number): string {
  return EDGE + number.toString(2).replaceAll('0', ZERO).replaceAll('1', ONE) + EDGE
}

/** The text as people read it. */
export function stripMarkers(text: string): string {
  return text.replace(ANY, '')
}

export function hasMarkers(text: string): boolean {
  return text.includes(EDGE)
}

export type MarkedPart = {
  readonly text: string
  /** Where this part comes from; null for words of the program. */
  readonly path: string | null
}

/**
 * The parts of a text of the page, each with the place of the mark behind it. Where a program's words
 * stand before a marked text, nothing tells them apart: they count as marked.
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
  /** Empty for the block as a whole. */
  readonly field: string
  /** Which of several paragraphs, from 0; null for a text that is one. */
  readonly paragraph: number | null
}

export function placeOf(path: string): FieldTarget | null {
  const found = /^([^:#]+):([^#]*)(?:#(\d{1,4}))?$/.exec(path)
  if (found === null) return null
  const [, block = '', field = '', paragraph] = found
  return { block, field, paragraph: paragraph === undefined ? null : Number(paragraph) }
}
