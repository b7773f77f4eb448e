// Escapes and shortens text for HTML.

const entityByCharacter: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for the content of an element or for a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entityByCharacter[character] ?? character)
}

/** Serializes to JSON for a `script` element: escapes `<`, which could end it, and the separators U+2028 and U+2029. */
export function scriptJson(value: unknown): string {
  return JSON.stringify(value)
    .replace(/</g, '\\u003c')
    .replace(/\u2028/g, '\\u2028')
    .replace(/\u2029/g, '\\u2029')
}

const ellipsis = '...'

/** Most lines of text on a card. */
const cardLinesMax = 6

/** Collapses all white space, so that the text is one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** Shortens to one line of at most `charactersMax` characters, ellipsis included, cut between words. */
export function shorten(text: string, charactersMax: number): string {
  const plain = oneLine(text)
  return plain.length <= charactersMax ? plain : cut(plain, charactersMax)
}

/** Like `shorten`, but keeps up to `cardLinesMax` non-empty lines. */
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
