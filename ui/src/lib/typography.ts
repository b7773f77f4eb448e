// Applies Italian typography to the texts of a page: curved apostrophes and no-break spaces.

import { stripMarkers } from './content-source-map'

/**
 * Shortest texts, in characters, that get no-break spaces: running text, and headings that may need two lines. Shorter
 * texts are one-line labels, which are compared character by character.
 */
const runningMin = 35
const headingMin = 20

const noBreak = '\u00a0'

/** An e-mail address or URL, which must stay unchanged for copying. */
const address = /@|:\/\//

function curved(text: string): string {
  return text
    .replace(/(\p{L})'(?=[\p{L}\d])/gu, '$1’')
    .replace(/(?<!\p{L})(po|mo|be|va|fa|da|di|sta)'(?!\p{L})/giu, '$1’')
}

const months =
  '[Gg]ennaio|[Ff]ebbraio|[Mm]arzo|[Aa]prile|[Mm]aggio|[Gg]iugno|[Ll]uglio|[Aa]gosto|[Ss]ettembre|[Oo]ttobre|[Nn]ovembre|[Dd]icembre'

/**
 * A space within a date, between a number and its unit, or after a word of one or two letters that is no unit, so that
 * no article or preposition ends a line. The pattern begins with the space, because interpreting engines match
 * lookarounds slowly.
 */
const bound = new RegExp(
  ' (?:' +
    '(?<=\\d )(?=(?:€|%|km|m|kg|CHF|h|min|minuti|ore)(?![\\p{L}\\d]))' +
    '|(?<=\\D[\\s(«]\\p{L}{1,2} )(?=[\\p{L}\\d«+])' +
    `|(?<=\\d[°º]? )(?=(?:${months})(?!\\p{L}))` +
    `|(?=[12]\\d{3}(?!\\d))(?<=\\d[°º]?[ \u00a0](?:${months}) )` +
    ')',
  'gu',
)

/** Curves apostrophes only: for attributes, the document head and sentences that are compared. */
export function curve(text: string): string {
  // Every text of a page passes here, and in QuickJS `indexOf` is ten times faster than `includes`.
  if (text.indexOf("'") < 0) return text
  if (!address.test(text)) return curved(text)
  return text.replace(/\S+/g, (word) => (address.test(word) ? word : curved(word)))
}

/** Longest marker of a field path in the editor's preview. */
const markerMax = 24

/** Counts without the markers of the editor's preview: a heading broke differently there than on the site. */
function isShorter(text: string, min: number): boolean {
  const { length } = text
  return length < min || (length < min + markerMax && stripMarkers(text).length < min)
}

export function typeset(text: string, letterMin = runningMin): string {
  const marked = curve(text).replaceAll('P. IVA', `P.${noBreak}IVA`)
  return isShorter(marked, letterMin) ? marked : marked.replace(bound, noBreak)
}

/** Like `typeset`, from a smaller length on, so that no short word ends the first line of a heading. */
export function typesetHeading(text: string): string {
  return typeset(text, headingMin)
}

const plainElements = /^(code|pre|kbd|samp|script|style)$/i

/** Typesets the text between the tags of generated HTML; code stays as typed. */
export function typesetHtml(html: string): string {
  let plain = 0
  return html.replace(/<(\/?)(\w+)[^>]*>|[^<]+/g, (part, closes: string, name?: string) => {
    if (name === undefined) return plain > 0 ? part : typeset(part)
    if (plainElements.test(name)) plain += closes ? -1 : 1
    return part
  })
}

export function isPlain(element: string): boolean {
  return plainElements.test(element) || element === 'textarea'
}
