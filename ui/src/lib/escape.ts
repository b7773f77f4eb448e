// Text on its way into markup.

const entityByCharacter: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text as the content of an element or of a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? character)
}

/** JSON that can stand inside a `script` element: no `<` can end it, no separator can break it. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

const ellipsis = '...'

/** Lines of a card: it says what something is about. */
const cardLinesMax = 6

/** Text where a single line is due. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** At most so many characters in one line, cut between words; the ellipsis counts. */
export function shorten(text: string, charactersMax: number): string {
  const plain = oneLine(text)
  return plain.length <= charactersMax ? plain : cut(plain, charactersMax)
}

/** The same in the lines that were typed, without empty ones and no more than a card takes. */
export function shortenLines(text: string, charactersMax = Number.POSITIVE_INFINITY): string {
  const lines = text.split('\n').map(oneLine).filter(Boolean)
  const plain = lines.slice(0, cardLinesMax).join('\n')
  const isWhole = lines.length <= cardLinesMax && plain.length <= charactersMax
  return isWhole ? plain : cut(`${plain} `, charactersMax)
}

function cut(plain: string, charactersMax: number): string {
  const start = plain.slice(0, charactersMax - ellipsis.length)
  const space = start.search(/[ \n][^ \n]*$/)
  return `${start.slice(0, space > 0 ? space : undefined).replace(/[\s,;:.]+$/, '')}${ellipsis}`
}
